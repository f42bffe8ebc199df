import { v7 as newId } from 'uuid';
import { transact } from '../../server/db/database.ts';
import { parseSerializedJson } from '../../server/db/json.sql.ts';
import { deliveryHandlers } from '../../server/deliveries/deliveries.ts';
import { orderHandlers } from '../../server/orders/orders.ts';
import { requestRefund } from '../../server/payments/refunds.ts';
import { applyWebhookHint, recordWebhookEvent } from '../../server/payments/webhooks.sql.ts';
import { chooseWeighted, type Random } from '../random.ts';
import { simulateException } from './exceptionSimulation.ts';
import { type Simulation, tryCall } from './simulation.ts';
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
  const params = { id };
  const takeScrubStep = (action: 'accept-order' | 'reject-order' | 'start-order' | 'complete-order') =>
    tryCall(() => orderHandlers(simulation.context())[action]({ caller: scrub, params } as never));
  const cancel = () =>
    tryCall(() => orderHandlers(simulation.context())['cancel-order']({ caller: bud, params } as never));
  const course = chooseWeighted(random, { accept: 50, cancel: 12, reject: 8, race: 15, silence: 5, refund: 10 });
  if (random() < 0.3) await receiveWebhookTwice(simulation, id);
  if (course === 'cancel') await cancel();
  if (course === 'reject') await takeScrubStep('reject-order');
  if (course === 'race')
    await Promise.all([acceptOrder(simulation, id, scrub), cancel(), takeScrubStep('reject-order')]);
  if (course !== 'accept' && course !== 'refund') return;
  await acceptOrder(simulation, id, scrub);
  const moment = course === 'refund' ? chooseWeighted(random, { first: 1, meanwhile: 1, last: 1 }) : undefined;
  if (moment === 'first') await refundOrder(simulation, id);
  if (random() < 0.3) await simulateException(simulation, id, duber);
  if (random() < 0.5) {
    await takeScrubStep('start-order');
    await weighAndAnswer(simulation, id, { bud, scrub, bring: () => carryDeliveries(simulation, id, duber) });
    const refund = moment === 'meanwhile' ? refundOrder(simulation, id) : undefined;
    await takeScrubStep('complete-order');
    await carryDeliveries(simulation, id, duber);
    await refund;
  }
  if (moment === 'last') await refundOrder(simulation, id);
  if (random() < 0.3) await receiveWebhookTwice(simulation, id);
}

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

async function acceptOrder(simulation: Simulation, id: string, scrub: Users['scrubs'][number]): Promise<void> {
  await tryCall(() => orderHandlers(simulation.context())['accept-order']({ caller: scrub, params: { id } } as never));
}

async function carryDeliveries(simulation: Simulation, orderId: string, duber: Users['dubers'][number]): Promise<void> {
  const legs = await tryCall(() =>
    simulation.context().db.selectFrom('deliveries').select('id').where('order_id', '=', orderId).execute(),
  );
  for (const params of legs ?? []) {
    for (const action of ['accept-delivery', 'way-to-pickup', 'collected', 'way-to-drop', 'delivered'] as const) {
      await tryCall(() => deliveryHandlers(simulation.context())[action]({ caller: duber, params } as never));
    }
  }
}

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
