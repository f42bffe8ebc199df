import { type SeedTarget, signInEveryone } from './accounts.ts';
import { listDemoEvents } from './orderEvents.ts';
import { type DemoPast, listPastEvents } from './past.ts';
import { planDemo, signUpTime } from './plan.ts';
import { listTownEvents } from './townEvents.ts';

/**
 * Adds the demo data through the API. A second run only adds what is missing. With a `past`, the orders of eight weeks get
 * the times at which they would have happened; without one only the newest orders are added, all of them now.
 */
export async function seedDemo(target: SeedTarget, past?: DemoPast): Promise<{ people: number; orders: number }> {
  const startedAt = past?.startedAt ?? new Date();
  past?.clock.moveTo(signUpTime(startedAt));
  try {
    const users = await signInEveryone(target);
    const orders = planDemo(startedAt).filter(({ key }) => past || key.startsWith('demo-'));
    const pastEvents = past ? [...listPastEvents(target, past, users), ...listTownEvents(target, past, users)] : [];
    const events = [...orders.flatMap((order) => listDemoEvents(users, order)), ...pastEvents];
    for (const { at, run } of events.toSorted((a, b) => a.at.getTime() - b.at.getTime())) {
      past?.clock.moveTo(at);
      await run();
    }
    return { people: users.size, orders: orders.length };
  } finally {
    past?.clock.returnToPresent();
  }
}
