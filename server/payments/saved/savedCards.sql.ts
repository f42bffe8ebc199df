import { sql } from 'kysely';
import type { BudId } from '../../../domain/accounts.ts';
import { MAX_SAVED_CARDS, type SavedCardState } from '../../../domain/savedCards.ts';
import type { Tx } from '../../db/database.ts';
import type { CardOnFile } from '../card/cards.ts';
import { addMs, LEASE_MS } from '../card/retry.ts';

/** The cards that a Bud sees as theirs. */
const KEPT: readonly SavedCardState[] = ['saving', 'saved'];

/** What a row has while its card waits for its removal. */
const removing = (now: Date) => ({ state: 'removing', tries: 0, due_at: now, updated_at: now }) as const;

/** What a row has once the card network does not have its card: only the consent stays. */
const ended = (state: 'refused' | 'removed', now: Date) => ({
  ...{ square_card_id: null, brand: null, last4: null, exp_month: null, exp_year: null },
  ...{ state, tries: 0, due_at: null, updated_at: now },
});

/** The cards of a Bud, the one used last first. */
export function listSavedCards(tx: Tx, bud: BudId) {
  return tx
    .selectFrom('saved_cards')
    .select(['id', 'state', 'brand', 'last4', 'exp_month as expMonth', 'exp_year as expYear', 'created_at as savedAt'])
    .where('bud_id', '=', bud)
    .where('state', 'in', KEPT)
    .orderBy('used_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_SAVED_CARDS)
    .execute();
}

export async function hasMaximumOfCards(tx: Tx, bud: BudId): Promise<boolean> {
  return (await listSavedCards(tx, bud)).length >= MAX_SAVED_CARDS;
}

/** What the card network charges for a saved card; undefined for a card that is not the Bud's, or not saved. */
export async function findCardToCharge(tx: Tx, bud: BudId, id: string) {
  return tx
    .selectFrom('saved_cards as s')
    .innerJoin('card_customers as c', 'c.bud_id', 's.bud_id')
    .select(['s.square_card_id as sourceId', 'c.square_id as customerId'])
    .where('s.id', '=', id)
    .where('s.bud_id', '=', bud)
    .where('s.state', '=', 'saved')
    .$narrowType<{ sourceId: string }>()
    .executeTakeFirst();
}

/** Whether a card has not been removed since a payment chose it. */
export async function isStillSaved(tx: Tx, squareCardId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('saved_cards')
    .select('id')
    .where('square_card_id', '=', squareCardId)
    .where('state', '=', 'saved')
    .executeTakeFirst();
  return row !== undefined;
}

/** Schedules the removal of a card: from now on nothing new is charged to it. False for a card that is not there. */
export async function startRemoval(tx: Tx, bud: BudId, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('saved_cards')
    .set(removing(now))
    .where('id', '=', id)
    .where('bud_id', '=', bud)
    .where('state', 'in', KEPT)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Schedules the removal of all cards of a Bud, and of the Bud at the card network. */
export async function startRemovalOfAll(tx: Tx, bud: string, now: Date): Promise<void> {
  await tx.updateTable('saved_cards').set(removing(now)).where('bud_id', '=', bud).where('state', 'in', KEPT).execute();
  await tx.updateTable('card_customers').set({ tries: 0, due_at: now }).where('bud_id', '=', bud).execute();
}

export type DueCard = NonNullable<Awaited<ReturnType<typeof takeDueCard>>>;

/** Leases the card that is due longest. `mayBeSaved`: the card network may have been asked for it before. */
export function takeDueCard(tx: Tx, now: Date) {
  return tx
    .updateTable('saved_cards as s')
    .set((eb) => ({
      due_at: addMs(now, LEASE_MS),
      tries: eb('s.tries', '+', 1),
      is_asked: sql<boolean>`s.is_asked or s.state = 'saving'`,
      updated_at: now,
    }))
    .where('s.id', '=', ({ selectFrom }) =>
      selectFrom('saved_cards')
        .select('id')
        .where('due_at', '<=', now)
        .orderBy('due_at')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returning([
      's.id',
      's.bud_id as budId',
      's.state',
      's.tries',
      's.square_card_id as squareCardId',
      's.is_asked as mayBeSaved',
      's.square_payment_id as paymentId',
    ])
    .executeTakeFirst();
}

/**
 * Keeps what the card network has saved. A card that was removed meanwhile is removed there next. The card network may give a card that it
 * has already the same id: then one of the two rows ends, and the card stays at the card network.
 */
export async function markSaved(tx: Tx, { id }: Pick<DueCard, 'id'>, card: CardOnFile, now: Date): Promise<void> {
  const { squareCardId, brand, last4, expMonth, expYear } = card;
  const rows = await tx
    .selectFrom('saved_cards')
    .select(['id', 'bud_id as bud', 'state'])
    .where((eb) => eb.or([eb('id', '=', id), eb('square_card_id', '=', squareCardId)]))
    .orderBy('id')
    .forUpdate()
    .execute();
  const own = rows.find((row) => row.id === id);
  const twin = rows.find((row) => row.id !== id);
  if (own?.state !== 'saving' && own?.state !== 'removing') return;
  if (own.state === 'removing' && twin?.state === 'saved') return endCard(tx, id, 'removed', now);
  if (twin) await tx.updateTable('saved_cards').set(ended('removed', now)).where('id', '=', twin.id).execute();
  const isSaved = own.state === 'saving';
  await tx
    .updateTable('saved_cards')
    .set({ square_card_id: squareCardId, brand, last4, exp_month: expMonth, exp_year: expYear })
    .set(isSaved ? { state: 'saved', tries: 0, due_at: null, updated_at: now } : removing(now))
    .where('id', '=', id)
    .execute();
  if (isSaved) await removeEqualCards(tx, { id, bud: own.bud, card }, now);
}

/** The same card, saved once more, takes the place of the earlier one. */
async function removeEqualCards(
  tx: Tx,
  { id, bud, card }: { readonly id: string; readonly bud: string; readonly card: CardOnFile },
  now: Date,
): Promise<void> {
  await tx
    .updateTable('saved_cards')
    .set(removing(now))
    .where('bud_id', '=', bud)
    .where('id', '<>', id)
    .where('state', '=', 'saved')
    .where('brand', 'is not distinct from', card.brand)
    .where('last4', 'is not distinct from', card.last4)
    .where('exp_month', 'is not distinct from', card.expMonth)
    .where('exp_year', 'is not distinct from', card.expYear)
    .execute();
}

/** Ends a card: the card network does not have it, or not any more. */
export async function endCard(tx: Tx, id: string, state: 'refused' | 'removed', now: Date): Promise<void> {
  await tx
    .updateTable('saved_cards')
    .set(ended(state, now))
    .where('id', '=', id)
    .where('state', 'in', ['saving', 'removing'])
    .execute();
}

export async function postponeCard(tx: Tx, id: string, dueAt: Date): Promise<void> {
  await tx
    .updateTable('saved_cards')
    .set({ due_at: dueAt })
    .where('id', '=', id)
    .where('due_at', 'is not', null)
    .execute();
}

export async function findCustomer(tx: Tx, bud: string): Promise<string | undefined> {
  const row = await tx.selectFrom('card_customers').select('square_id').where('bud_id', '=', bud).executeTakeFirst();
  return row?.square_id;
}

/** Another worker may have been faster: the card network has given both the same id. */
export async function insertCustomer(tx: Tx, bud: string, squareId: string): Promise<void> {
  await tx
    .insertInto('card_customers')
    .values({ bud_id: bud, square_id: squareId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Leases a Bud who is to be deleted at the card network, once none of their cards is there any more. */
export function takeDueCustomer(tx: Tx, now: Date) {
  return tx
    .updateTable('card_customers as c')
    .set((eb) => ({ due_at: addMs(now, LEASE_MS), tries: eb('c.tries', '+', 1) }))
    .where('c.bud_id', '=', ({ selectFrom }) =>
      selectFrom('card_customers as due')
        .select('due.bud_id')
        .where('due.due_at', '<=', now)
        .where(({ not, exists, selectFrom: from }) =>
          not(
            exists(
              from('saved_cards as s')
                .select('s.id')
                .whereRef('s.bud_id', '=', 'due.bud_id')
                .where('s.due_at', 'is not', null),
            ),
          ),
        )
        .orderBy('due.due_at')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['c.bud_id as budId', 'c.square_id as squareId', 'c.tries'])
    .executeTakeFirst();
}

export async function deleteCustomer(tx: Tx, bud: string): Promise<void> {
  await tx.deleteFrom('card_customers').where('bud_id', '=', bud).where('due_at', 'is not', null).execute();
}

export async function postponeCustomer(tx: Tx, bud: string, dueAt: Date): Promise<void> {
  await tx
    .updateTable('card_customers')
    .set({ due_at: dueAt })
    .where('bud_id', '=', bud)
    .where('due_at', 'is not', null)
    .execute();
}
