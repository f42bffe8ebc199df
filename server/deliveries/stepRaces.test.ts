import { describe, expect, test } from 'vitest';
import { AT_THE_DOOR, type Deliveries, failureOf, OPERATOR, useDeliveries } from '../../testing/deliveries.ts';
import { holdTransaction } from '../../testing/holdTransaction.ts';
import { waitForLockWaits } from '../../testing/lockWaits.ts';
import { handoverHandlers } from '../handovers/handovers.ts';
import { lockDelivery, readDeliveryFacts } from './facts.sql.ts';
import { callOffDeliveries, takeDeliveryStep } from './steps.ts';

type Racer = (deliveries: Deliveries, id: string) => Promise<unknown>;

const RACERS = 8;
const drop: Racer = ({ take, alan }, id) => take(alan, 'drop-delivery', id, { reason: 'ill' });
const takeOff: Racer = ({ take }, id) => take(OPERATOR, 'take-off', id, { reason: 'asked' });
const arrive: Racer = ({ take, alan }, id) => take(alan, 'arrived-at-pickup', id, { place: AT_THE_DOOR });
const fail: Racer = ({ take, alan }, id) => take(alan, 'drop-failed', id, { reason: 'unsafe' });
const mark: Racer = ({ take }, id) => take(OPERATOR, 'mark-delivered', id, { reason: 'no-phone' });
const deliver: Racer = ({ step }, id) => step('delivered', id);
const undo: Racer = ({ take, alan }, id) => take(alan, 'correct', id);
const collect: Racer = ({ step }, id) => step('collected', id);
const accept: Racer = ({ step, bob }, id) => step('accept-delivery', id, bob);
const callOff: Racer = ({ context, now }, id) =>
  holdTransaction(context.db, async (tx) => {
    // As the step of the order does that ends it.
    await lockDelivery(tx, id);
    const delivery = tx.selectFrom('deliveries').select('order_id').where('id', '=', id);
    const { order_id: orderId } = await delivery.executeTakeFirstOrThrow();
    await callOffDeliveries(tx, orderId, { reason: 'order-ended', cause: 'bud' }, now());
  });

/** What eight do at once to a delivery, of which some may succeed; and what it may be afterwards. */
const RACES: readonly [name: string, steps: number, racers: readonly Racer[], ends: RegExp][] = [
  ['drop, take-off and arrived', 2, [drop, takeOff, arrive], /^Pending 2 false$/],
  ['two arrivals', 2, [arrive], /^Way_To_Pick 1 false$/],
  ['arrived and collected', 2, [arrive, collect], /^Collected 1 true$/],
  ['failed and delivered', 4, [fail, deliver], /^(Failed 1 true|Delivered 1 false)$/],
  ['delivered and marked as delivered', 4, [deliver, mark], /^Delivered 1 false$/],
  ['failed and marked as delivered', 4, [fail, mark], /^(Failed 1 true|Delivered 1 false)$/],
  ['two undos', 5, [undo], /^Way_To_Drop 2 true$/],
  ['undo and collected', 3, [undo, collect], /^(Way_To_Pick [2-5] false|Collected [2-5] true)$/],
  ['call-off and collected', 2, [callOff, collect], /^(Called_Off 1 false|Collected 1 true)$/],
  ['call-off and accept', 0, [callOff, accept], /^(Called_Off 1 false|Accepted 1 false)$/],
];

describe('eight at once', () => {
  const deliveries = useDeliveries('postgres');

  test.each(RACES)(
    '%s: each step once, and the delivery as the last one left it',
    async (_name, steps, racers, ends) => {
      for (let round = 0; round < 3; round += 1) {
        const { id, orderId, price } = await deliveries.openDelivery(steps);
        const all = Array.from({ length: RACERS }, (_, index) => racers[index % racers.length] as Racer);
        const outcomes = await Promise.all(all.map((racer) => failureOf(racer(deliveries, id))));
        expect(outcomes.some((outcome) => outcome.startsWith('taken'))).toBe(true);
        const {
          status,
          attempt,
          has_laundry: hasLaundry,
        } = await deliveries.context.db
          .selectFrom('deliveries')
          .select(['status', 'attempt', 'has_laundry'])
          .where('id', '=', id)
          .executeTakeFirstOrThrow();
        expect(`${status} ${attempt} ${hasLaundry}`).toMatch(ends);
        const { actions, last } = await deliveries.context.db
          .selectFrom('steps')
          .select(({ fn }) => [fn.countAll<string>().as('actions'), fn.max('position').as('last')])
          .where('subject_id', '=', id)
          .executeTakeFirstOrThrow();
        expect(Number(actions)).toBe(last + 1);
        const isPaid = status === 'Delivered' || (status === 'Called_Off' && steps === 2);
        if (steps !== 5) expect(await deliveries.earned(orderId)).toBe(isPaid ? price : 0);
        await deliveries.endAll();
      }
    },
  );

  test('laundry that nobody took, or that is lost, beside "I have 1 bag": one of both is true', async () => {
    const { take, alan, scrub, context } = deliveries;
    const handovers = handoverHandlers(context);
    const press = (orderId: string) =>
      handovers.confirmReceived({ caller: scrub, params: { id: orderId }, body: { bags: 1 } } as never);
    const racers = [fail, (_: Deliveries, id: string) => take(alan, 'report-lost', id, { words: 'It is gone.' })];
    for (const racer of [...racers, ...racers]) {
      const { id, orderId } = await deliveries.openDelivery(4);
      const all = Array.from({ length: RACERS }, (_, index) =>
        failureOf(index % 2 ? press(orderId) : racer(deliveries, id)),
      );
      await Promise.all(all);
      const asked = { id, action: 'report-lost' } as const;
      const delivery = await readDeliveryFacts(context.db, alan, asked, context.now());
      expect([
        ['Failed', false],
        ['Way_To_Drop', true],
      ]).toContainEqual([delivery?.status, delivery?.isTaken]);
      await deliveries.endAll();
    }
  });

  test('a step that is taken back, sent eight times with one key, is answered eight times as taken', async () => {
    const { id } = await deliveries.openDelivery(5);
    const requestKey = Buffer.from('one press');
    const send = () => failureOf(deliveries.take(deliveries.alan, 'correct', id, { requestKey }));
    const outcomes = await Promise.all(Array.from({ length: RACERS }, send));
    expect(new Set(outcomes).size).toBe(1);
    expect(outcomes[0]).toMatch(/^taken/);
    await deliveries.endAll();
  });

  test.each([
    ['collected', collect],
    ['take-off', takeOff],
    ['arrived', arrive],
  ])('%s waits for an arrival that is not finished, and is not lost', async (action, racer) => {
    const { context, alan } = deliveries;
    const { id } = await deliveries.openDelivery(2);
    const { outcome } = await holdTransaction(context.db, async (tx) => {
      const arrival = { id, action: 'arrived-at-pickup', place: AT_THE_DOOR } as const;
      await takeDeliveryStep({ ...context, db: tx }, alan, arrival);
      const racing = failureOf(racer(deliveries, id));
      await waitForLockWaits(context.db);
      return { outcome: racing };
    });
    expect(await outcome).toMatch(action === 'arrived' ? /^wrongStatus$/ : /^taken/);
    await deliveries.endAll();
  });
});
