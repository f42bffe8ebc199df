import { type SeedTarget, signInEveryone } from './accounts.ts';
import { createDemoOrder } from './createDemoOrder.ts';
import { DEMO_ORDERS } from './orders.ts';

/** Adds the demo data through the API. A second run only adds what is missing. */
export async function seedDemo(target: SeedTarget): Promise<{ people: number; orders: number }> {
  const users = await signInEveryone(target);
  // Sequential, because a Duber has one active delivery at a time.
  for (const [i, order] of DEMO_ORDERS.entries()) await createDemoOrder(users, order, `demo-${i + 1}`);
  return { people: users.size, orders: DEMO_ORDERS.length };
}
