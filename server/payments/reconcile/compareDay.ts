import { readNetworkState } from '../../../domain/disputes.ts';
import { type DayDifference, type DaySum, dayOf, MAX_DIFFERENCES } from '../../../domain/reconciledDays.ts';
import type { Context } from '../../context.ts';
import {
  type CardNetworkCharge,
  type CardNetworkDispute,
  type CardNetworkRefund,
  CardNetworkUnavailableError,
  type DayBounds,
} from '../card/cards.ts';
import { UnclearAnswerError } from '../card/squareAnswers.ts';
import {
  beginOfEntries,
  listOurCharges,
  listOurDisputes,
  listOurRefunds,
  type OurMovement,
  readSliceOfDay,
} from './dayMovements.sql.ts';
import { type DayProgress, findListedBefore, recheckOlderResult } from './reconciledDays.sql.ts';

const OURS_PAGE = 50;

/** `listed` are the ids of the page. */
type Compared = { readonly progress: DayProgress; readonly listed: readonly string[]; readonly isDone: boolean };

const NEXT_PART = { charges: 'refunds', refunds: 'disputes', disputes: 'ours' } as const;

type Listed = { readonly squareId: string };
type Page<Item extends Listed> = { readonly items: readonly Item[]; readonly cursor?: string | undefined };

/** Compares a page of a day, after what was compared `before`. */
export async function compareNextPage(context: Context, bounds: DayBounds, before: DayProgress): Promise<Compared> {
  const { db, cards } = context;
  const progress = { ...before, pages: before.pages + 1 };
  const { part, cursor, run } = progress;
  if (part === 'ours') return compareUnseen(context, bounds, progress);
  const comparePage = async <Item extends Listed>(
    page: Page<Item>,
    compare: (items: readonly Item[]) => Promise<DayProgress>,
  ): Promise<Compared> => {
    if (page.cursor !== undefined && page.cursor === cursor) throw unclear('its lists do not end');
    const compared = await compare(await dropListedBefore(db, run, page.items));
    const next = { part: page.cursor === undefined ? NEXT_PART[part] : part, cursor: page.cursor };
    return { progress: { ...compared, ...next }, listed: page.items.map(({ squareId }) => squareId), isDone: false };
  };
  if (part === 'charges')
    return comparePage(await cards.lists.charges(bounds, cursor), (items) => compareCharges(db, progress, items));
  if (part === 'refunds')
    return comparePage(await cards.lists.refunds(bounds, cursor), (items) => compareRefunds(db, progress, items));
  const { disputes, cursor: next } = await cards.disputes.list(cursor);
  return comparePage({ items: disputes, cursor: next }, (items) =>
    compareDisputes(
      db,
      progress,
      items.filter(({ createdAt }) => isWithin(bounds, createdAt)),
    ),
  );
}

const unclear = (why: string) => new CardNetworkUnavailableError(new UnclearAnswerError(why));

/** Each id counts once: a list may move on while its pages are read. */
async function dropListedBefore<Item extends Listed>(tx: Tx, run: string, items: readonly Item[]): Promise<Item[]> {
  const before = await findListedBefore(tx, run, idsOf(items));
  const fresh = new Map(items.filter(({ squareId }) => !before.has(squareId)).map((item) => [item.squareId, item]));
  return [...fresh.values()];
}

const isWithin = ({ begin, end }: DayBounds, at: Date | null) => at !== null && at >= begin && at < end;

/**
 * Compares the payments that only the ledger has on this day. The card network may have them on another day, because its answer
 * came late: then they are compared on that day.
 */
async function compareUnseen(context: Context, bounds: DayBounds, before: DayProgress): Promise<Compared> {
  const after = before.after ?? beginOfEntries(bounds);
  const { unseen, last } = await readSliceOfDay(context.db, bounds, { run: before.run, after, limit: OURS_PAGE });
  let progress = before;
  for (const movement of unseen) progress = await compareMovement(context, bounds, progress, movement);
  return { progress: { ...progress, after: last }, listed: [], isDone: last === undefined };
}

async function compareMovement(
  context: Context,
  bounds: DayBounds,
  progress: DayProgress,
  movement: OurMovement,
): Promise<DayProgress> {
  const { db, cards } = context;
  const { kind, squareId, paymentId } = movement;
  if (kind === 'captured') {
    const found = await cards.lists.findCharge(squareId);
    if (found?.at && (await isOfAnotherDay(context, bounds, found.at, movement))) return progress;
    return compareCharges(db, progress, [found?.at ? found : { squareId, at: null, amount: 0, fee: 0 }]);
  }
  if (kind === 'refunded') {
    const found = await cards.lists.findRefund(squareId);
    if (found && (await isOfAnotherDay(context, bounds, found.at, movement))) return progress;
    const none = { squareId, paymentId, at: bounds.begin, amount: 0, isMade: false };
    return compareRefunds(db, progress, [found ?? none]);
  }
  return compareDisputes(db, progress, [{ squareId, paymentId, amount: 0, state: '' }]);
}

/**
 * Whether the card network has it on another day. One that was compared before the ledger knew of it is compared again: a refund may
 * be under way for days.
 */
async function isOfAnotherDay(
  { db, now }: Context,
  bounds: DayBounds,
  at: Date,
  { at: since }: OurMovement,
): Promise<boolean> {
  if (isWithin(bounds, at)) return false;
  await recheckOlderResult(db, { day: dayOf(at), since }, now());
  return true;
}

type Tx = Context['db'];

async function compareCharges(tx: Tx, before: DayProgress, items: readonly CardNetworkCharge[]): Promise<DayProgress> {
  const ours = new Map((await listOurCharges(tx, idsOf(items))).map((row) => [row.squareId, row]));
  return items.reduce((progress, { squareId, at, amount, fee }) => {
    const found = ours.get(squareId);
    const of = { squareId, orderId: found?.orderId ?? null };
    const charged = { what: 'charged', ...of, ours: found?.charged ?? 0, theirs: amount } as const;
    const fees = { what: 'fees', ...of, ours: found?.fees ?? 0, theirs: fee } as const;
    return add(add(at === null ? progress : count(progress, 'charged'), charged), fees);
  }, before);
}

async function compareRefunds(tx: Tx, before: DayProgress, items: readonly CardNetworkRefund[]): Promise<DayProgress> {
  const ids = items.map(({ squareId, paymentId }) => ({ squareId, paymentId }));
  const ours = new Map((await listOurRefunds(tx, ids)).map((row) => [row.squareId, row]));
  return items.reduce((progress, { squareId, paymentId, amount, isMade }) => {
    const found = ours.get(squareId);
    const of = { what: 'refunded', squareId: paymentId, orderId: found?.orderId ?? null } as const;
    const compared = add(progress, { ...of, ours: found?.refunded ?? 0, theirs: isMade ? amount : 0 });
    return isMade ? count(compared, 'refunded') : compared;
  }, before);
}

type Contested = Pick<CardNetworkDispute, 'squareId' | 'paymentId' | 'amount' | 'state'>;

async function compareDisputes(tx: Tx, before: DayProgress, items: readonly Contested[]): Promise<DayProgress> {
  const ours = new Map((await listOurDisputes(tx, idsOf(items))).map((row) => [row.squareId, row]));
  return items.reduce((progress, { squareId, paymentId, amount, state }) => {
    const found = ours.get(squareId);
    const { isTaken, outcome } = readNetworkState(state);
    const theirs = isTaken && outcome !== 'won' ? amount : 0;
    const of = { what: 'disputed', squareId: paymentId, orderId: found?.orderId ?? null } as const;
    const compared = add(progress, { ...of, ours: found?.disputed ?? 0, theirs });
    return state === '' ? compared : count(compared, 'disputed');
  }, before);
}

const idsOf = (items: readonly Listed[]) => items.map(({ squareId }) => squareId);

const count = (progress: DayProgress, what: keyof DayProgress['counts']): DayProgress => ({
  ...progress,
  counts: { ...progress.counts, [what]: progress.counts[what] + 1 },
});

/** Adds an amount to the sums, and to the differences when it is not the same on both sides. */
function add(progress: DayProgress, amount: DayDifference): DayProgress {
  const { what, ours, theirs } = amount;
  const addTo = (sums: DayProgress['ours'], cents: number) => ({
    ...sums,
    [what]: sums[what satisfies DaySum] + cents,
  });
  const sums = { ours: addTo(progress.ours, ours), theirs: addTo(progress.theirs, theirs) };
  if (ours === theirs) return { ...progress, ...sums };
  const isListed = progress.differences.length < MAX_DIFFERENCES;
  return {
    ...progress,
    ...sums,
    differing: progress.differing + 1,
    differences: isListed ? [...progress.differences, amount] : progress.differences,
  };
}
