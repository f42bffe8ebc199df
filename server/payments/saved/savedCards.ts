import type { BudId } from '../../../domain/accounts.ts';
import { expiryOf } from '../../../domain/savedCards.ts';
import type { Context } from '../../context.ts';
import { type Tx, transact } from '../../db/database.ts';
import { refuse } from '../../http/refusals.ts';
import type { Handlers } from '../../http/routes.ts';
import { CardNetworkUnavailableError, type Declined, type Hold, type HoldRequest } from '../card/cards.ts';
import { addMs, retryDelayMs } from '../card/retry.ts';
import {
  type DueCard,
  deleteCustomer,
  endCard,
  findCardToCharge,
  findCustomer,
  insertCustomer,
  isStillSaved,
  listSavedCards,
  markSaved,
  postponeCard,
  postponeCustomer,
  startRemoval,
  takeDueCard,
  takeDueCustomer,
} from './savedCards.sql.ts';

export { hasMaximumOfCards, startRemovalOfAll } from './savedCards.sql.ts';

type CardCalls = Pick<Handlers, 'listSavedCards' | 'removeSavedCard'>;

export function savedCardHandlers({ db, now, wake }: Context): CardCalls {
  return {
    listSavedCards: async ({ caller }) => {
      const at = now();
      const cards = await listSavedCards(db, caller.id);
      return {
        items: cards.map(({ id, state, brand, last4, expMonth, expYear, savedAt }) => ({
          id,
          isSaved: state === 'saved',
          ...{ brand, last4, expMonth, expYear },
          expiry: expMonth === null || expYear === null ? ('fine' as const) : expiryOf({ expMonth, expYear }, at),
          savedAt: savedAt.toISOString(),
        })),
      };
    },
    removeSavedCard: async ({ caller, params }) => {
      if (!(await startRemoval(db, caller.id, params.id, now()))) refuse('notFound');
      wake('payments');
      return undefined;
    },
  };
}

/** What the card network charges. */
export type PaymentSource = { readonly sourceId: string; readonly customerId: string | null };

const CARD_ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Whether a source is the id of a saved card. A token of the card form has another shape. */
export const isSavedCard = (paymentSourceId: string): boolean => CARD_ID.test(paymentSourceId);

/** The source behind what a Bud pays with: a saved card of theirs, or a token of the card form. */
export async function resolveSource(db: Tx, bud: BudId, paymentSourceId: string): Promise<PaymentSource> {
  if (!isSavedCard(paymentSourceId)) return { sourceId: paymentSourceId, customerId: null };
  return (await findCardToCharge(db, bud, paymentSourceId)) ?? refuse('cardGone');
}

/** Holds an amount, unless the saved card that pays was removed since the payment began: then the card network is asked for nothing. */
export async function holdOnCard({ db, cards }: Context, request: HoldRequest): Promise<Hold | Declined> {
  const { sourceId, customerId } = request;
  if (customerId === null || (await isStillSaved(db, sourceId))) return cards.hold(request);
  return {
    ...{ kind: 'declined', code: 'CARD_REMOVED', cardFingerprint: null },
    reason: 'This card is not saved any more. Please choose another one.',
  };
}

/** Saves or removes one due card at the card network, or a Bud who has left; false when nothing was due. */
export async function processDueCard(context: Context): Promise<boolean> {
  const { db, now, cards } = context;
  const card = await takeDueCard(db, now());
  if (card) {
    const work = () => (card.state === 'saving' ? saveCard(context, card) : removeCard(context, card));
    await tryLeased(context, { about: { card: card.id }, ...card }, work, (dueAt) => postponeCard(db, card.id, dueAt));
    return true;
  }
  const customer = await takeDueCustomer(db, now());
  if (!customer) return false;
  const { budId, squareId, tries } = customer;
  const leave = async () => {
    await cards.onFile.deleteCustomer(squareId);
    await deleteCustomer(db, budId);
  };
  await tryLeased(context, { about: { bud: budId }, tries }, leave, (dueAt) => postponeCustomer(db, budId, dueAt));
  return true;
}

/** Does the work of a leased row. Without a clear answer of the card network the row is due again later. */
async function tryLeased(
  { now, log }: Context,
  { about, tries }: { readonly about: object; readonly tries: number },
  work: () => Promise<void>,
  postpone: (dueAt: Date) => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof CardNetworkUnavailableError)) throw error;
    log.warn({ ...about, err: error.cause }, 'the card network is unavailable, the saved card will be tried again');
    await postpone(addMs(now(), retryDelayMs(tries)));
  }
}

async function saveCard(context: Context, card: DueCard): Promise<void> {
  const { db, now, cards, log } = context;
  const { id, budId, paymentId } = card;
  const outcome = await cards.onFile.save({ id, paymentId, customerId: await ensureCustomer(context, budId) });
  if (outcome.kind === 'saved') return transact(db, (tx) => markSaved(tx, card, outcome, now()));
  log.warn({ card: id, reason: outcome.reason }, 'a card could not be saved');
  await endCard(db, id, card.state === 'removing' ? 'removed' : 'refused', now());
}

/** The answer to an earlier request to save the card may be lost: then the same request tells its id. */
async function removeCard(context: Context, card: DueCard): Promise<void> {
  const { db, now, cards } = context;
  const { id, squareCardId, mayBeSaved } = card;
  if (squareCardId === null && mayBeSaved) return saveCard(context, card);
  if (squareCardId !== null) await cards.onFile.remove(squareCardId);
  await endCard(db, id, 'removed', now());
}

async function ensureCustomer({ db, cards }: Context, bud: string): Promise<string> {
  const known = await findCustomer(db, bud);
  if (known !== undefined) return known;
  const made = await cards.onFile.createCustomer(bud);
  await insertCustomer(db, bud, made);
  return made;
}
