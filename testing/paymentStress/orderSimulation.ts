import { sql } from 'kysely';
import { v7 as newId } from 'uuid';
import type { Context } from '../../server/context.ts';
import { queryRow, queryRows, transact } from '../../server/db/database.ts';
import { parseSerializedJson } from '../../server/db/json.sql.ts';
import { deliveryHandlers } from '../../server/deliveries/deliveries.ts';
import { Refusal } from '../../server/http/refusals.ts';
import { orderHandlers } from '../../server/orders/orders.ts';
import { applyWebhookHint, recordWebhookEvent } from '../../server/payments/webhooks.sql.ts';
import { requestRefund } from '../../server/payments/refunds.ts';
import { chooseWeighted, type Random } from '../random.ts';
import { Killed } from './killableServer.ts';
import type { Bud, Users } from './users.ts';

/** A bug of ours, planted to see that the audit finds it. */
export type PlantedPaymentBug = 'no key' | 'a new key for a retry' | 'capture before commit';

export type Simulation = {
  readonly plantedBug: PlantedPaymentBug | undefined;
  readonly random: Random;
  readonly users: Users;
  readonly now: () => Date;
  readonly advanceClock: (ms: number) => void;
  /** The servers that are alive; a dead one is replaced at once. */
  readonly context: () => Context;
};

/** What a call gave, or undefined when it was refused, or its server died under it. */
export async function tryCall<T>(call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    const away =
      error instanceof Killed || error instanceof Refusal || /terminated|Connection|been destroyed/.test(String(error));
    if (away) return undefined;
    throw error;
  }
}

const PLACE_ATTEMPTS = 6;

/** One order's life: placed with a key until an answer comes, then whatever its people feel like. */
export async function simulateOrder(world: Simulation, wish: string): Promise<void> {
  const { random, users: people } = world;
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
  const [bud, scrub, duber] = [pick(people.buds), pick(people.scrubs), pick(people.dubers)];
  const id = await placeOrder(world, bud, scrub.id, wish);
  if (id === undefined) return;
  const params = { id };
  const by = (action: 'accept-order' | 'reject-order' | 'start-order' | 'complete-order') =>
    tryCall(() => orderHandlers(world.context())[action]({ caller: scrub, params } as never));
  const cancel = () => tryCall(() => orderHandlers(world.context())['cancel-order']({ caller: bud, params } as never));
  const course = chooseWeighted(random, { accept: 50, cancel: 12, reject: 8, race: 15, silence: 5, refund: 10 });
  if (random() < 0.3) await receiveWebhookTwice(world, id);
  if (course === 'cancel') await cancel();
  if (course === 'reject') await by('reject-order');
  if (course === 'race') await Promise.all([acceptOrder(world, id, scrub), cancel(), by('reject-order')]);
  if (course !== 'accept' && course !== 'refund') return;
  await acceptOrder(world, id, scrub);
  if (random() < 0.5) {
    await by('start-order');
    await by('complete-order');
    await carryDeliveries(world, id, duber);
  }
  if (course === 'refund') await refundOrder(world, id);
  if (random() < 0.3) await receiveWebhookTwice(world, id);
}

async function placeOrder(world: Simulation, bud: Bud, scrubId: string, wish: string): Promise<string | undefined> {
  const { random } = world;
  const card = chooseWeighted(random, { ok: 90, declined: 10 });
  const asked = {
    caller: bud,
    body: {
      budAddressId: bud.addressId,
      scrubId,
      loadSize: chooseWeighted(random, { Small: 1, Medium: 1, Large: 1 }),
      selfDelivery: random() < 0.3,
      selfPickup: random() < 0.3,
      orderInstructions: wish,
      paymentSourceId: `cnon:card-nonce-${card}`,
    },
    idempotencyKey: wish,
  };
  const patience = random() < 0.15 ? 1 : PLACE_ATTEMPTS;
  for (let attempt = 0; attempt < patience; attempt += 1) {
    const twice = random() < 0.1;
    const call = () => tryCall(() => orderHandlers(world.context()).placeOrder(asked as never));
    const [order] = (await Promise.all(twice ? [call(), call()] : [call()])).filter((answer) => answer !== undefined);
    if (order) return parseSerializedJson(order).id;
  }
  return undefined;
}

async function acceptOrder(world: Simulation, id: string, scrub: Users['scrubs'][number]): Promise<void> {
  await tryCall(async () => {
    const deps = world.context();
    if (world.plantedBug === 'capture before commit') {
      const held = await queryRow<{ squareId: string; versionToken: string; amount: number }>(
        deps.db,
        sql`select square_id as "squareId", version_token as "versionToken", amount from payments where order_id = ${id}`,
      );
      if (held) await deps.cards.capture({ orderId: id, ...held }).catch(() => undefined);
    }
    return orderHandlers(deps)['accept-order']({ caller: scrub, params: { id } } as never);
  });
}

async function carryDeliveries(world: Simulation, orderId: string, duber: Users['dubers'][number]): Promise<void> {
  const legs = await tryCall(() =>
    queryRows<{ id: string }>(world.context().db, sql`select id from deliveries where order_id = ${orderId}`),
  );
  for (const params of legs ?? []) {
    for (const action of ['accept-delivery', 'way-to-pickup', 'collected', 'way-to-drop', 'delivered'] as const) {
      await tryCall(() => deliveryHandlers(world.context())[action]({ caller: duber, params } as never));
    }
  }
}

async function refundOrder(world: Simulation, orderId: string): Promise<void> {
  for (const amount of [100, 250]) {
    const wish = {
      orderId,
      amount,
      liable: chooseWeighted(world.random, { platform: 1, scrub: 1 }),
      reason: 'a torn shirt',
    };
    await tryCall(() => requestRefund(world.context(), wish));
  }
}

/** A webhook's event about an order, true or not, and twice. */
async function receiveWebhookTwice(world: Simulation, orderId: string): Promise<void> {
  const event = { eventId: newId(), type: 'payment.updated', squareId: null, orderId };
  for (let times = 0; times < 2; times += 1) {
    await tryCall(() => {
      const { db, now } = world.context();
      return transact(db, async (tx) => {
        if (await recordWebhookEvent(tx, event, now())) await applyWebhookHint(tx, event, now());
      });
    });
  }
}
