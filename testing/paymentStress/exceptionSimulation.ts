import { sql } from 'kysely';
import { v7 as newId } from 'uuid';
import type { OrderExceptionAction } from '../../domain/orders.ts';
import type { Context } from '../../server/context.ts';
import { queryRows } from '../../server/db/database.ts';
import { orderExceptionHandlers } from '../../server/orders/orderExceptions.ts';
import { orderHandlers } from '../../server/orders/orders.ts';
import { chooseWeighted, type Random } from '../random.ts';
import { storePhoto } from '../sentPhotos.ts';
import { carry, type Duber, listDeliveries, report, TO_DROP, TO_PICKUP, TO_THE_END } from './deliverySimulation.ts';
import { type Simulation, tryAgain } from './simulation.ts';
import { takeTownAct } from './townSimulation.ts';
import { type Bud, LOCATION, type Users } from './users.ts';

type Scrub = Users['scrubs'][number];
export type People = { readonly bud: Bud; readonly scrub: Scrub; readonly duber: Duber };
/** A delivery and its people. */
type Trip = People & { readonly orderId: string; readonly id: string };

const ON_THE_WAY = { latitude: LOCATION.latitude + 0.01, longitude: LOCATION.longitude };
const WORDS = { words: 'Said in the storm.' };

export const pickOne = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
const both = (step: () => Promise<unknown>) => Promise.all([step(), step()]);

/** What does not go as planned with an accepted order. Returns its Scrub, who may be another one afterwards. */
export async function simulateException(simulation: Simulation, orderId: string, people: People): Promise<Scrub> {
  const { random } = simulation;
  const course = chooseWeighted(random, { cancel: 4, giveBack: 3, trip: 12 });
  if (course === 'giveBack') return giveBack(simulation, orderId, people);
  const delivery = (await listDeliveries(simulation, orderId)).at(-1);
  if (course === 'cancel' || delivery === undefined) {
    if (delivery && random() < 0.5) await carry(simulation, delivery.id, people.duber, TO_PICKUP);
    await callOffOrder(simulation, orderId, people.bud);
  } else {
    await simulateTrip(simulation, { ...people, orderId, id: delivery.id });
  }
  return people.scrub;
}

/** What does not go as planned with the way back to the Bud. */
export async function simulateLastTrip(simulation: Simulation, orderId: string, people: People): Promise<void> {
  const id = (await listDeliveries(simulation, orderId)).at(-1)?.id;
  if (id !== undefined) await simulateTrip(simulation, { ...people, orderId, id });
}

const COURSES = { failedPickup, leave, relay, comeBack, lose, callOff, correct };

async function simulateTrip(simulation: Simulation, trip: Trip): Promise<void> {
  const weights = { failedPickup: 4, leave: 1, relay: 3, comeBack: 3, lose: 2, callOff: 2, correct: 3 };
  await COURSES[chooseWeighted(simulation.random, weights)](simulation, trip);
}

async function takeOrderCall(
  simulation: Simulation,
  caller: Bud | Scrub,
  action: OrderExceptionAction,
  { id, ...body }: { readonly id: string } & Record<string, unknown>,
): Promise<boolean> {
  const input = { caller, params: { id }, body, idempotencyKey: newId() };
  const answer = await tryAgain(() => orderExceptionHandlers(simulation.context())[action](input as never));
  return answer !== undefined;
}

/** The Bud or the town ends the order, or both at once. */
async function callOffOrder(simulation: Simulation, orderId: string, bud: Bud): Promise<void> {
  const byBud = () => takeOrderCall(simulation, bud, 'cancel-accepted', { id: orderId, reason: 'too-slow' });
  const byTown = () =>
    takeTownAct(simulation, 'order-cancel-by-operator', orderId, { why: 'fraud', wayHome: 'fetch', ...WORDS });
  const course = chooseWeighted(simulation.random, { bud: 2, both: 1, town: 1 });
  if (course === 'bud') await both(byBud);
  else if (course === 'town') await both(byTown);
  else await Promise.all([byBud(), byTown()]);
}

/** The Scrub gives the order back, and the Bud chooses another one, who mostly accepts. */
async function giveBack(simulation: Simulation, orderId: string, { bud, scrub }: People): Promise<Scrub> {
  const { random, users } = simulation;
  await (random() < 0.7
    ? both(() => takeOrderCall(simulation, scrub, 'give-back', { id: orderId, reason: 'ill' }))
    : takeTownAct(simulation, 'order-give-back', orderId, { why: 'ill', ...WORDS }));
  // A Bud who does not choose gets the money back after some hours.
  if (random() < 0.2) return scrub;
  const next = pickOne(random, users.scrubs);
  if (!(await takeOrderCall(simulation, bud, 'choose-scrub', { id: orderId, scrubId: next.id }))) return scrub;
  const input = { caller: next, params: { id: orderId }, idempotencyKey: newId() };
  const step = random() < 0.9 ? 'accept-order' : 'reject-order';
  await tryAgain(() => orderHandlers(simulation.context())[step](input as never));
  return next;
}

/** Nobody opens, or it is not safe there: the trip is paid. Then the delivery is offered again, or called off. */
async function failedPickup(simulation: Simulation, trip: Trip): Promise<void> {
  const { random } = simulation;
  const { id, bud, duber } = trip;
  await carry(simulation, id, duber, TO_PICKUP);
  await report(simulation, duber, 'arrived-at-pickup', { id, place: LOCATION });
  const waits = random() < 0.6 && simulation.waitAtDoor();
  const photo = waits ? await tryAgain(() => storeOne(simulation.context(), duber.id)) : undefined;
  const body = photo ? { reason: 'nobody-home', fileIds: [photo] } : { reason: 'unsafe', ...WORDS };
  await both(() => report(simulation, duber, 'pickup-failed', { id, ...body }));
  const next = chooseWeighted(random, { bud: 3, town: 2, callOff: 2, correct: 1, none: 1 });
  if (next === 'bud') await both(() => report(simulation, bud, 're-offer', { id }));
  if (next === 'town') await takeTownAct(simulation, 'delivery-re-offer', id, { why: 'asked', ...WORDS });
  if (next === 'callOff') await takeTownAct(simulation, 'delivery-call-off', id, { why: 'asked', ...WORDS });
  if (next === 'correct') await report(simulation, duber, 'correct', { id });
}

const storeOne = ({ db, now }: Context, owner: string) => storePhoto(db, owner, now());

/** The Duber leaves before the pickup, or is taken off. */
async function leave(simulation: Simulation, { id, duber }: Trip): Promise<void> {
  await carry(simulation, id, duber, TO_PICKUP);
  await (simulation.random() < 0.5
    ? both(() => report(simulation, duber, 'drop-delivery', { id, reason: 'breakdown' }))
    : both(() => takeTownAct(simulation, 'delivery-take-off', id, { why: 'silent', ...WORDS })));
}

/** The Duber cannot go on, and another one does, from where the laundry is. */
async function relay(simulation: Simulation, { id, duber }: Trip): Promise<void> {
  const { random, users } = simulation;
  await carry(simulation, id, duber, TO_DROP.slice(0, random() < 0.5 ? 3 : 4));
  const body = { why: 'breakdown', ...WORDS, place: random() < 0.8 ? ON_THE_WAY : LOCATION };
  await both(() => takeTownAct(simulation, 'delivery-relay', id, body));
  if (random() < 0.8) await carry(simulation, id, pickOne(random, users.dubers), TO_THE_END);
}

/** Nobody takes the laundry: it goes back, or the Duber tries once more. */
async function comeBack(simulation: Simulation, { id, bud, duber }: Trip): Promise<void> {
  const { random } = simulation;
  await carry(simulation, id, duber, TO_DROP);
  await report(simulation, duber, 'arrived-at-drop', { id, place: LOCATION });
  await both(() => report(simulation, duber, 'drop-failed', { id, reason: 'unsafe', ...WORDS }));
  const isByTown = random() < 0.3;
  const mark = (action: 'mark-delivered' | 'brought-back') =>
    takeTownAct(simulation, `delivery-${action}`, id, { why: 'no-phone', ...WORDS });
  if (random() < 0.3) {
    await report(simulation, duber, 'try-again', { id });
    if (isByTown) return void (await both(() => mark('mark-delivered')));
    return carry(simulation, id, duber, ['delivered']);
  }
  await report(simulation, duber, 'bring-back', { id });
  await both(() => (isByTown ? mark('brought-back') : report(simulation, duber, 'brought-back', { id })));
  const next = chooseWeighted(random, { bud: 3, callOff: 2, none: 1 });
  if (next === 'bud') await report(simulation, bud, 're-offer', { id });
  if (next === 'callOff') await takeTownAct(simulation, 'delivery-call-off', id, { why: 'asked', ...WORDS });
}

/** The laundry is lost, and may be found. */
async function lose(simulation: Simulation, { orderId, id, duber }: Trip): Promise<void> {
  await carry(simulation, id, duber, TO_DROP);
  await both(() => report(simulation, duber, 'report-lost', { id, ...WORDS }));
  const next = chooseWeighted(simulation.random, { found: 2, callOff: 2, end: 2, none: 1 });
  if (next === 'found') {
    await report(simulation, duber, 'try-again', { id });
    await carry(simulation, id, duber, ['delivered']);
  }
  if (next === 'callOff') await takeTownAct(simulation, 'delivery-call-off', id, { why: 'lost', ...WORDS });
  if (next === 'end')
    await takeTownAct(simulation, 'order-cancel-by-operator', orderId, { why: 'lost', wayHome: 'lost', ...WORDS });
}

async function callOff(simulation: Simulation, { id }: Trip): Promise<void> {
  await both(() => takeTownAct(simulation, 'delivery-call-off', id, { why: 'asked', ...WORDS }));
}

/** "Delivered" was pressed by mistake. */
async function correct(simulation: Simulation, { id, duber }: Trip): Promise<void> {
  await carry(simulation, id, duber, TO_THE_END);
  await Promise.all([
    report(simulation, duber, 'correct', { id }),
    simulation.random() < 0.5
      ? report(simulation, duber, 'correct', { id })
      : takeTownAct(simulation, 'delivery-correct', id, { why: 'mistake', ...WORDS }),
  ]);
  if (simulation.random() < 0.7) await carry(simulation, id, duber, ['delivered']);
}

const MAX_CORRECTIONS = 25;

/** Operators take back deliveries that were paid out, and Dubers make half of them again. */
export async function correctAfterPayout(context: Context, random: Random): Promise<void> {
  const paid = await queryRows<{ id: string; duberId: string }>(
    context.db,
    sql`select distinct d.id, d.duber_id as "duberId" from deliveries d join earnings p on p.delivery_id = d.id
        join payout_lines k on k.entry_id = p.entry_id
      where d.status = 'Delivered' order by d.id limit ${MAX_CORRECTIONS}`,
  );
  const simulation = { context: () => context };
  for (const { id, duberId } of new Map(paid.map((delivery) => [delivery.duberId, delivery])).values()) {
    await takeTownAct(simulation, 'delivery-correct', id, { why: 'mistake', ...WORDS });
    if (random() < 0.5)
      await carry(simulation as Simulation, id, { role: 'Duber', id: duberId } as Duber, ['delivered']);
  }
}
