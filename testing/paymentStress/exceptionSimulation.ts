import { sql } from 'kysely';
import { v7 as newId } from 'uuid';
import type { DeliveryAction } from '../../domain/deliveries.ts';
import { type Database, queryRow, queryRows, type Tx, transact } from '../../server/db/database.ts';
import { deliveryHandlers } from '../../server/deliveries/deliveries.ts';
import {
  holdCredits,
  payDuber,
  releaseCredits,
  releaseOrder,
  settleOrder,
  undoPays,
} from '../../server/payments/pays.ts';
import { chooseWeighted, type Random } from '../random.ts';
import { type Simulation, tryCall } from './simulation.ts';
import type { Users } from './users.ts';

type Duber = Users['dubers'][number];
type Leg = { id: string; attempt: number; duberId: string | null; price: number };

const TO_PICKUP = ['accept-delivery', 'way-to-pickup'] as const;
const TO_SCRUB = [...TO_PICKUP, 'collected', 'way-to-drop', 'delivered'] as const;

/**
 * What does not go as planned with an accepted order: trips, relays, corrections, deliveries and orders that are called off.
 * The steps are those of the workflow: compare-and-swap and money in one transaction. Their calls are tested elsewhere.
 */
export async function simulateException(simulation: Simulation, orderId: string, duber: Duber): Promise<void> {
  const { random } = simulation;
  const leg = await findLeg(simulation, orderId);
  const course = chooseWeighted(random, { cancel: 3, trip: 2, relay: 2, correct: 3, callOff: 2, hold: 1 });
  if (course === 'cancel' || leg === undefined) {
    if (leg !== undefined && random() < 0.5) await carry(simulation, leg, duber, TO_PICKUP);
    await Promise.all([callOffOrder(simulation, orderId), callOffOrder(simulation, orderId)]);
    return;
  }
  if (course === 'trip') await carry(simulation, leg, duber, TO_PICKUP);
  if (course === 'relay') await carry(simulation, leg, duber, [...TO_PICKUP, 'collected']);
  if (course === 'trip' || course === 'relay') await startOver(simulation, leg, course);
  if (course === 'callOff') await callOffLeg(simulation, orderId, leg);
  if (course === 'hold') await holdAndRelease(simulation, orderId, duber);
  if (course !== 'correct') return;
  await carry(simulation, leg, duber, TO_SCRUB);
  await Promise.all([correct(simulation, leg), correct(simulation, leg)]);
  if (random() < 0.5) await carry(simulation, leg, duber, ['delivered']);
}

const inTransaction = <T>(simulation: Simulation, work: (tx: Tx, at: Date) => Promise<T>): Promise<T | undefined> =>
  tryCall(() => {
    const { db, now } = simulation.context();
    return transact(db, (tx) => work(tx, now()));
  });

const findLeg = (simulation: Simulation, orderId: string): Promise<string | undefined> =>
  tryCall(async () => {
    const legs = simulation.context().db.selectFrom('deliveries').select('id').where('order_id', '=', orderId);
    return (await legs.executeTakeFirst())?.id;
  });

async function carry(
  simulation: Simulation,
  id: string,
  duber: Duber,
  steps: readonly DeliveryAction[],
): Promise<void> {
  for (const step of steps) {
    await tryCall(() => deliveryHandlers(simulation.context())[step]({ caller: duber, params: { id } } as never));
  }
}

async function callOffOrder(simulation: Simulation, orderId: string): Promise<void> {
  await inTransaction(simulation, async (tx, at) => {
    const ended = await queryRow(
      tx,
      sql`update orders set status = 'Cancelled' where id = ${orderId} and status = 'Accepted' returning id`,
    );
    if (!ended) return;
    const onTheWay = await queryRows<Leg>(
      tx,
      sql`select id, attempt, duber_id as "duberId", price from deliveries
        where order_id = ${orderId} and status = 'Way_To_Pick' for update`,
    );
    await queryRows(
      tx,
      sql`update deliveries set status = 'Called_Off' where order_id = ${orderId}
        and status in ('Pending', 'Accepted', 'Way_To_Pick')`,
    );
    for (const leg of onTheWay) await pay(tx, { orderId, leg, kind: 'trip', cents: leg.price }, at);
    await releaseOrder(tx, orderId, at);
  });
}

type SomePay = { orderId: string; leg: Leg; kind: 'trip' | 'relay'; cents: number };
async function pay(tx: Tx, { orderId, leg, kind, cents }: SomePay, at: Date): Promise<void> {
  const { id: deliveryId, attempt, duberId } = leg;
  if (duberId !== null)
    await payDuber(tx, { deliveryId, orderId, attempt, duberId, kind, cents, borneBy: 'order' }, at);
}

/** A pickup without laundry, or a Duber who cannot go on: the delivery is offered again. */
async function startOver(simulation: Simulation, id: string, kind: 'trip' | 'relay'): Promise<void> {
  const from = kind === 'trip' ? 'Way_To_Pick' : 'Collected';
  await inTransaction(simulation, async (tx, at) => {
    const leg = await queryRow<Leg & { orderId: string }>(
      tx,
      sql`select id, order_id as "orderId", attempt, duber_id as "duberId", price from deliveries
        where id = ${id} and status = ${from} for update`,
    );
    if (!leg) return;
    const cents = kind === 'trip' ? leg.price : Math.floor(simulation.random() * leg.price);
    await queryRows(
      tx,
      sql`update deliveries set status = 'Pending', duber_id = null, attempt = attempt + 1,
        price = price - ${kind === 'relay' ? cents : 0}::int where id = ${id}`,
    );
    await pay(tx, { orderId: leg.orderId, leg, kind, cents }, at);
  });
}

async function callOffLeg(simulation: Simulation, orderId: string, id: string): Promise<void> {
  await inTransaction(simulation, async (tx, at) => {
    const ended = await queryRow(
      tx,
      sql`update deliveries set status = 'Called_Off' where id = ${id} and status = 'Pending' returning id`,
    );
    if (ended) await settleOrder(tx, orderId, at);
  });
}

async function correct(simulation: Simulation, id: string): Promise<void> {
  await inTransaction(simulation, correctDelivery(id));
}

const correctDelivery = (id: string) => async (tx: Tx, at: Date) => {
  const corrected = await queryRow<{ attempt: number }>(
    tx,
    sql`update deliveries set status = 'Way_To_Drop', attempt = attempt + 1
      where id = ${id} and status = 'Delivered' returning attempt - 1 as attempt`,
  );
  if (corrected) await undoPays(tx, { deliveryId: id, attempt: corrected.attempt }, at);
};

async function holdAndRelease(simulation: Simulation, orderId: string, duber: Duber): Promise<void> {
  const { random } = simulation;
  const leg = await findLeg(simulation, orderId);
  if (leg !== undefined) await carry(simulation, leg, duber, TO_SCRUB);
  const hold = { orderId, account: 'duber', userId: duber.id, reason: 'case', caseId: newId() } as const;
  const cents = 1 + Math.floor(random() * 700);
  await inTransaction(simulation, (tx, at) => holdCredits(tx, { ...hold, cents }, at));
  if (random() < 0.7) await inTransaction(simulation, (tx, at) => releaseCredits(tx, hold, at));
}

const MAX_CORRECTIONS = 25;

/** Takes back deliveries that were paid out, and makes half of them again. */
export async function correctAfterPayout(database: Database['db'], at: Date, random: Random): Promise<void> {
  const paid = await queryRows<{ id: string; duberId: string }>(
    database,
    sql`select distinct d.id, d.duber_id as "duberId" from deliveries d join pays p on p.delivery_id = d.id
        join payout_lines k on k.entry_id = p.entry_id
      where d.status = 'Delivered' and not exists (select from deliveries a where a.duber_id = d.duber_id
        and a.status in ('Accepted', 'Way_To_Pick', 'Collected', 'Way_To_Drop', 'Way_Back'))
      order by d.id limit ${MAX_CORRECTIONS}`,
  );
  const onePerDuber = new Map(paid.map((leg) => [leg.duberId, leg]));
  for (const { id, duberId } of onePerDuber.values()) {
    await transact(database, (tx) => correctDelivery(id)(tx, at));
    if (random() < 0.5) continue;
    await transact(database, async (tx) => {
      const leg = await queryRow<Leg & { orderId: string }>(
        tx,
        sql`update deliveries set status = 'Delivered' where id = ${id}
          returning attempt, price, order_id as "orderId"`,
      );
      if (!leg) return;
      const { orderId, attempt, price: cents } = leg;
      await payDuber(tx, { deliveryId: id, orderId, attempt, duberId, kind: 'leg', cents, borneBy: 'order' }, at);
    });
  }
}
