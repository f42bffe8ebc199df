import type { RunLog } from '../findings.ts';
import type { Person } from '../people/person.ts';

const PAGE_SIZE = 100;
const CENT = 0.005;

/** Reads everything of a person again, and compares the totals of the dashboard with the list behind them. */
export async function checkTotals(person: Person, log: RunLog): Promise<void> {
  const differs = (what: string, shown: number, summed: number) => {
    if (Math.abs(shown - summed) < CENT) return;
    log.report(
      'totals are the sums of what they count',
      `${person.name}: ${what} is ${shown}, and adds up to ${summed}`,
    );
  };
  person.knowledge.startOver();
  if (person.role === 'Duber') return checkDuber(person, differs);
  const orders = await readAll(person);
  const countOf = (...statuses: string[]) => orders.filter(({ status }) => statuses.includes(status)).length;
  if (person.role === 'Bud') {
    const shown = await person.phone.read('the dashboard', [], (api) => api.budDashboard());
    if (!shown) return;
    differs('the number of orders', shown.totalScrubOrders, orders.length);
    differs('the number of orders in progress', shown.totalActiveScrubOrders, countOf('In_Progress'));
    differs('the number of completed orders', shown.totalCompletedScrubOrders, countOf('Completed'));
  } else {
    const shown = await person.phone.read('the dashboard', [], (api) => api.scrubDashboard());
    if (!shown) return;
    differs('the number of completed jobs', shown.totalCompletedScrubOrders, countOf('Completed'));
    await checkEarnings(person, shown.totalEarning, differs);
  }
}

type Differs = (what: string, shown: number, summed: number) => void;

async function checkDuber(person: Person, differs: Differs): Promise<void> {
  const shown = await person.phone.read('the dashboard', [], (api) => api.duberDashboard());
  const deliveries = [];
  for (let page = 1; ; page += 1) {
    const query = { pageNumber: String(page), pageSize: String(PAGE_SIZE) };
    const list = await person.phone.read('all deliveries', [], (api) => api.listDeliveries({ query }));
    if (!list) return;
    deliveries.push(...list.data.items);
    if (list.data.items.length < PAGE_SIZE) break;
  }
  for (const delivery of deliveries) person.knowledge.sawDelivery(delivery);
  const delivered = deliveries.filter(({ status }) => status === 'Delivered');
  if (!shown) return;
  differs('the number of deliveries', shown.stats.totalDelivered, delivered.length);
  await checkEarnings(person, shown.stats.totalEarning, differs);
}

/** Nobody was paid out yet, so every line of what somebody has earned is still in the next payout. */
async function checkEarnings(person: Person, shown: number, differs: Differs): Promise<void> {
  const lines = await person.phone.read('the lines of the earnings', [], (api) => api.earningLines({ query: {} }));
  const sum = (lines ?? []).reduce((all, { amount }) => all + amount, 0);
  if (lines) differs('the earnings', shown, sum);
}

async function readAll(person: Person) {
  const orders = [];
  for (let page = 1; ; page += 1) {
    const query = { pageNumber: String(page), pageSize: String(PAGE_SIZE) };
    const list = await person.phone.read('all orders', [], (api) => api.listOrders({ query }));
    if (!list) return orders;
    orders.push(...list.data.items);
    if (list.data.items.length < PAGE_SIZE) break;
  }
  for (const order of orders) person.knowledge.sawOrder(order);
  return orders;
}
