import type { Client } from '../../contract/client.ts';
import type { EarningLine } from '../../contract/earnings.ts';
import type { ListedOrder } from '../../contract/orders.ts';
import type { RunLog } from '../findings.ts';
import { DELIVERY_FIELDS, ORDER_FIELDS } from '../people/listedFields.ts';
import type { Person } from '../people/person.ts';

const PAGE_SIZE = 100;
const HALF_A_CENT = 0.005;

/** Reads everything of a person again, and compares the totals of the dashboard with the list behind them. */
export async function checkTotals(person: Person, log: RunLog): Promise<void> {
  const reportDifference = (what: string, shown: number, summed: number) => {
    if (Math.abs(shown - summed) < HALF_A_CENT) return;
    log.report(
      'totals are the sums of what they count',
      `${person.name}: ${what} is ${shown}, and adds up to ${summed}`,
    );
  };
  person.knowledge.startOver();
  if (person.role === 'Duber') return checkDuber(person, log, reportDifference);
  const orders = await readAll(person, log);
  if (!orders) return;
  const countOf = (...statuses: string[]) => orders.filter(({ status }) => statuses.includes(status)).length;
  if (person.role === 'Bud') {
    checkPlaced(person, log, orders);
    const shown = await readOwn(person, log, 'the dashboard', (api) => api.budDashboard());
    if (!shown) return;
    reportDifference('the number of orders', shown.totalScrubOrders, orders.length);
    reportDifference('the number of orders in progress', shown.totalActiveScrubOrders, countOf('In_Progress'));
    reportDifference('the number of completed orders', shown.totalCompletedScrubOrders, countOf('Completed'));
    await checkSpending(person, log, { shown: shown.totalSpent, orders, reportDifference });
  } else {
    const shown = await readOwn(person, log, 'the dashboard', (api) => api.scrubDashboard());
    if (!shown) return;
    reportDifference('the number of completed jobs', shown.totalCompletedScrubOrders, countOf('Completed'));
    const loadPrices = new Map(orders.map(({ id, price }) => [id, price.loadPrice]));
    const priceOf = ({ kind, orderId }: EarningLine) =>
      kind === 'completed' ? loadPrices.get(orderId ?? '') : undefined;
    await checkEarnings(person, log, { shown: shown.totalEarning, reportDifference, priceOf });
  }
}

/**
 * Reports orders that a Bud has, and was never told that they have placed: a refusal must not charge a card. And orders that they
 * have placed, and that are gone: nobody else can take them away.
 */
function checkPlaced({ name, knowledge }: Person, log: RunLog, orders: readonly ListedOrder[]): void {
  const ids = new Set(orders.map(({ id }) => id));
  for (const { id, number } of orders.filter((order) => !knowledge.placedOrders.has(order.id)))
    log.report('what was refused did not happen', `${name} has ${number}, and was not told that it was placed`, [id]);
  for (const id of [...knowledge.placedOrders].filter((placed) => !ids.has(placed))) {
    const words = `${name} placed the order ${id}, and it is not among all orders`;
    log.report('what was answered once is there afterwards', words, [id]);
  }
}

type ReportDifference = (what: string, shown: number, summed: number) => void;

/**
 * Reads what belongs to somebody and is always there. What cannot be read cannot be compared, so every refusal is reported: a
 * page that is gone must not look like one that is right.
 */
async function readOwn<T>(
  { name, phone }: Person,
  log: RunLog,
  what: string,
  call: (api: Client) => Promise<T>,
  about: readonly string[] = [],
): Promise<T | undefined> {
  const answer = await phone.read(what, about, call);
  if (answer === undefined) log.report('everybody can read what is theirs', `${name} could not read ${what}`, about);
  return answer;
}

type PageQuery = { readonly pageSize: string; readonly after?: string };
type ReadPage<T> = (query: PageQuery) => Promise<{ data: { items: T[]; next: string | null } } | undefined>;

/** All items of a list; undefined when a page could not be read. */
async function readPages<T>(readPage: ReadPage<T>): Promise<T[] | undefined> {
  const items: T[] = [];
  let next: string | null = null;
  do {
    const page: Awaited<ReturnType<ReadPage<T>>> = await readPage({
      pageSize: String(PAGE_SIZE),
      ...(next && { after: next }),
    });
    if (!page) return undefined;
    items.push(...page.data.items);
    next = page.data.next;
  } while (next !== null);
  return items;
}

async function checkDuber(person: Person, log: RunLog, reportDifference: ReportDifference): Promise<void> {
  const shown = await readOwn(person, log, 'the dashboard', (api) => api.duberDashboard());
  const deliveries = await readPages((query) =>
    readOwn(person, log, 'all deliveries', (api) =>
      api.listDeliveries({ query: { ...query, fields: DELIVERY_FIELDS } }),
    ),
  );
  if (!deliveries) return;
  for (const delivery of deliveries) person.knowledge.sawDelivery(delivery);
  const delivered = deliveries.filter(({ status }) => status === 'Delivered');
  if (!shown) return;
  reportDifference('the number of deliveries', shown.stats.totalDelivered, delivered.length);
  const prices = new Map(deliveries.map(({ id, price }) => [id, price]));
  const priceOf = ({ kind, deliveryId }: EarningLine) =>
    kind === 'delivered' ? prices.get(deliveryId ?? '') : undefined;
  await checkEarnings(person, log, { shown: shown.stats.totalEarning, reportDifference, priceOf });
}

/** Compares what a Bud has spent with the receipts of all orders. */
async function checkSpending(
  bud: Person,
  log: RunLog,
  {
    shown,
    orders,
    reportDifference,
  }: { shown: number; orders: readonly ListedOrder[]; reportDifference: ReportDifference },
) {
  let spent = 0;
  for (const { id, number, price } of orders) {
    const read = (api: Client) => api.readReceipt({ params: { id } });
    const receipt = await readOwn(bud, log, `the receipt of ${number}`, read, [id]);
    // Without all receipts there is nothing to compare. Movements that are not confirmed yet are on no receipt.
    if (!receipt || receipt.pending !== null) return;
    for (const { kind, amount } of receipt.movements) {
      spent += kind === 'charged' ? amount : kind === 'refunded' ? -amount : 0;
      // The card pays what a promo code leaves. A weight changes both.
      const onCard = price.totalPrice - (bud.knowledge.promos.get(id)?.discount ?? 0);
      if (kind === 'charged' && bud.policy === 'open')
        reportDifference(`what was charged for ${number}`, amount, onCard);
    }
  }
  reportDifference('what was spent', shown, spent);
}

/**
 * Nobody was paid out yet, so every line of what somebody has earned is still in the next payout. `priceOf` is what a line must
 * be, where the price of an order or a delivery says it.
 */
async function checkEarnings(
  person: Person,
  log: RunLog,
  {
    shown,
    reportDifference,
    priceOf,
  }: { shown: number; reportDifference: ReportDifference; priceOf: (line: EarningLine) => number | undefined },
): Promise<void> {
  const lines = await readOwn(person, log, 'the lines of the earnings', (api) => api.earningLines({ query: {} }));
  if (!lines) return;
  reportDifference(
    'the earnings',
    shown,
    lines.reduce((all, { amount }) => all + amount, 0),
  );
  for (const line of lines) {
    const price = priceOf(line);
    if (price !== undefined)
      reportDifference(`what ${line.kind} of ${line.deliveryId ?? line.orderId} earned`, line.amount, price);
  }
}

async function readAll(person: Person, log: RunLog): Promise<ListedOrder[] | undefined> {
  const orders = await readPages((query) =>
    readOwn(person, log, 'all orders', (api) => api.listOrders({ query: { ...query, fields: ORDER_FIELDS } })),
  );
  for (const order of orders ?? []) person.knowledge.sawOrder(order);
  return orders;
}
