import type { DeliveryAction, DeliveryExceptionAction } from '../../domain/deliveries.ts';
import { DAY_MS } from '../../domain/durations.ts';
import { sendPhoto } from '../../testing/sentPhotos.ts';
import { placeOrder, type TestUser } from '../accounts.ts';
import { createOrderScenario, createParticipants } from '../orderScenario.ts';
import { test as withConsole } from './console.ts';
import { type GalleryUser, takeScreenshots, test } from './screenshots.ts';
import { heading, screenshotState, text } from './states.ts';

type Participants = Awaited<ReturnType<typeof createParticipants>>;
type OpenAs = (user: TestUser) => Promise<GalleryUser>;

const UNSAFE = { reason: 'unsafe', words: 'A dog is loose in the yard.' };
const NORMAL = ['accept-delivery', 'way-to-pickup', 'collected', 'way-to-drop', 'delivered'] as const;
const isNormal = (step: string): step is DeliveryAction => (NORMAL as readonly string[]).includes(step);

/** The steps of a delivery that its people see as one state. The Duber of each goes on from the state before it. */
const STATES: readonly (readonly [state: string, steps: readonly (DeliveryAction | DeliveryExceptionAction)[]])[] = [
  ['1 nobody gave the laundry', ['accept-delivery', 'way-to-pickup', 'pickup-failed']],
  ['2 offered again', ['re-offer']],
  ['3 lost', ['accept-delivery', 'way-to-pickup', 'collected', 'report-lost']],
  ['4 nobody took the laundry', ['try-again', 'drop-failed']],
  ['5 on the way back', ['bring-back']],
  ['6 brought back', ['brought-back']],
];

async function acceptOrder({ bud, scrub }: Participants): Promise<{ id: string; deliveryId: string }> {
  const { id } = await placeOrder(bud, scrub);
  await scrub.api['accept-order']({ params: { id } });
  const { deliveries } = await bud.api.readOrder({ params: { id } });
  return { id, deliveryId: deliveries[0]?.id ?? '' };
}

async function takeStep({ bud, duber }: Participants, id: string, step: DeliveryAction | DeliveryExceptionAction) {
  const params = { id };
  if (isNormal(step)) return duber.api[step]({ params });
  if (step === 're-offer') return bud.api[step]({ params, body: {} });
  const body =
    step === 'report-lost' ? { words: 'The bag is gone from my car.' } : step.endsWith('failed') ? UNSAFE : {};
  return duber.api[step]({ params, body });
}

async function screenshotOfEach(
  openAs: OpenAs,
  { bud, scrub, duber }: Participants,
  ids: { id: string; deliveryId: string },
  state: string,
) {
  const [laundry, status] = [heading('Laundry'), heading('Delivery Status')];
  const screens = [
    [bud, { name: 'bud order on a bad day', path: `/bud/orders/${ids.id}`, ready: heading('Order Status') }],
    [scrub, { name: 'scrub job on a bad day', path: `/scrub/jobs/${ids.id}`, ready: laundry }],
    [duber, { name: 'duber delivery on a bad day', path: `/duber/deliveries/${ids.deliveryId}`, ready: status }],
  ] as const;
  for (const [user, screen] of screens) await screenshotState(await openAs(user), screen, state);
}

test('an order whose delivery does not go as planned', async ({ server, openAs }) => {
  const people = await createParticipants(server, 'Gale');
  const order = await acceptOrder(people);
  for (const [state, steps] of STATES) {
    for (const step of steps) await takeStep(people, order.deliveryId, step);
    await screenshotOfEach(openAs, people, order, state);
  }
});

test('a step that only the town can take back, on a bad day', async ({ server, openAs }) => {
  const people = await createParticipants(server, 'Tara');
  const { id, deliveryId } = await acceptOrder(people);
  for (const step of NORMAL) await takeStep(people, deliveryId, step);
  await people.scrub.api['start-order']({ params: { id } });
  const page = await (await openAs(people.duber)).newPage();
  await page.goto(`/#/duber/deliveries/${deliveryId}`);
  const ask = page.getByRole('button', { name: 'Ask the Town' });
  await ask.waitFor();
  await takeScreenshots(page, 'duber delivery on a bad day', '7 only the town can undo');
  await ask.click();
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await takeScreenshots(page, 'duber delivery on a bad day', '8 ask the town');
  await dialog.getByRole('button', { name: 'Send' }).click();
  await takeScreenshots(page, 'duber delivery on a bad day', '9 ask the town without words');
});

withConsole(
  'a delivery that is handed on to another Duber, on a bad day',
  async ({ server, console: { api }, openAs }) => {
    const people = await createParticipants(server, 'Rhea');
    const { duber: second } = await createParticipants(server, 'Sven');
    const { id, deliveryId } = await acceptOrder(people);
    const params = { id: deliveryId };
    for (const step of ['accept-delivery', 'way-to-pickup', 'collected', 'way-to-drop'] as const)
      await takeStep(people, deliveryId, step);
    const { latitude, longitude } = (await people.bud.api.readOrder({ params: { id } })).budAddress;
    await api['delivery-relay']({
      params,
      body: { why: 'breakdown', reason: 'A flat tyre', place: { latitude, longitude } },
    });
    for (const step of ['accept-delivery', 'way-to-pickup'] as const) await second.api[step]({ params });
    const path = `/duber/deliveries/${deliveryId}`;
    const { deliveryId: other } = await acceptOrder(people);
    const screens = [
      [
        people.duber,
        { name: 'dashboard of the first duber of a relay', path: '/duber', ready: heading('Wait here for') },
      ],
      [
        second,
        {
          name: 'duber with another active delivery',
          path: `/duber/deliveries/${other}`,
          ready: text('You already have'),
        },
      ],
      [people.duber, { name: 'first duber of a relay', path, ready: heading('Wait here for') }],
      [second, { name: 'next duber of a relay', path, ready: heading('Look for') }],
      [
        people.bud,
        { name: 'bud delivery of a relay', path: `/bud/deliveries/${deliveryId}`, ready: heading('Delivery Status') },
      ],
    ] as const;
    for (const [user, screen] of screens) await screenshotState(await openAs(user), screen, 'on the way');
  },
);

test('the photos of hand-overs', async ({ server, openAs }) => {
  const people = await createParticipants(server, 'Phil');
  const { id, deliveryId } = await acceptOrder(people);
  const { bud, scrub, duber } = people;
  const params = { id: deliveryId };
  for (const step of ['accept-delivery', 'way-to-pickup'] as const) await duber.api[step]({ params });
  const doors = [await sendPhoto(duber), await sendPhoto(duber)];
  await duber.api.collectWithProof({ params, body: { bags: 2, fileIds: doors } });
  await duber.api['way-to-drop']({ params });
  await duber.api.deliverWithProof({ params, body: { bags: 2, fileIds: [await sendPhoto(duber)] } });
  const ready = heading('Laundry');
  const screens = [
    [bud, { name: 'bud order', path: `/bud/orders/${id}`, ready: heading('Order Status') }],
    [scrub, { name: 'scrub job', path: `/scrub/jobs/${id}`, ready }],
  ] as const;
  for (const [user, screen] of screens) await screenshotState(await openAs(user), screen, 'photos of hand-overs');
});

withConsole(
  'an order that the town cancelled while its Scrub has the laundry',
  async ({ server, console: { api }, openAs }) => {
    const people = await createParticipants(server, 'Cora');
    const { id, deliveryId } = await acceptOrder(people);
    for (const step of NORMAL) await takeStep(people, deliveryId, step);
    const words = 'Your Scrub is in hospital.';
    const body = { why: 'asked', words, wayHome: 'bring', waysPaidBy: 'platform', reason: 'They called' } as const;
    await api['order-cancel-by-operator']({ params: { id }, body });
    const ready = heading('Laundry');
    const screens = [
      [people.bud, { name: 'bud order', path: `/bud/orders/${id}`, ready: heading('Order Status') }],
      [people.scrub, { name: 'scrub job', path: `/scrub/jobs/${id}`, ready }],
    ] as const;
    for (const [user, screen] of screens) await screenshotState(await openAs(user), screen, 'cancelled by the town');
  },
);

const THINGS = [
  { what: 'Blue shirt', kind: 'stained', worth: '40', age: '6', asked: '20' },
  { what: 'Wool coat, the long one with the brown buttons', kind: 'damaged', worth: '180', age: '14', asked: '95' },
  { what: 'Socks', kind: 'missing', worth: '9', age: '1', asked: '30' },
];

test('money that goes back for a stained shirt', async ({ server, openAs }) => {
  const { bud, scrub } = await createParticipants(server, 'Stan');
  const { id: orderId } = await placeOrder(bud, scrub, { selfDelivery: true, selfPickup: true });
  for (const step of ['accept-order', 'start-order', 'complete-order'] as const)
    await scrub.api[step]({ params: { id: orderId } });
  const items = [{ what: 'Blue shirt', kind: 'stained' as const, worth: 40, ageMonths: 6, asked: 20 }];
  const body = { kind: 'claim' as const, orderId, items, fileIds: [await sendPhoto(bud)] };
  const { id } = await bud.api.createCase({ body });
  await scrub.api.answer({ params: { id }, body: { offer: 'give-back', amount: 4.5, words: 'The bleach was mine.' } });
  await bud.api['accept-offer']({ params: { id }, body: {} });
  const screens = [
    [bud, { name: 'bud order', path: `/bud/orders/${orderId}`, ready: text('given back') }],
    [bud, { name: 'bud case', path: `/bud/problems/${id}`, ready: text('goes back to the card') }],
    [scrub, { name: 'scrub case', path: `/scrub/problems/${id}`, ready: text('of it is taken from what you earned') }],
  ] as const;
  for (const [user, screen] of screens) await screenshotState(await openAs(user), screen, 'given back');
});

test('a report of several things', async ({ server, openAs }) => {
  const { bud, orderId } = await createOrderScenario(await createParticipants(server, 'Rhea'));
  const page = await (await openAs(bud)).newPage();
  await page.goto(`/#/bud/orders/${orderId}/problem`);
  const form = page.getByRole('form', { name: 'Report a problem' });
  for (const [index, { what, kind, worth, age, asked }] of THINGS.entries()) {
    if (index > 0) await form.getByRole('button', { name: 'Add another thing' }).click();
    const thing = index > 0 ? form.getByRole('group', { name: `Thing ${index + 1}` }) : form;
    await thing.getByLabel('What is it?').fill(what);
    await thing.getByLabel('What is wrong with it?').selectOption(kind);
    await thing.getByLabel('Price when new').fill(worth);
    await thing.getByLabel('Age (in months)').fill(age);
    await thing.getByLabel('Refund (in dollars)').fill(asked);
  }
  await takeScreenshots(page, 'report a problem', 'three things');
  await form.getByRole('button', { name: 'Send report' }).click();
  await form.getByText('Add a photo of it').waitFor();
  await takeScreenshots(page, 'report a problem', 'three things without a photo');
});

test('the sheets for the proof of a hand-over', async ({ server, openAs }) => {
  const people = await createParticipants(server, 'Shea');
  const { id, deliveryId } = await acceptOrder(people);
  const { bud, scrub, duber } = people;
  for (const step of ['accept-delivery', 'way-to-pickup'] as const)
    await duber.api[step]({ params: { id: deliveryId } });
  const { tags } = await bud.api.makeBags({ params: { id }, body: { bags: 2 } });
  const page = await (await openAs(duber)).newPage();
  await page.goto(`/#/duber/deliveries/${deliveryId}`);
  await page.getByRole('button', { name: 'Prove the hand-over' }).click();
  const sheet = page.getByRole('dialog');
  for (const code of [...tags.map((tag) => tag.code), 'ZZZZZZ']) {
    await sheet.getByLabel('Code on a tag').fill(code);
    await sheet.getByRole('button', { name: 'Add' }).click();
  }
  await sheet.getByRole('button', { name: 'Collected' }).click();
  await sheet.getByText('does not belong').waitFor();
  await takeScreenshots(page, 'proof of a hand-over', 'a bag of another order');
  for (const step of ['collected', 'way-to-drop', 'delivered'] as const)
    await duber.api[step]({ params: { id: deliveryId } });
  for (const step of ['start-order', 'complete-order'] as const) await scrub.api[step]({ params: { id } });
  const { deliveries } = await bud.api.readOrder({ params: { id } });
  const wayBack = deliveries.find(({ deliveryType }) => deliveryType === 'Scrub_To_Bud')?.id ?? '';
  for (const step of ['accept-delivery', 'way-to-pickup', 'collected', 'way-to-drop'] as const)
    await duber.api[step]({ params: { id: wayBack } });
  await bud.api.chooseLeaveAtDoor({ params: { id }, body: { leaveAtDoor: true } });
  await page.goto(`/#/duber/deliveries/${wayBack}`);
  await page.getByRole('button', { name: 'Prove the hand-over' }).click();
  await sheet.getByText('The Bud lets you leave it at the door').waitFor();
  await takeScreenshots(page, 'proof of a hand-over', 'at the door');
});

test('a report when only missing things are in time, and when nothing is', async ({ server, openAs }) => {
  const { bud, scrub } = await createParticipants(server, 'Late');
  const { id } = await placeOrder(bud, scrub, { selfDelivery: true, selfPickup: true });
  for (const step of ['accept-order', 'start-order', 'complete-order'] as const)
    await scrub.api[step]({ params: { id } });
  for (const [state, days] of [
    ['only missing things', 3],
    ['too late', 8],
  ] as const) {
    const page = await (await openAs(bud)).newPage();
    // Without the server's time, the page goes by its own.
    await page.route('**/api/**', async (route) => {
      const response = await route.fetch();
      const { date: _date, ...headers } = response.headers();
      await route.fulfill({ response, headers });
    });
    await page.clock.setFixedTime(Date.now() + days * DAY_MS);
    await page.goto(`/#/bud/orders/${id}/problem`);
    await page.getByText('since the delivery').waitFor();
    await takeScreenshots(page, 'report a problem', state);
  }
});

const MISSED = { amount: 5, promisedAt: '2026-12-04T19:00:00.000Z', borneBy: 'holder' } as const;
const BACK_LATE = { ...MISSED, backAt: '2026-12-04T20:10:00.000Z' } as const;

test('a missed promise, for both sides', async ({ server, openAs }) => {
  const { bud, scrub } = await createParticipants(server, 'Vow');
  const { id } = await placeOrder(bud, scrub, { selfDelivery: true, selfPickup: true });
  for (const step of ['accept-order', 'start-order', 'complete-order'] as const)
    await scrub.api[step]({ params: { id } });
  for (const [state, missedPromise] of [
    ['1 owed', { ...BACK_LATE, state: 'owed' }],
    ['2 paid', { ...BACK_LATE, state: 'paid', holder: 'Scrub' }],
    ['3 not paid', { ...BACK_LATE, state: 'unpaid', holder: 'Duber', reason: 'late-pickup' }],
    ['4 kept', { ...BACK_LATE, state: 'kept', backAt: '2026-12-04T18:50:00.000Z' }],
  ] as const) {
    for (const [user, name, path, ready] of [
      [bud, 'bud order with a missed promise', `/bud/orders/${id}`, heading('Order Status')],
      [scrub, 'scrub job with a missed promise', `/scrub/jobs/${id}`, heading('Job Status')],
    ] as const) {
      const page = await (await openAs(user)).newPage();
      await page.route(`**/api/scrub-orders/${id}`, async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, json: { ...(await response.json()), missedPromise } });
      });
      await page.goto(`/#${path}`);
      await ready(page).waitFor();
      await page.getByText('It was promised by').waitFor();
      await takeScreenshots(page, name, state);
      await page.close();
    }
  }
});
