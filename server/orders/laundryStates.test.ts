import { describe, expect, test } from 'vitest';
import type { Order } from '../../contract/orders.ts';
import type { Caller } from '../../domain/accounts.ts';
import { DAY_MS } from '../../domain/durations.ts';
import { hasBagMoved, isAtScrub } from '../../domain/process/holder.ts';
import {
  DELIVERY_SITUATIONS,
  type DeliverySituation,
  factsOfOrder,
  situationOf,
  situationOfDelivery,
} from '../../domain/process/situation.ts';
import {
  AT_THE_DOOR,
  type Deliveries,
  FAR_AWAY,
  failureOf,
  OPERATOR,
  useDeliveries,
} from '../../testing/deliveries.ts';
import { holdTransaction } from '../../testing/holdTransaction.ts';
import { giveTimes } from '../../testing/orderTimes.ts';
import { RULE_DATABASES } from '../../testing/testServer.ts';
import { transact } from '../db/database.ts';
import { parseSerializedJson } from '../db/json.sql.ts';
import { onLaundryHandedOver } from '../handovers/handoverEffects.ts';
import { readPublicPrices } from '../payments/prices/prices.sql.ts';
import { setPolicy } from '../town/policies.sql.ts';
import { readCancellation } from './cancellation.ts';
import { factsOf, readDeliveries } from './orderFacts.sql.ts';
import { findOrder, readOrderJson } from './orders.sql.ts';
import { orderHandlers } from './orders.ts';
import { takeOrderStep } from './steps.ts';
import { listTouchedOrders } from './touched.sql.ts';

type Delivery = Awaited<ReturnType<Deliveries['openDelivery']>>;
/** Where the laundry is for the rules: still or again at its Bud's, moved, or at the Scrub's. */
type Where = 'home' | 'moved' | 'here';
type Way = readonly [
  name: string,
  situation: DeliverySituation,
  where: Where,
  lead: (deliveries: Deliveries) => Promise<Delivery>,
];

const WORDS = { reason: 'other', words: 'It is in the shop at the bridge.' };

/** What of an accepted order does not follow from its steps. */
const AS_ACCEPTED = {
  ...{ hasExpired: false, givenBackBy: null, weight: null, isCleanedAgain: false, isWithBud: false, wayHome: null },
} as const;

const openedAt = (steps: number) => (deliveries: Deliveries) => deliveries.openDelivery(steps);
async function failAtDrop(deliveries: Deliveries): Promise<Delivery> {
  const delivery = await deliveries.openDelivery(4);
  await deliveries.take(deliveries.alan, 'drop-failed', delivery.id, { reason: 'unsafe' });
  return delivery;
}
async function lose(deliveries: Deliveries): Promise<Delivery> {
  const delivery = await deliveries.openDelivery(4);
  await deliveries.take(deliveries.alan, 'report-lost', delivery.id, { words: 'It is gone.' });
  return delivery;
}
async function bringBack(deliveries: Deliveries): Promise<Delivery> {
  const delivery = await failAtDrop(deliveries);
  for (const action of ['bring-back', 'brought-back'] as const)
    await deliveries.take(deliveries.alan, action, delivery.id);
  return delivery;
}
async function relay(deliveries: Deliveries): Promise<Delivery> {
  const delivery = await deliveries.openDelivery(4);
  await deliveries.take(OPERATOR, 'relay', delivery.id, { reason: 'breakdown', place: FAR_AWAY });
  return delivery;
}
/** Goes on after a first part of the way. */
const then =
  (
    first: (deliveries: Deliveries) => Promise<Delivery>,
    next: (deliveries: Deliveries, delivery: Delivery) => Promise<unknown>,
  ) =>
  async (deliveries: Deliveries) => {
    const delivery = await first(deliveries);
    await next(deliveries, delivery);
    return delivery;
  };
const takeOver = then(relay, async ({ step, bob }, { id }) => {
  for (const action of ['accept-delivery', 'way-to-pickup', 'collected'] as const) await step(action, id, bob);
});
const failAtPickup = then(openedAt(2), ({ take, alan }, { id }) =>
  take(alan, 'pickup-failed', id, { reason: 'unsafe' }),
);

/** Every state of the way to the Scrub while the order is accepted. */
const WAYS: readonly Way[] = [
  ['nobody has taken it', 'waits-for-duber', 'home', openedAt(0)],
  ['a Duber has accepted it', 'coming', 'home', openedAt(1)],
  ['a Duber is on the way to the pickup', 'coming', 'home', openedAt(2)],
  [
    'a Duber is at the door of the pickup',
    'at-pickup',
    'home',
    then(openedAt(2), ({ take, alan }, { id }) => take(alan, 'arrived-at-pickup', id, { place: AT_THE_DOOR })),
  ],
  ['it was collected', 'carried', 'moved', openedAt(3)],
  ['it is on its way', 'carried', 'moved', openedAt(4)],
  [
    'a Duber is at the door of the Scrub',
    'at-drop',
    'moved',
    then(openedAt(4), ({ take, alan }, { id }) => take(alan, 'arrived-at-drop', id, { place: AT_THE_DOOR })),
  ],
  ['it has arrived', 'delivered', 'here', openedAt(5)],
  [
    'it has arrived, which was a mistake',
    'carried',
    'moved',
    then(openedAt(5), ({ take, alan }, { id }) => take(alan, 'correct', id)),
  ],
  ['it was not collected', 'not-collected', 'home', failAtPickup],
  [
    'it was not collected, and is offered again',
    'waits-for-duber',
    'home',
    then(failAtPickup, ({ take, bud }, { id }) => take(bud, 're-offer', id)),
  ],
  ['nobody took it', 'not-taken', 'moved', failAtDrop],
  [
    'its Duber tries again',
    'carried',
    'moved',
    then(failAtDrop, ({ take, alan }, { id }) => take(alan, 'try-again', id)),
  ],
  [
    'it is on the way back',
    'way-back',
    'moved',
    then(failAtDrop, ({ take, alan }, { id }) => take(alan, 'bring-back', id)),
  ],
  ['it was brought back', 'brought-back', 'home', bringBack],
  [
    'it was brought back, and is offered again',
    'waits-for-duber',
    'home',
    then(bringBack, ({ take, bud }, { id }) => take(bud, 're-offer', id)),
  ],
  ['it is lost', 'lost', 'moved', lose],
  [
    'it was lost, and is found',
    'carried',
    'moved',
    then(lose, ({ take, alan }, { id }) => take(alan, 'try-again', id)),
  ],
  [
    'it was lost, and its delivery called off',
    'lost',
    'moved',
    then(lose, ({ take }, { id }) => take(OPERATOR, 'call-off', id, { reason: 'lost' })),
  ],
  ['it waits with an earlier Duber', 'relayed', 'moved', relay],
  [
    'the next Duber did not get it',
    'relayed',
    'moved',
    then(relay, async ({ step, take, bob }, { id }) => {
      for (const action of ['accept-delivery', 'way-to-pickup'] as const) await step(action, id, bob);
      await take(bob, 'pickup-failed', id, { reason: 'unsafe' });
    }),
  ],
  ['the next Duber has it', 'carried', 'moved', takeOver],
  [
    'the next Duber lost it, and its delivery was called off',
    'lost',
    'moved',
    then(takeOver, async ({ take, bob }, { id }) => {
      await take(bob, 'report-lost', id, { words: 'It is gone.' });
      await take(OPERATOR, 'call-off', id, { reason: 'lost' });
    }),
  ],
  [
    'the next Duber brought it back, and its delivery was called off',
    'called-off',
    'home',
    then(takeOver, async ({ step, take, bob }, { id }) => {
      await step('way-to-drop', id, bob);
      await take(bob, 'drop-failed', id, { reason: 'unsafe' });
      for (const action of ['bring-back', 'brought-back'] as const) await take(bob, action, id);
      await take(OPERATOR, 'call-off', id, { reason: 'asked' });
    }),
  ],
  [
    'an earlier Duber has it, and its delivery was called off',
    'stranded',
    'moved',
    then(relay, ({ take }, { id }) => take(OPERATOR, 'call-off', id, WORDS)),
  ],
  [
    'the Scrub got it from an earlier Duber, whose delivery was called off',
    'stranded',
    'here',
    then(relay, async ({ take, context, now }, { id, orderId }) => {
      await take(OPERATOR, 'call-off', id, WORDS);
      await transact(context.db, (tx) => onLaundryHandedOver(tx, orderId, now()));
    }),
  ],
  [
    'its delivery was called off',
    'called-off',
    'home',
    then(openedAt(1), ({ take }, { id }) => take(OPERATOR, 'call-off', id, { reason: 'asked' })),
  ],
  [
    'its Bud brought it instead',
    'called-off',
    'here',
    then(openedAt(1), async ({ take, context, now }, { id, orderId }) => {
      await take(OPERATOR, 'call-off', id, { reason: 'asked' });
      await transact(context.db, (tx) => onLaundryHandedOver(tx, orderId, now()));
    }),
  ],
];

/** What the server answers to a step of an order, which is not kept. */
async function tryOut(
  deliveries: Deliveries,
  run: (tx: Deliveries['context']['db']) => Promise<unknown>,
): Promise<string> {
  const undone = new Error('undone');
  return holdTransaction(deliveries.context.db, async (tx) => {
    const outcome = await failureOf(run(tx));
    throw Object.assign(undone, { outcome: outcome.replace(/: .*/, '') });
  }).catch((error: unknown) => {
    if (error !== undone) throw error;
    return (error as unknown as { outcome: string }).outcome;
  });
}

describe.each(RULE_DATABASES)('what the people of an accepted order may do with its laundry, on %s', (kind) => {
  const deliveries = useDeliveries(kind);

  const readOrder = async (caller: Caller, id: string): Promise<Order> =>
    parseSerializedJson(
      (await readOrderJson(caller as never, id, deliveries.now()).run(deliveries.context.db)) as never,
    );
  const leave = (caller: object, action: 'cancel-accepted' | 'give-back', id: string) =>
    tryOut(deliveries, (tx) =>
      takeOrderStep({ ...deliveries.context, db: tx }, caller as never, { id, action, ...WORDS }),
    );
  const start = (id: string) =>
    tryOut(deliveries, (tx) =>
      orderHandlers({ ...deliveries.context, db: tx })['start-order']({
        caller: deliveries.scrub,
        params: { id },
      } as never),
    );
  const setStart = (value: 'open' | 'careful') =>
    setPolicy(deliveries.context.db, { name: 'start', value, setBy: 'Olga' }, deliveries.now());

  test.each(WAYS)(
    'a closure reads whether the laundry can still stay with its Bud as a move does, when %s',
    async (...way) => {
      const [, , , lead] = way;
      const { orderId } = await lead(deliveries);
      const { db } = deliveries.context;
      const at = deliveries.now();
      const { pickup } = await giveTimes(db, orderId, at);
      const order = (await findOrder(db, deliveries.bud, orderId)) ?? expect.unreachable();
      const { hasPickupBegun } = factsOf(order, await readDeliveries(db, orderId));
      const span = { from: at, until: new Date(at.getTime() + 7 * DAY_MS) };
      const touched = (await listTouchedOrders(db, { span }, 1_000)).find(({ id }) => id === orderId);
      expect(touched).toMatchObject({
        isAtBud: !hasPickupBegun,
        isPickupTouched: !hasPickupBegun,
        pickupFrom: pickup.from,
      });
    },
  );

  test.each(WAYS)('the server takes what their screens show when %s', async (_name, situation, where, lead) => {
    const { orderId } = await lead(deliveries);
    await setStart('careful');
    try {
      for (const caller of [deliveries.bud, deliveries.scrub]) {
        const order = await readOrder(caller, orderId);
        expect(order.deliveries.map(situationOfDelivery)).toEqual([situation]);
        expect(order.deliveries.map((delivery) => delivery.situation)).toEqual([situation]);
        expect([order.situation, order.way]).toEqual([situationOf(factsOfOrder(order, AS_ACCEPTED)), 'there']);
        expect([hasBagMoved(order), isAtScrub(order)]).toEqual([where !== 'home', where === 'here']);
        const left = where === 'home' ? 'taken' : 'laundryMoved';
        expect(await leave(deliveries.bud, 'cancel-accepted', orderId)).toBe(left);
        expect(await leave(deliveries.scrub, 'give-back', orderId)).toBe(left);
        expect(await start(orderId)).toBe(where === 'here' ? 'taken' : 'laundryNotHere');
        const { isPossible } = await readCancellation(deliveries.context.db, deliveries.bud as never, orderId);
        expect(isPossible).toBe(where === 'home');
      }
    } finally {
      deliveries.pass(1_000);
      await setStart('open');
    }
  });

  test('the configuration tells whether a town starts only with laundry', async () => {
    const startsWithLaundry = async () =>
      (await readPublicPrices(deliveries.context.db, deliveries.now())).startsWithLaundry;
    expect(await startsWithLaundry()).toBe(false);
    await setStart('careful');
    expect(await startsWithLaundry()).toBe(true);
    deliveries.pass(1_000);
    await setStart('open');
    expect(await startsWithLaundry()).toBe(false);
  });
});

test('every situation of a delivery is among those states', () => {
  expect([...new Set(WAYS.map(([, situation]) => situation))].toSorted()).toEqual([...DELIVERY_SITUATIONS].toSorted());
});
