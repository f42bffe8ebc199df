import { expect, test } from 'vitest';
import { centsMovedBy, type DecisionFacts, type ItemDecision, planDecision } from './decisions.ts';

const FACTS: DecisionFacts = {
  kind: 'claim',
  items: [1, 2],
  caps: { garment: 5_000, order: 30_000 },
  isAboutOrder: true,
  refundable: { left: 4_000, why: '' },
  givenCents: 0,
  borne: [],
  carriers: [{ deliveryId: 'there', duberId: 'dana' }],
  unnamedDuber: { ok: true, userId: 'dana' },
};
const item = (liable: ItemDecision['liable'], cents: number, more: Partial<ItemDecision> = {}): ItemDecision => ({
  ...{ n: 1, liable, cents },
  ...more,
});
const plan = (items: readonly ItemDecision[], facts: Partial<DecisionFacts> = {}) =>
  planDecision(items, { ...FACTS, ...facts });

test.each<[items: readonly ItemDecision[], facts: Partial<DecisionFacts>, why: string]>([
  [[item('scrub', 1, { n: 3 })], {}, 'it has no item 3'],
  [[item('scrub', 1, { n: 2 })], { items: [] }, 'it has no item 2'],
  [[item('scrub', 1), item('scrub', 2)], {}, 'an item is named twice'],
  [[item('scrub', 5_001)], {}, 'item 1 can be given $50.00 at most'],
  [[item('scrub', 30_001)], { kind: 'late' }, 'an order can be given $300.00 at most'],
  [[item('scrub', 1)], { refundable: undefined }, 'the card was not charged: nothing can go back to it'],
  [[item('scrub', 4_001)], {}, '$40.00 of what was paid is left for this case'],
  [[item('scrub', 1, { deliveryId: 'there' })], {}, 'name a delivery only where its Duber bears it'],
  [
    [item('duber', 1, { deliveryId: 'there' }), item('duber', 1, { n: 2 })],
    {},
    'one Duber bears all of it: name the same delivery',
  ],
  [[item('duber', 1, { deliveryId: 'back' })], {}, 'no Duber carried laundry of this order in that delivery'],
  [[item('duber', 1)], { unnamedDuber: { ok: false, why: 'say which Duber bears it' } }, 'say which Duber bears it'],
  [
    [item('duber', 700)],
    { borne: [{ liable: 'duber', userId: 'emil', cents: 500 }], givenCents: 500 },
    'another Duber has borne $5.00: nobody else can pay it now',
  ],
  [
    [item('duber', 700)],
    { borne: [{ liable: 'scrub', userId: 'sara', cents: 500 }], givenCents: 500 },
    '$5.00 was already given back by the scrub: nobody else can pay it now',
  ],
])('the town cannot decide %j with %j', (items, facts, why) => {
  expect(plan(items, facts)).toEqual({ ok: false, why });
});

test('each side pays what it bears, and the Duber the delivery that is named', () => {
  const items = [item('scrub', 900), item('duber', 300, { n: 2, deliveryId: 'there' })];
  expect(plan(items)).toEqual({
    ok: true,
    missing: [
      { liable: 'scrub', cents: 900 },
      { liable: 'duber', cents: 300, deliveryId: 'there' },
      { liable: 'platform', cents: 0 },
    ],
    forgiven: [],
  });
});

test('a second decision moves what a side no longer bears to the platform, and gives the card only the difference', () => {
  const borne = [{ liable: 'scrub', userId: 'sara', cents: 900 }] as const;
  const items = [item('scrub', 400), item('platform', 700, { n: 2 })];
  const second = plan(items, { borne, givenCents: 900 });
  expect(second).toEqual({
    ok: true,
    missing: [{ liable: 'platform', cents: 200 }],
    forgiven: [{ liable: 'scrub', cents: 500, deliveryId: undefined }],
  });
  expect(second.ok && centsMovedBy(items, second, 900)).toBe(700);
});

test('a refund without a case may exceed the limit for an order', () => {
  const facts = { kind: 'refund', items: [], refundable: { left: 50_000, why: '' } } as const;
  expect(plan([item('scrub', 40_000)], facts)).toMatchObject({ ok: true });
});
