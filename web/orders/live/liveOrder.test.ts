import { expect, test } from 'vitest';
import { DELIVERY_STATUSES, type DeliveryStatus, type DeliveryType } from '../../../domain/deliveries.ts';
import type { OrderStatus } from '../../../domain/orders.ts';
import { giverBackOf, situated } from '../../../testing/situated.ts';
import * as live from './liveOrder.ts';

type LiveOrder = live.LiveOrder & { readonly exceptions: readonly { readonly action: string; readonly by?: string }[] };
/** The order as the server sends it. */
const sent = (order: LiveOrder): live.LiveOrder => situated(order, { givenBackBy: giverBackOf(order.exceptions) });
const describeLiveOrder = (order: LiveOrder) => live.describeLiveOrder(sent(order));
const holderOf = (order: LiveOrder) => live.holderOf(sent(order));
function sortByProgress(orders: readonly LiveOrder[]) {
  const made = new Map(orders.map((order) => [sent(order), order]));
  return live.sortByProgress([...made.keys()]).map((order) => made.get(order));
}

const address = { id: 'a', label: 'Home', address: '12 Heron Street', latitude: 24, longitude: 67 };
const at = (minute: number) => `2026-01-05T10:${String(minute).padStart(2, '0')}:00.000Z`;

function liveOrder(status: OrderStatus, more: Partial<LiveOrder> = {}): LiveOrder {
  return {
    id: 'an-order',
    status,
    statusHistory: [{ status, createdAt: at(0), orderId: 'an-order' }],
    selfDelivery: false,
    selfPickup: false,
    round: 1,
    isHandedOver: false,
    isScrubAway: false,
    exceptions: [],
    price: { loadPrice: 12.5 },
    budAddress: address,
    scrub: { fullname: 'Sam Suds', addresses: [address] },
    deliveries: [],
    ...more,
  };
}

type Delivery = LiveOrder['deliveries'][number];
const delivery = (deliveryType: DeliveryType, status: DeliveryStatus): Delivery => ({
  id: `${deliveryType}-${status}`,
  deliveryType,
  status,
  round: 1,
  attempt: 1,
  hasLaundry: ['Collected', 'Way_To_Drop', 'Way_Back'].includes(status),
  isDuberAway: false,
  exceptions: [],
  statusHistory: [{ status, createdAt: at(0), takenAt: null, deliveryId: 'a-delivery' }],
  duber: status === 'Pending' ? null : { fullname: 'Dana Reyes' },
});
const toScrub = (status: DeliveryStatus) => liveOrder('Accepted', { deliveries: [delivery('Bud_To_Scrub', status)] });
const started = (status: DeliveryStatus, more: Partial<Delivery> = {}) =>
  liveOrder('In_Progress', { deliveries: [{ ...delivery('Bud_To_Scrub', status), ...more }] });
const toBud = (status: DeliveryStatus) =>
  liveOrder('Completed', { deliveries: [delivery('Bud_To_Scrub', 'Delivered'), delivery('Scrub_To_Bud', status)] });

/** Every stage of an order, in the order in which it passes them: who has the laundry, and a word of the sentence. */
const STAGES: readonly [stage: LiveOrder, holder: string, now: string][] = [
  [liveOrder('Requested'), 'You', 'Sam Suds has not answered yet.'],
  [toScrub('Pending'), 'You', 'Sam Suds has accepted'],
  [toScrub('Accepted'), 'You', 'Dana will collect'],
  [toScrub('Way_To_Pick'), 'You', 'Dana is on the way to you.'],
  [toScrub('Collected'), 'Dana Reyes', 'Dana has the laundry.'],
  [toScrub('Way_To_Drop'), 'Dana Reyes', 'Dana is bringing the laundry to Sam.'],
  [toScrub('Delivered'), 'Sam Suds', 'with Sam Suds, who will start soon'],
  [started('Delivered'), 'Sam Suds', 'is doing your laundry'],
  [toBud('Pending'), 'Sam Suds', 'is done'],
  [toBud('Accepted'), 'Sam Suds', 'Dana will bring it back'],
  [toBud('Way_To_Pick'), 'Sam Suds', 'Dana is on the way to Sam.'],
  [toBud('Collected'), 'Dana Reyes', 'Dana has the laundry.'],
  [toBud('Way_To_Drop'), 'Dana Reyes', 'Dana is bringing the laundry to you.'],
];

test.each(STAGES)('stage %#: who has the laundry, and one sentence', (stage, holder, now) => {
  const { now: sentence, next } = describeLiveOrder(stage);
  expect(holderOf(stage)).toBe(holder);
  expect(sentence).toContain(now);
  expect(sentence.match(/\./g), 'it is one sentence').toHaveLength(1);
  expect(next).toMatch(/\.$/);
});

test('the stages have all statuses of both deliveries while they last', () => {
  const statuses = STAGES.flatMap(([{ deliveries }]) => deliveries.at(-1)?.status ?? []);
  const planned = DELIVERY_STATUSES.slice(0, DELIVERY_STATUSES.indexOf('Delivered') + 1);
  expect(statuses).toEqual([...planned, 'Delivered', ...planned.slice(0, -1)]);
});

const step = (action: string) => ({ action, attempt: 1, createdAt: at(1) });
const unplanned = (status: DeliveryStatus, more: Partial<Delivery> = {}, type: DeliveryType = 'Bud_To_Scrub') => {
  const stage = type === 'Bud_To_Scrub' ? liveOrder('Accepted') : toBud('Pending');
  return { ...stage, deliveries: [...stage.deliveries.slice(0, 1), { ...delivery(type, status), ...more }] };
};
const NOT_TAKEN = { hasLaundry: true, exceptions: [step('drop-failed')] };
const LOST = { hasLaundry: true, exceptions: [step('report-lost')] };

test('a delivery that does not go as planned says so, and who has the laundry where that is known', () => {
  const both = [
    ['Failed', { exceptions: [step('pickup-failed')] }, 'it was not collected', 'You', 'Sam Suds'],
    ['Failed', NOT_TAKEN, 'still has it', 'Dana Reyes', 'Dana Reyes'],
    ['Failed', LOST, 'is reported as lost', undefined, undefined],
    ['Way_Back', {}, 'on its way back', 'Dana Reyes', 'Dana Reyes'],
    ['Returned', { exceptions: [step('brought-back')] }, '', 'You', 'Sam Suds'],
    [
      'Pending',
      { exceptions: [step('relay')] },
      'until another one brings it',
      'The Duber who could not continue',
      'The Duber who could not continue',
    ],
    ['Called_Off', { exceptions: [step('call-off')] }, 'was called off', 'You', undefined],
    ['Called_Off', { exceptions: [step('relay'), step('call-off')] }, 'was called off', undefined, undefined],
    [
      'Called_Off',
      { exceptions: [step('report-lost'), step('call-off')] },
      'is reported as lost',
      undefined,
      undefined,
    ],
  ] as const;
  for (const [status, more, text, toScrubHolder, toBudHolder] of both) {
    const [there, home] = [unplanned(status, more), unplanned(status, more, 'Scrub_To_Bud')];
    expect(describeLiveOrder(there).now).toContain(text);
    expect(describeLiveOrder(home).now).toMatch(/^Your laundry is done\. /);
    expect([holderOf(there), holderOf(home)]).toEqual([toScrubHolder, toBudHolder]);
    for (const order of [there, home]) expect(describeLiveOrder(order).next).toMatch(/\.$/);
  }
});

test('a Duber who could not hand the laundry over can try again on the same day', () => {
  const text = 'The Duber brings it back, or tries again the same day.';
  for (const type of ['Bud_To_Scrub', 'Scrub_To_Bud'] as const)
    expect(describeLiveOrder(unplanned('Failed', NOT_TAKEN, type)).next).toBe(text);
});

test('a Bud chooses once what happens next; after that the town does', () => {
  const next = (...actions: string[]) =>
    describeLiveOrder(unplanned('Returned', { exceptions: actions.map(step) })).next;
  expect(next('brought-back')).toBe('Open the order to choose what happens next.');
  expect(next('re-offer', 'brought-back')).toBe('We get in touch about the next try.');
});

test('a Bud who must choose after a relay whose next pickup failed hears so, and laundry on its second way back is up to the town', () => {
  const next = (status: DeliveryStatus, ...actions: string[]) =>
    describeLiveOrder(unplanned(status, { exceptions: actions.map(step) })).next;
  expect(next('Way_To_Pick', 'relay')).toBe('Dana continues with it.');
  expect(next('Failed', 'relay', 'pickup-failed')).toBe('Open the order to choose what happens next.');
  expect(next('Failed', 're-offer', 'relay', 'pickup-failed')).toBe('We get in touch about the next try.');
  expect(next('Way_Back', 'drop-failed', 'bring-back')).toBe('You choose what happens next.');
  expect(next('Way_Back', 're-offer', 'drop-failed', 'bring-back')).toBe('We get in touch about the next try.');
});

test('a Duber at the door is at the door, and no longer on the way', () => {
  const now = (status: DeliveryStatus, action: string, type?: DeliveryType) =>
    describeLiveOrder(unplanned(status, { exceptions: [step(action)] }, type)).now;
  expect(now('Way_To_Pick', 'arrived-at-pickup')).toBe('Dana is at your door.');
  expect(now('Way_To_Drop', 'arrived-at-drop')).toBe('Dana is at the door.');
  expect(now('Way_To_Pick', 'arrived-at-pickup', 'Scrub_To_Bud')).toBe('Dana is at the door.');
  expect(now('Way_To_Drop', 'arrived-at-drop', 'Scrub_To_Bud')).toBe('Dana is at your door.');
});

test('laundry that its Bud brought is with the Scrub', () => {
  const brought = liveOrder('Accepted', { selfDelivery: true, isHandedOver: true });
  expect([describeLiveOrder(brought).now, holderOf(brought)]).toEqual([
    'Your laundry is with Sam Suds, who will start soon.',
    'Sam Suds',
  ]);
});

test('a Scrub who starts without the laundry is believed, but nobody is said to have it', () => {
  expect(holderOf(started('Pending'))).toBeUndefined();
  expect(describeLiveOrder(started('Pending')).now).toBe('Sam Suds is doing your laundry.');
  expect(describeLiveOrder(started('Failed', LOST)).now).toMatch(/^Sam Suds has started\. .* is reported as lost\.$/);
  expect(holderOf(started('Failed', LOST))).toBeUndefined();
});

const change = (action: string, by: 'Scrub' | 'Operator' = 'Scrub', round = 1) => ({
  action,
  by,
  round,
  createdAt: at(1),
});

test('an order that its Scrub gave back waits for another one', () => {
  const givenBack = (by: 'Scrub' | 'Operator') =>
    liveOrder('Requested', { round: 2, exceptions: [change('give-back', by)] });
  expect(describeLiveOrder(givenBack('Scrub')).now).toBe('Sam Suds gave your order back.');
  expect(describeLiveOrder(givenBack('Operator')).now).toBe('The town has taken your order from Sam Suds.');
  const asked = liveOrder('Requested', {
    round: 2,
    exceptions: [change('give-back'), change('choose-scrub', 'Scrub', 2)],
  });
  expect(describeLiveOrder(asked).now).toBe('Sam Suds has not answered yet.');
});

test('laundry that is cleaned again goes to the Scrub, is cleaned and comes back', () => {
  const first = [delivery('Bud_To_Scrub', 'Delivered'), delivery('Scrub_To_Bud', 'Delivered')];
  const again = (status: OrderStatus, type: DeliveryType, of: DeliveryStatus) =>
    liveOrder(status, {
      round: 2,
      exceptions: [change('reopen', 'Operator')],
      deliveries: [
        ...first,
        { ...delivery('Bud_To_Scrub', 'Delivered'), round: 2 },
        { ...delivery(type, of), round: 2 },
      ],
    });
  const said = (order: LiveOrder) => [describeLiveOrder(order).now, holderOf(order)];
  const toScrubAgain = (of: DeliveryStatus) =>
    liveOrder('In_Progress', {
      ...again('In_Progress', 'Bud_To_Scrub', of),
      deliveries: [...first, { ...delivery('Bud_To_Scrub', of), round: 2 }],
    });
  expect(said(toScrubAgain('Pending'))).toEqual([
    'Sam Suds will clean your laundry again. A Duber will bring them your laundry.',
    'You',
  ]);
  expect(said(toScrubAgain('Way_To_Drop'))[1]).toBe('Dana Reyes');
  expect(said(toScrubAgain('Delivered'))).toEqual(['Sam Suds is cleaning your laundry again.', 'Sam Suds']);
  expect(said(again('Completed', 'Scrub_To_Bud', 'Way_To_Drop'))[1]).toBe('Dana Reyes');
});

test('a Bud who carries the laundry is told to', () => {
  expect(describeLiveOrder(liveOrder('Accepted', { selfDelivery: true })).next).toBe('You bring it to Sam Suds.');
  for (const status of ['In_Progress', 'Completed'] as const)
    expect(describeLiveOrder(liveOrder(status, { selfPickup: true })).next).toBe('You pick it up from Sam Suds.');
});

test('laundry that goes back unwashed is never described as done or being done', () => {
  const price = { loadPrice: 0 };
  for (const selfPickup of [true, false])
    for (const status of ['In_Progress', 'Completed'] as const) {
      const { now } = describeLiveOrder(liveOrder(status, { price, selfPickup }));
      expect(now).not.toMatch(/is done|is doing/);
      expect(now).toMatch(/not washed|unwashed/);
    }
  const coming = describeLiveOrder({ ...toBud('Accepted'), price });
  expect(coming.now).toBe('Your laundry was not washed, and Dana will bring it back.');
});

test('a laundry that is started before its delivery is marked as collected is still with the Duber', () => {
  const early = liveOrder('In_Progress', { deliveries: [delivery('Bud_To_Scrub', 'Way_To_Drop')] });
  expect(holderOf(early)).toBe('Dana Reyes');
});

test('the time of an arrival says where: at the Bud, at the Scrub, or back home', () => {
  const labels = [toScrub('Way_To_Pick'), toScrub('Way_To_Drop'), toBud('Way_To_Pick'), toBud('Way_To_Drop')];
  expect(labels.map(live.arrivalLabel)).toEqual(['At your door at', 'With Sam at', 'Collected from Sam at', 'Back at']);
});

test('the order that is furthest along comes first, and of two at the same stage the newest', () => {
  const stages = STAGES.map(([stage]) => stage);
  expect(sortByProgress(stages)).toEqual(stages.toReversed());
  const [late, early] = ['late', 'early'].map((id) =>
    liveOrder('Accepted', { id, deliveries: [delivery('Bud_To_Scrub', 'Accepted')] }),
  );
  if (!early || !late) throw new Error('an order is missing');
  // The server sends the newest first.
  expect(sortByProgress([late, early])).toEqual([late, early]);
});

test('an order that needs its Bud comes before one that is further along: first a Duber at their door', () => {
  const arrived = (action: string) => ({ exceptions: [step(action)] });
  const atDoor = unplanned('Way_To_Pick', arrived('arrived-at-pickup'));
  const atDoorWithLaundry = unplanned('Way_To_Drop', arrived('arrived-at-drop'), 'Scrub_To_Bud');
  const givenBack = liveOrder('Requested', { round: 2, exceptions: [change('give-back')] });
  const stuck = [
    unplanned('Failed', arrived('pickup-failed')),
    unplanned('Returned', arrived('brought-back')),
    givenBack,
  ];
  for (const urgent of [atDoor, atDoorWithLaundry, ...stuck])
    for (const calm of [started('Delivered'), toBud('Collected')])
      expect(sortByProgress([calm, urgent])[0]).toBe(urgent);
  for (const order of stuck) expect(sortByProgress([order, atDoor])[0]).toBe(atDoor);
  // The door of the Scrub is not the Bud's.
  const atScrub = unplanned('Way_To_Drop', arrived('arrived-at-drop'));
  expect(sortByProgress([atScrub, started('Delivered')])[0]).not.toBe(atScrub);
  // Neither is the place where another Duber waits with the laundry.
  const atMeeting = unplanned('Way_To_Pick', { exceptions: [step('relay'), step('arrived-at-pickup')] });
  expect(sortByProgress([atMeeting, started('Delivered')])[0]).not.toBe(atMeeting);
});

test('a Bud does not read that somebody is at work who cannot work now', () => {
  const away = (order: LiveOrder) => ({ ...order, isScrubAway: true });
  const texts = (order: LiveOrder) => Object.values(describeLiveOrder(order)).join(' ');
  for (const order of [toScrub('Pending'), toScrub('Delivered'), started('Delivered'), started('Pending')]) {
    expect(texts(away(order))).toContain('We do not know yet when');
    expect(texts(away(order))).not.toMatch(/will start soon|is doing|has started|washes|waits for/);
    expect(texts(order)).not.toContain('We do not know yet');
  }
  const brings = liveOrder('Accepted', { selfDelivery: true });
  expect(texts(away(brings))).toContain('Please do not bring it before you hear from us.');
  for (const status of ['Accepted', 'Way_To_Pick', 'Collected', 'Way_To_Drop'] as const)
    for (const type of ['Bud_To_Scrub', 'Scrub_To_Bud'] as const) {
      const order = liveOrder(type === 'Bud_To_Scrub' ? 'Accepted' : 'Completed', {
        isHandedOver: type === 'Scrub_To_Bud',
        deliveries: [{ ...delivery(type, status), isDuberAway: true }],
      });
      expect(texts(order)).toContain('We do not know yet when the trip continues.');
      expect(texts(order)).not.toMatch(/will collect|will bring|on the way|is bringing|sets off/);
    }
});

const happened = (action: string) => ({ action, round: 1, by: 'System' as const, createdAt: at(1) });

test('a Scrub who has not started for hours is not said to start soon, and late laundry is said to be late', () => {
  const waiting = (...actions: string[]) =>
    describeLiveOrder({ ...toScrub('Delivered'), exceptions: actions.map(happened) }).now;
  expect(waiting('remind')).toBe('Your laundry is with Sam Suds, who has not started yet. We have reminded them.');
  expect(waiting('remind', 'scrub-silent')).toMatch(/has not started yet. The town knows, and looks into it.$/);
  expect(describeLiveOrder({ ...started('Delivered'), exceptions: [happened('late')] }).now).toBe(
    'Sam Suds is doing your laundry. It takes longer than planned: the town knows, and looks into it.',
  );
});

test('laundry of a cancelled order that comes home is not called done', () => {
  const cancelled = { ...toBud('Pending'), status: 'Cancelled' as const };
  const { now, next } = describeLiveOrder(cancelled);
  expect(now).toBe('Your order was cancelled and your laundry comes home, and a Duber will soon bring it back.');
  expect(next).toBe('A Duber accepts the delivery.');
  expect(holderOf(cancelled)).toBe('Sam Suds');
  const lost = { ...unplanned('Failed', LOST, 'Scrub_To_Bud'), status: 'Cancelled' as const };
  expect(describeLiveOrder(lost).now).toBe('Your order was cancelled. Your laundry is reported as lost.');
});

test('no Duber is said to bring what is lost, or what its Bud fetches after the order was cancelled', () => {
  const cancelled = (status: DeliveryStatus, more: Partial<Delivery> = {}) =>
    liveOrder('Cancelled', { deliveries: [{ ...delivery('Bud_To_Scrub', status), ...more }] });
  expect(describeLiveOrder(cancelled('Failed', LOST)).now).toMatch(/is reported as lost.$/);
  expect(describeLiveOrder(cancelled('Delivered')).now).toBe('Your order was cancelled.');
  expect(holderOf(cancelled('Delivered'))).toBeUndefined();
});

test('a Duber comes at the agreed time, and soon without one or after it', () => {
  const hour = (from: number) => ({
    from: new Date(Date.now() + from * 3_600_000).toISOString(),
    until: new Date(Date.now() + (from + 2) * 3_600_000).toISOString(),
  });
  const timesOf = (from: number) =>
    ({
      pickup: hour(from),
      return: hour(from + 24),
      turnaround: 'next-day',
      promisedAt: hour(from + 24).until,
    }) as const;
  const accepted = liveOrder('Accepted');
  expect(describeLiveOrder(accepted).now).toContain('a Duber will soon collect your laundry');
  expect(describeLiveOrder({ ...accepted, times: timesOf(5) }).now).toContain(
    'collect your laundry at the agreed time',
  );
  expect(describeLiveOrder({ ...accepted, times: timesOf(-5) }).now).toContain(
    'a Duber will soon collect your laundry',
  );
});
