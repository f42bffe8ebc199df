import { randomInt } from 'node:crypto';
import type { Caller } from '../../domain/accounts.ts';
import { BAG_CODE_CHARACTERS, BAG_CODE_LENGTH } from '../../domain/handovers.ts';
import { ORDER_GROUPS } from '../../domain/orders.ts';
import type { Context } from '../context.ts';
import { type Tx, transact } from '../db/database.ts';
import { orNotFound, refuse } from '../http/refusals.ts';
import type { Handlers } from '../http/routes.ts';
import { readPublicTown } from '../town/identity.sql.ts';
import { findBag, findOwnBag, insertBags, isBeforePickup, listBags, type NewBag } from './bags.sql.ts';
import { findCustodyOrder, lockOrder } from './handovers.sql.ts';

type BagCalls = Pick<Handlers, 'makeBags' | 'readBag' | 'readOwnBag'>;

export function bagHandlers(context: Context): BagCalls {
  const { db, now, config, rateLimits } = context;
  return {
    makeBags: async ({ caller, params, body }) => {
      const tags = await transact(db, (tx) => makeBags(tx, { caller, orderId: params.id, bags: body.bags }, now()));
      return { tags: tags.map(({ code, n }) => ({ code, n, url: `${config.publicUrl}/b/${code}` })) };
    },
    readBag: async ({ params, from }) => {
      await rateLimits.countSecretAttempt(from);
      const { code } = orNotFound(await findBag(db, params.code));
      const { supportEmail, phone } = await readPublicTown(context);
      return { code, supportEmail, ...(phone ? { supportPhone: phone } : {}) };
    },
    readOwnBag: async ({ caller, params, from }) => {
      await rateLimits.countSecretAttempt(from);
      return orNotFound(await findOwnBag(db, caller, params.code));
    },
  };
}

const createBagCode = () =>
  Array.from({ length: BAG_CODE_LENGTH }, () => BAG_CODE_CHARACTERS[randomInt(BAG_CODE_CHARACTERS.length)]).join('');

/**
 * The tags of an order's bags, after those up to `bags` were made that it did not have. A Duber gets only their own, before
 * they collect it: to know the others, they have to see the bags.
 */
async function makeBags(
  tx: Tx,
  { caller, orderId, bags }: { caller: Caller; orderId: string; bags: number },
  now: Date,
): Promise<readonly NewBag[]> {
  const { status } = orNotFound(await findCustodyOrder(tx, caller, orderId, now));
  await lockOrder(tx, orderId);
  if (ORDER_GROUPS[status] === 'cancelled') refuse('wrongStatus');
  if (caller.role === 'Duber' && !(await isBeforePickup(tx, caller, orderId))) refuse('wrongStatus');
  for (;;) {
    const made = (await listBags(tx, orderId)).filter(({ n }) => n <= bags);
    const missing = Array.from({ length: bags }, (_, index) => index + 1).filter(
      (n) => !made.some((bag) => bag.n === n),
    );
    if (missing.length === 0)
      return made
        .filter(({ madeBy }) => caller.role !== 'Duber' || madeBy === caller.id)
        .map(({ code, n }) => ({ code, n }));
    // A code that another order has already is tried again.
    await insertBags(tx, { orderId, madeBy: caller.id, bags: missing.map((n) => ({ n, code: createBagCode() })) }, now);
  }
}
