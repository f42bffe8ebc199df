import { expect, test } from 'vitest';
import type { DeliveryStatus } from '../../../domain/deliveries.ts';
import type { OrderStatus } from '../../../domain/orders.ts';
import type { DeliverySituation, OrderSituation } from '../../../domain/process/situation.ts';
import { columnOf, describeJob, dueOf } from './board.ts';

const AT = '2026-11-30T08:00:00.000Z';
type Way = { readonly status: DeliveryStatus; readonly situation: DeliverySituation };

const job = (status: OrderStatus, situation: OrderSituation, there?: Way, back?: Way) => ({
  ...{ status, situation, selfDelivery: false, selfPickup: false, round: 1, isHandedOver: false },
  ...{ bud: { fullname: 'Mina Okafor' }, scrub: { fullname: 'Noor Haddad' } },
  statusHistory: [{ status, createdAt: AT }],
  deliveries: [
    ...(there ? [{ ...there, deliveryType: 'Bud_To_Scrub' as const, round: 1 }] : []),
    ...(back ? [{ ...back, deliveryType: 'Scrub_To_Bud' as const, round: 1 }] : []),
  ],
});
const DELIVERED: Way = { status: 'Delivered', situation: 'delivered' };
const ACCEPTED: Way = { status: 'Accepted', situation: 'coming' };

test.each([
  ['a new order waits for an answer', job('Requested', 'requested'), 'Answer', undefined],
  ['an order that was given back has left the board', job('Requested', 'given-back'), undefined, undefined],
  [
    'laundry that a Duber brings arrives',
    job('Accepted', 'coming', ACCEPTED),
    'Arriving',
    'A Duber will bring it to you.',
  ],
  [
    'laundry that has arrived is to be washed',
    job('Accepted', 'arrived', DELIVERED),
    'Washing',
    'The laundry is here.',
  ],
  ['a job that was started is being washed', job('In_Progress', 'washing', DELIVERED), 'Washing', undefined],
  ['washed laundry that waits for a Duber is ready', job('Completed', 'coming', DELIVERED, ACCEPTED), 'Ready', /Duber/],
  [
    'laundry that a Duber has collected has left the board',
    job('Completed', 'carried', DELIVERED, { status: 'Collected', situation: 'carried' }),
    undefined,
    undefined,
  ],
  ['laundry that is home has left the board', job('Completed', 'home', DELIVERED, DELIVERED), undefined, undefined],
] as const)('%s', (_title, one, column, words) => {
  expect(columnOf(one)).toBe(column);
  if (words instanceof RegExp) expect(describeJob(one)).toMatch(words);
  else expect(describeJob(one)).toBe(words);
});

test('of an order with windows, an answer is due before the pickup, and the laundry before the return', () => {
  const window = (from: string) => ({ from: `${from}.000Z`, until: `${from}.000Z` });
  const timesOf = (pickup: string, back: string) => ({
    times: {
      pickup: window(pickup),
      return: window(back),
      turnaround: 'standard',
      promisedAt: `${back}.000Z`,
    } as const,
  });
  const dueAt = (one: Parameters<typeof dueOf>[0]) => dueOf(one)?.at.toISOString();
  const [soon, later] = [
    timesOf('2026-11-30T17:00:00', '2026-12-03T17:00:00'),
    timesOf('2026-12-04T17:00:00', '2026-12-08T17:00:00'),
  ];
  expect(dueAt({ ...job('Requested', 'requested'), ...soon })).toBe('2026-11-30T17:00:00.000Z');
  expect(dueAt({ ...job('Requested', 'requested'), ...later })).toBe('2026-12-01T08:00:00.000Z');
  expect(dueAt({ ...job('In_Progress', 'washing', DELIVERED), ...later })).toBe('2026-12-08T17:00:00.000Z');
});

test('an answer is due a day after the order was placed, and a job two days after it was started', () => {
  expect(dueOf(job('Requested', 'requested'))).toEqual({
    label: 'Answer by',
    at: new Date('2026-12-01T08:00:00.000Z'),
  });
  const started = job('In_Progress', 'washing', DELIVERED);
  expect(dueOf(started)).toEqual({ label: 'Done by', at: new Date('2026-12-02T08:00:00.000Z') });
  // A note in the history that the job is late does not move the time.
  const late = [...started.statusHistory, { status: 'In_Progress' as const, createdAt: '2026-12-02T08:00:00.000Z' }];
  expect(dueOf({ ...started, statusHistory: late })?.at).toEqual(new Date('2026-12-02T08:00:00.000Z'));
  expect(dueOf(job('Accepted', 'coming', ACCEPTED))).toBeUndefined();
});
