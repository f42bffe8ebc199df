import type { Person } from './person.ts';

/** How often people reload a page right after a step. */
const LOOKS_AGAIN = 0.6;

/**
 * Opens the page of an order right after a step, as people do, through whichever server answers. It must show the step already,
 * which the person's knowledge checks.
 */
export async function rereadOrder({ random, phone, knowledge }: Person, id: string): Promise<void> {
  if (random() >= LOOKS_AGAIN) return;
  const order = await phone.read('the order again', [id], (api) => api.readOrder({ params: { id } }));
  if (order) knowledge.sawOrder(order);
}

/** The same for a delivery. */
export async function rereadDelivery({ random, phone, knowledge }: Person, id: string, orderId: string): Promise<void> {
  if (random() >= LOOKS_AGAIN) return;
  const delivery = await phone.read('the delivery again', [id, orderId], (api) => api.readDelivery({ params: { id } }));
  if (delivery) knowledge.sawDelivery(delivery);
}

/**
 * Opens the dashboard right after something was finished: its count and its earnings may not be older than that. Nobody but
 * this person adds to them, and nothing that is finished is taken back here.
 */
export async function rereadDashboard(person: Person, finishedBefore: number): Promise<void> {
  const { name, role, phone } = person;
  const what = 'the dashboard again';
  const shown =
    role === 'Scrub'
      ? await phone.read(what, [], (api) => api.scrubDashboard().then((all) => all.totalCompletedScrubOrders))
      : await phone.read(what, [], (api) => api.duberDashboard().then(({ stats }) => stats.totalDelivered));
  if (shown === undefined || shown >= finishedBefore) return;
  const words = `${name} had finished ${finishedBefore}, and then the dashboard said ${shown}`;
  person.report('what was answered once is there afterwards', words, []);
}
