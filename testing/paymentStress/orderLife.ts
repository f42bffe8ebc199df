import { sql } from 'kysely';
import { v7 as newId } from 'uuid';
import type { Deps } from '../../server/context.ts';
import { row, rows, transact } from '../../server/db/database.ts';
import { whatSays } from '../../server/db/json.sql.ts';
import { deliveryHandlers } from '../../server/deliveries/deliveries.ts';
import { Refusal } from '../../server/http/refusals.ts';
import { orderHandlers } from '../../server/orders/orders.ts';
import { followHint, noteEvent } from '../../server/payments/reconciliation.sql.ts';
import { writeRefund } from '../../server/payments/refunds.ts';
import { choose, type Random } from '../random.ts';
import { Killed } from './killableServer.ts';
import type { Bud, People } from './people.ts';

/** A bug of ours, planted to see that the audit finds it. */
export type Plant = 'no key' | 'a new key for a retry' | 'capture before commit';

export type World = {
  readonly plant: Plant | undefined;
  readonly random: Random;
  readonly people: People;
  readonly now: () => Date;
  readonly wait: (ms: number) => void;
  /** The servers that are alive; a dead one is replaced at once. */
  readonly deps: () => Deps;
};

/** What a call gave, or undefined when it was refused, or its server died under it. */
export async function survive<T>(call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    const away =
      error instanceof Killed || error instanceof Refusal || /terminated|Connection|been destroyed/.test(String(error));
    if (away) return undefined;
    throw error;
  }
}

const PLACE_TRIES = 6;

/** One order's life: placed with a key until an answer comes, then whatever its people feel like. */
export async function live(world: World, wish: string): Promise<void> {
  const { random, people } = world;
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
  const [bud, scrub, duber] = [pick(people.buds), pick(people.scrubs), pick(people.dubers)];
  const id = await place(world, bud, scrub.id, wish);
  if (id === undefined) return;
  const params = { id };
  const by = (action: 'accept-order' | 'reject-order' | 'start-order' | 'complete-order') =>
    survive(() => orderHandlers(world.deps())[action]({ caller: scrub, params } as never));
  const cancel = () => survive(() => orderHandlers(world.deps())['cancel-order']({ caller: bud, params } as never));
  const course = choose(random, { accept: 50, cancel: 12, reject: 8, race: 15, silence: 5, refund: 10 });
  if (random() < 0.3) await hint(world, id);
  if (course === 'cancel') await cancel();
  if (course === 'reject') await by('reject-order');
  if (course === 'race') await Promise.all([accept(world, id, scrub), cancel(), by('reject-order')]);
  if (course !== 'accept' && course !== 'refund') return;
  await accept(world, id, scrub);
  if (random() < 0.5) {
    await by('start-order');
    await by('complete-order');
    await carry(world, id, duber);
  }
  if (course === 'refund') await refund(world, id);
  if (random() < 0.3) await hint(world, id);
}

async function place(world: World, bud: Bud, scrubId: string, wish: string): Promise<string | undefined> {
  const { random } = world;
  const card = choose(random, { ok: 90, declined: 10 });
  const asked = {
    caller: bud,
    body: {
      budAddressId: bud.addressId,
      scrubId,
      loadSize: choose(random, { Small: 1, Medium: 1, Large: 1 }),
      selfDelivery: random() < 0.3,
      selfPickup: random() < 0.3,
      orderInstructions: wish,
      paymentSourceId: `cnon:card-nonce-${card}`,
    },
    idempotencyKey: wish,
  };
  const patience = random() < 0.15 ? 1 : PLACE_TRIES;
  for (let attempt = 0; attempt < patience; attempt += 1) {
    const twice = random() < 0.1;
    const call = () => survive(() => orderHandlers(world.deps()).placeOrder(asked as never));
    const [order] = (await Promise.all(twice ? [call(), call()] : [call()])).filter((answer) => answer !== undefined);
    if (order) return whatSays(order).id;
  }
  return undefined;
}

async function accept(world: World, id: string, scrub: People['scrubs'][number]): Promise<void> {
  await survive(async () => {
    const deps = world.deps();
    if (world.plant === 'capture before commit') {
      const held = await row<{ squareId: string; versionToken: string; amount: number }>(
        deps.db,
        sql`select square_id as "squareId", version_token as "versionToken", amount from payments where order_id = ${id}`,
      );
      if (held) await deps.cards.capture({ orderId: id, ...held }).catch(() => undefined);
    }
    return orderHandlers(deps)['accept-order']({ caller: scrub, params: { id } } as never);
  });
}

async function carry(world: World, orderId: string, duber: People['dubers'][number]): Promise<void> {
  const legs = await survive(() =>
    rows<{ id: string }>(world.deps().db, sql`select id from deliveries where order_id = ${orderId}`),
  );
  for (const params of legs ?? []) {
    for (const action of ['accept-delivery', 'way-to-pickup', 'collected', 'way-to-drop', 'delivered'] as const) {
      await survive(() => deliveryHandlers(world.deps())[action]({ caller: duber, params } as never));
    }
  }
}

async function refund(world: World, orderId: string): Promise<void> {
  for (const amount of [100, 250]) {
    const wish = { orderId, amount, liable: choose(world.random, { platform: 1, scrub: 1 }), reason: 'a torn shirt' };
    await survive(() => writeRefund(world.deps(), wish));
  }
}

/** A webhook's event about an order, true or not, and twice. */
async function hint(world: World, orderId: string): Promise<void> {
  const event = { eventId: newId(), type: 'payment.updated', squareId: null, orderId };
  for (let times = 0; times < 2; times += 1) {
    await survive(() => {
      const { db, now } = world.deps();
      return transact(db, async (tx) => {
        if (await noteEvent(tx, event, now())) await followHint(tx, event, now());
      });
    });
  }
}
