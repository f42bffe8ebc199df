import { expect, test } from 'vitest';
import { ORDER_STATUSES } from '../../../domain/orders.ts';
import { situated } from '../../../testing/situated.ts';
import { describeStatus as describeSent, reviewLineOf } from './statusText.ts';

type Described = Parameters<typeof describeSent>[0];
/** The text of an order as the server sends it. */
const describeStatus = (order: object, reader: 'Bud' | 'Scrub', known?: Parameters<typeof situated>[1]) =>
  describeSent(situated(order, known) as unknown as Described, reader);

const NOW = '2026-11-22T12:00:00.000Z';
const order = {
  status: 'Accepted',
  selfDelivery: false,
  selfPickup: false,
  scrub: { fullname: 'Sam Suds' },
  bud: { fullname: 'Ada Byron' },
  deliveries: [],
  statusHistory: [],
  round: 1,
  exceptions: [],
  isHandedOver: false,
  price: { loadPrice: 8.5, totalPrice: 17.92 },
} as const;
const delivery = { round: 1, hasLaundry: false, exceptions: [] };
const toScrub = { ...delivery, deliveryType: 'Bud_To_Scrub' } as const;
const toBud = { ...delivery, deliveryType: 'Scrub_To_Bud' } as const;

test('a Scrub sees whether the laundry has arrived', () => {
  const waiting = { ...order, deliveries: [{ ...toScrub, status: 'Pending' as const }] };
  const arrived = { ...order, deliveries: [{ ...toScrub, status: 'Delivered' as const }] };
  expect(describeStatus(waiting, 'Scrub')).toContain('has not arrived yet');
  expect(describeStatus(arrived, 'Scrub')).toBe('The laundry has arrived.');
  expect(describeStatus({ ...order, selfDelivery: true }, 'Scrub')).toBe('Ada Byron will bring you the laundry.');
  const handedOver = { ...order, selfDelivery: true, isHandedOver: true };
  expect(describeStatus(handedOver, 'Scrub')).toBe('The laundry has arrived.');
  expect(describeStatus(handedOver, 'Bud')).toContain('Your laundry is with Sam Suds');
});

test('a Bud sees who carries the laundry once it is done', () => {
  const done = { ...order, status: 'Completed' } as const;
  expect(describeStatus(done, 'Bud')).toContain('A Duber will bring it back');
  expect(describeStatus({ ...done, selfPickup: true }, 'Bud')).toContain('pick it up from Sam Suds');
  expect(describeStatus({ ...done, deliveries: [{ ...toBud, status: 'Delivered' }] }, 'Bud')).toContain(
    'back with you',
  );
});

test('laundry at the door of its Bud is not said to be back with them', () => {
  const left = { ...toBud, status: 'Delivered' as const, leftAtDoorAt: NOW };
  const done = { ...order, status: 'Completed', deliveries: [left] } as const;
  expect(describeStatus(done, 'Bud')).toMatch(/^Your laundry is done\. It stands at your door since .+\.$/);
  expect(describeStatus(done, 'Scrub')).toMatch(/^Done\. It stands at Ada Byron’s door since .+\.$/);
});

test('the Bud and the Scrub of a cancelled order read how the laundry gets home', () => {
  const accepted = [{ status: 'Accepted' as const, createdAt: '', orderId: '' }];
  const cancelled = { ...order, status: 'Cancelled' as const, statusHistory: accepted };
  const bothRead = (wayHome: 'bring' | 'fetch' | 'lost', deliveries: (typeof toBud & { status: 'Pending' })[] = []) =>
    (['Bud', 'Scrub'] as const).map((reader) => describeStatus({ ...cancelled, wayHome, deliveries }, reader));
  const [bud, scrub] = bothRead('bring', [{ ...toBud, status: 'Pending' }]);
  expect([bud, scrub]).toEqual([
    expect.stringContaining('A Duber will bring it back to your door.'),
    expect.stringContaining('A Duber will take the laundry back.'),
  ]);
  expect(bothRead('fetch')).toEqual([
    expect.stringContaining('Please fetch your laundry from Sam Suds'),
    expect.stringContaining('Ada Byron fetches the laundry'),
  ]);
  expect(bothRead('lost')[0]).toContain('You can report what it was worth.');
});

test('a Bud who cancels after the card was charged reads that the money is refunded', () => {
  const step = (status: 'Accepted') => ({ status, createdAt: '', orderId: '' });
  const cancelled = { ...order, status: 'Cancelled' as const };
  expect(describeStatus(cancelled, 'Bud')).toContain('You were not charged');
  expect(describeStatus({ ...cancelled, statusHistory: [step('Accepted')] }, 'Bud')).toContain(
    'In all, $17.92 goes back',
  );
});

test('both sides read where laundry is that does not go as planned, also after the Scrub has started', () => {
  const lost = { ...toScrub, status: 'Failed', hasLaundry: true, exceptions: [{ action: 'report-lost' }] } as const;
  for (const status of ['Accepted', 'In_Progress'] as const) {
    const text = (reader: 'Bud' | 'Scrub') => describeStatus({ ...order, status, deliveries: [lost] }, reader);
    expect(text('Bud')).toMatch(/has not reached your Scrub: it is reported as lost\.$/);
    expect(text('Scrub')).toMatch(/not arrived.*\. It is reported as lost\.$/);
  }
  const back = { ...order, status: 'Completed', deliveries: [{ ...toBud, status: 'Returned' }] } as const;
  expect(describeStatus(back, 'Bud')).toBe(
    'Your laundry is done. It could not be handed over to you, and is with Sam Suds again.',
  );
  expect(describeStatus(back, 'Scrub')).toBe(
    'Done. The laundry could not be handed over to Ada Byron, and is with you again.',
  );
});

test('laundry that is cleaned again is on its way, being cleaned, or done', () => {
  const by = { by: 'Operator', reason: null, words: null, createdAt: NOW } as const;
  const reopened = [{ ...by, action: 'reopen', status: 'In_Progress', round: 1 } as const];
  const again = (status: 'In_Progress' | 'Completed', ...deliveries: (typeof order.deliveries)[number][]) =>
    ({ ...order, status, round: 2, exceptions: reopened, deliveries }) as const;
  const first = [toScrub, toBud].map((one) => ({ ...one, status: 'Delivered' as const }));
  const texts = (...deliveries: object[]) =>
    (['Bud', 'Scrub'] as const).map((reader) =>
      describeStatus(again('In_Progress', ...([...first, ...deliveries] as never[])), reader),
    );
  expect(texts({ ...toScrub, round: 2, status: 'Pending' })).toEqual([
    'Sam Suds will clean your laundry again. A Duber will bring them your laundry.',
    'The laundry of Ada Byron is cleaned again. A Duber will bring it to you.',
  ]);
  expect(texts({ ...toScrub, round: 2, status: 'Delivered' })).toEqual([
    'Sam Suds is cleaning your laundry again.',
    'You are cleaning the laundry of Ada Byron again.',
  ]);
  const done = again('Completed', ...([...first, { ...toBud, round: 2, status: 'Pending' }] as never[]));
  expect(describeStatus(done, 'Bud')).toBe('Your laundry was cleaned again. A Duber will bring it back to your door.');
});

test('every status has a text for both sides', () => {
  for (const status of ORDER_STATUSES)
    for (const reader of ['Bud', 'Scrub'] as const)
      expect(describeStatus({ ...order, status }, reader), `${reader} ${status}`).toMatch(/\.$/);
});

test('after a Scrub gave an accepted order back nobody reads that the card was not charged, or is asked for an answer', () => {
  const step = { status: 'Requested', round: 1, by: 'Scrub', reason: 'ill', words: null, createdAt: NOW } as const;
  const givenBack = {
    ...{ ...order, status: 'Requested', round: 2, exceptions: [{ ...step, action: 'give-back' }] },
    statusHistory: [{ status: 'Accepted', createdAt: NOW, orderId: 'o' }],
  } as const;
  const byScrub = { givenBackBy: 'scrub' } as const;
  expect(describeStatus(givenBack, 'Bud', byScrub)).toContain('Sam Suds gave your order back');
  expect(describeStatus(givenBack, 'Scrub', byScrub)).toBe(
    'You gave this job back. Ada Byron is choosing another Scrub.',
  );
  const byTown = { givenBackBy: 'town' } as const;
  expect(describeStatus(givenBack, 'Bud', byTown)).toContain('The town has taken your order from Sam Suds.');
  expect(describeStatus(givenBack, 'Scrub', byTown)).toContain('The town gives this job to somebody else.');
  const chosen = {
    ...givenBack,
    exceptions: [...givenBack.exceptions, { ...step, action: 'choose-scrub', round: 2 }],
  };
  expect(describeStatus(chosen, 'Bud')).toContain('you do not pay again');
  expect(describeStatus(chosen, 'Scrub')).toBe('Ada Byron is waiting for your answer.');
  for (const status of ['Requested', 'Cancelled', 'Rejected'] as const)
    expect(describeStatus({ ...chosen, status }, 'Bud')).not.toMatch(/not charged|only charged/);
});

test('laundry that goes back unwashed is never described as done or being done', () => {
  const UNWASHED = { weight: 'unwashed' } as const;
  const sentBack = { ...order, ceilingSize: 'Medium', price: { ...order.price, loadPrice: 0 } } as const;
  for (const status of ['Accepted', 'In_Progress', 'Completed'] as const)
    for (const deliveries of [[], [{ ...toBud, status: 'Delivered' as const }]])
      for (const selfPickup of [true, false])
        for (const reader of ['Bud', 'Scrub'] as const)
          expect(describeStatus({ ...sentBack, status, deliveries, selfPickup }, reader, UNWASHED)).not.toMatch(
            /done|doing|Done/,
          );
  expect(describeStatus({ ...sentBack, status: 'Completed' }, 'Bud', UNWASHED)).toBe(
    'Your laundry was not washed. A Duber will bring it back to your door.',
  );
  expect(describeStatus({ ...sentBack, status: 'Cancelled' }, 'Scrub', UNWASHED)).toContain('cancelled');
});

test('while the Bud is asked nobody reads that the laundry is being done', () => {
  const asked = { ...order, status: 'In_Progress', ceilingSize: 'Medium' } as const;
  expect(describeStatus(asked, 'Bud', { weight: 'asked' })).toBe(
    'Your laundry is heavier than agreed. Sam Suds waits for your answer.',
  );
  expect(describeStatus(asked, 'Scrub', { weight: 'asked' })).toContain('Please do not wash it yet.');
  expect(describeStatus({ ...asked, status: 'Cancelled' }, 'Scrub', { weight: 'asked' })).toContain('cancelled');
});

test('where laundry is weighed, no text promises a refund of an amount that may only be held', () => {
  const step = { status: 'Accepted', createdAt: '', orderId: '' } as const;
  const weighed = { ...order, ceilingSize: 'Medium', statusHistory: [step] } as const;
  for (const status of ['Requested', 'Cancelled', 'Rejected'] as const)
    expect(describeStatus({ ...weighed, status }, 'Bud')).not.toMatch(/back to your card|get everything back/);
});

test('a Bud whose laundry came back unwashed is not asked how the wash was', () => {
  const sentBack = { ceilingSize: 'Medium', price: { loadPrice: 0 } } as const;
  expect(reviewLineOf(sentBack)).toContain('Nothing was washed');
  expect(reviewLineOf({ ...sentBack, price: { loadPrice: 12.5 } })).toBeUndefined();
  expect(reviewLineOf({ price: { loadPrice: 12.5 } })).toBeUndefined();
});

test('until when a Scrub answers depends on whether there is a window', () => {
  const asked = { ...order, status: 'Requested' as const };
  const times = { pickup: {}, return: {} };
  expect(describeStatus(asked, 'Bud')).toContain('Without an answer within 24 hours, the order is cancelled');
  expect(describeStatus({ ...asked, times }, 'Bud')).toContain('within 24 hours and before the pickup, the order');
  const brought = { ...asked, times, selfDelivery: true };
  expect(describeStatus(brought, 'Bud')).toContain('within 24 hours and before the drop-off, the order');
  const missed = { ...asked, times, status: 'Cancelled' as const };
  expect(describeStatus(missed, 'Bud', { hasExpired: true })).toMatch(/^Sam Suds did not answer in time, so/);
  expect(describeStatus(missed, 'Scrub', { hasExpired: true })).toMatch(/^You did not answer in time, so/);
});

test('an order that nobody answered says so, and another one does not', () => {
  const asked = { status: 'Requested' as const, createdAt: '2026-11-21T12:00:00.000Z', orderId: '' };
  const ended = (createdAt: string) => ({
    ...order,
    status: 'Cancelled' as const,
    statusHistory: [asked, { status: 'Cancelled' as const, createdAt, orderId: '' }],
  });
  expect(describeStatus(ended(NOW), 'Bud', { hasExpired: true })).toMatch(
    /^Sam Suds did not answer within 24 hours, so this order was cancelled. You were not charged/,
  );
  expect(describeStatus(ended(NOW), 'Scrub', { hasExpired: true })).toMatch(
    /^You did not answer within 24 hours, so this job was cancelled./,
  );
  const byBud = ended('2026-11-21T13:00:00.000Z');
  expect(describeStatus(byBud, 'Bud')).toMatch(/^This order was cancelled./);
  expect(describeStatus(byBud, 'Scrub')).toBe('This job was cancelled before you answered.');
});

test('laundry that its Bud has fetched is no longer said to wait for them', () => {
  const done = { ...order, status: 'Completed', selfPickup: true } as const;
  expect(describeStatus(done, 'Scrub')).toBe('Done. Ada Byron will pick up the laundry.');
  expect(describeStatus(done, 'Bud', { isWithBud: true })).toBe('Your laundry is done and back with you.');
  expect(describeStatus(done, 'Scrub', { isWithBud: true })).toBe('Done, and the laundry is back with its owner.');
});

test('a Scrub who has the laundry and does not start is not said to start soon', () => {
  const arrived = { ...order, deliveries: [{ ...toScrub, status: 'Delivered' as const }] };
  const said = (...actions: string[]) =>
    describeStatus({ ...arrived, exceptions: actions.map((action) => ({ action, round: 1 })) as never }, 'Bud');
  expect(said()).toBe('Your laundry is with Sam Suds, who will start soon.');
  expect(said('remind')).toMatch(/has not started yet. We have reminded them.$/);
  expect(said('remind', 'scrub-silent')).toMatch(/The town knows, and looks into it.$/);
});
