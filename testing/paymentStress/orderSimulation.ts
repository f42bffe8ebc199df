import { v7 as newId } from 'uuid';
import { transact } from '../../server/db/database.ts';
import { parseSerializedJson } from '../../server/db/json.sql.ts';
import { orderHandlers } from '../../server/orders/orders.ts';
import { applyWebhookHint, recordWebhookEvent } from '../../server/payments/reconcile/webhooks.sql.ts';
import { requestRefund } from '../../server/payments/refunds/refunds.ts';
import { chooseWeighted, type Random } from '../random.ts';
import { claim } from './claimSimulation.ts';
import { carryAll } from './deliverySimulation.ts';
import { type People, simulateException, simulateLastTrip } from './exceptionSimulation.ts';
import { type Simulation, tryAgain, tryCall } from './simulation.ts';
import { takeTownAct } from './townSimulation.ts';
import type { Bud, Users } from './users.ts';
import { weighAndAnswer } from './weighedSimulation.ts';

const PLACE_ATTEMPTS = 6;

/** Simulates one order: places it, retrying with the same key, then takes random steps. `name` tells orders apart. */
export async function simulateOrder(simulation: Simulation, name: string): Promise<void> {
  const { random, users } = simulation;
  const pick = <T>(list: readonly T[]) => chooseOne(random, list);
  const [bud, scrub, duber] = [pick(users.buds), pick(users.scrubs), pick(users.dubers)];
  const id = await placeOrder(simulation, bud, scrub.id, name);
  if (id === undefined) return;
  const reject = () => takeScrubStep(simulation, id, scrub, 'reject-order');
  const cancel = () =>
    tryCall(() => orderHandlers(simulation.context())['cancel-order']({ caller: bud, params: { id } } as never));
  const course = chooseWeighted(random, { accept: 50, cancel: 12, reject: 8, race: 15, silence: 5, refund: 10 });
  if (random() < 0.3) await receiveWebhookTwice(simulation, id);
  if (course === 'cancel') await cancel();
  if (course === 'reject') await reject();
  const accept = () => takeScrubStep(simulation, id, scrub, 'accept-order');
  if (course === 'race') await Promise.all([accept(), cancel(), reject()]);
  if (course !== 'accept' && course !== 'refund') return;
  await accept();
  const moment = course === 'refund' ? chooseWeighted(random, { first: 1, meanwhile: 1, last: 1 }) : undefined;
  if (moment === 'first') await refundOrder(simulation, id);
  const people = { bud, scrub, duber };
  const isUnplanned = random() < 0.3;
  const last = isUnplanned ? await simulateException(simulation, id, people) : scrub;
  if (random() < 0.5) await clean(simulation, id, { ...people, scrub: last, hasRefund: moment === 'meanwhile' });
  if (moment === 'last') await refundOrder(simulation, id);
  if (random() < 0.3) await receiveWebhookTwice(simulation, id);
}

const takeScrubStep = (
  simulation: Simulation,
  id: string,
  scrub: Users['scrubs'][number],
  action: 'accept-order' | 'reject-order' | 'start-order' | 'complete-order',
) => tryAgain(() => orderHandlers(simulation.context())[action]({ caller: scrub, params: { id } } as never));

/** The laundry is washed and brought back, and its Bud may claim something, or the town has it cleaned again. */
async function clean(
  simulation: Simulation,
  id: string,
  { hasRefund, ...people }: People & { readonly hasRefund: boolean },
): Promise<void> {
  const { random } = simulation;
  const { bud, scrub, duber } = people;
  const bring = () => carryAll(simulation, id, duber);
  await takeScrubStep(simulation, id, scrub, 'start-order');
  await weighAndAnswer(simulation, id, { bud, scrub, bring });
  const refund = hasRefund ? refundOrder(simulation, id) : undefined;
  await takeScrubStep(simulation, id, scrub, 'complete-order');
  if (random() < 0.15) await simulateLastTrip(simulation, id, people);
  await bring();
  await refund;
  if (random() < 0.45) await claim(simulation, id, bud);
  if (random() < 0.2) await takeTownAct(simulation, 'order-reopen', id, { why: 'not-clean', ...payerOf(random) });
}

const payerOf = (random: Random) => ({ waysPaidBy: random() < 0.5 ? ('scrub' as const) : ('platform' as const) });

async function placeOrder(
  simulation: Simulation,
  bud: Bud,
  scrubId: string,
  name: string,
): Promise<string | undefined> {
  const { random } = simulation;
  const card = chooseWeighted(random, {
    'card-nonce-ok': 80,
    // Its hold cannot be lowered.
    'gift-card-nonce-ok': 10,
    'card-nonce-declined': 10,
  });
  const request = {
    caller: bud,
    body: {
      budAddressId: bud.addressId,
      scrubId,
      loadSize: chooseWeighted(random, { Small: 1, Medium: 1, Large: 1 }),
      selfDelivery: random() < 0.3,
      selfPickup: random() < 0.3,
      orderInstructions: name,
      paymentSourceId: `cnon:${card}`,
      ...(random() < 0.3 ? { promoCode: chooseOne(random, simulation.promoCodes) } : {}),
      ...(simulation.isWeighing() && random() < 0.6 ? { ceilingSize: 'Large' } : {}),
    },
    idempotencyKey: name,
    from: '127.0.0.1',
  };
  const maxAttempts = random() < 0.15 ? 1 : PLACE_ATTEMPTS;
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const isDoubled = random() < 0.1;
    const call = () => tryCall(() => orderHandlers(simulation.context()).placeOrder(request as never));
    const [order] = (await Promise.all(isDoubled ? [call(), call()] : [call()])).filter(
      (result) => result !== undefined,
    );
    if (order) return parseSerializedJson(order).id;
  }
  return undefined;
}

const chooseOne = <T>(random: Random, list: readonly T[]) => list[Math.floor(random() * list.length)] as T;

async function refundOrder(simulation: Simulation, orderId: string): Promise<void> {
  // Without an amount, all that is left.
  for (const amount of simulation.random() < 0.5 ? [100, 250] : [250, undefined]) {
    const request = {
      orderId,
      ...(amount === undefined ? {} : { amount }),
      liable: chooseWeighted(simulation.random, { platform: 1, scrub: 1 }),
      reason: 'a torn shirt',
    };
    await tryCall(() => requestRefund(simulation.context(), request));
  }
}

/** Delivers a webhook event about an order twice, whether or not anything changed. */
async function receiveWebhookTwice(simulation: Simulation, orderId: string): Promise<void> {
  const event = { eventId: newId(), type: 'payment.updated', squareId: null, orderId };
  for (let times = 0; times < 2; times += 1) {
    await tryCall(() => {
      const { db, now } = simulation.context();
      return transact(db, async (tx) => {
        if (await recordWebhookEvent(tx, event, now())) await applyWebhookHint(tx, event, now());
      });
    });
  }
}
