import { HOUR_MS, MINUTE_MS } from '../../domain/durations.ts';
import { TOUCHED_CHOICES } from '../../domain/moves.ts';
import type { Operator } from './operator.ts';
import { type Act, pick } from './person.ts';

/** With more, nobody could order anything. */
const MOST_CLOSURES = 2;
const REASON = 'There is a storm';
const WORDS = 'We are closed while the storm is here';

/** What an operator of a town with windows may do about its hours now. */
export function closingActsOf(operator: Operator): Act[] {
  const { closed } = operator;
  if (closed.isPaused) return [{ weight: 20, run: () => open(operator) }];
  if (closed.times >= MOST_CLOSURES) return [];
  return [
    { weight: 1, run: () => close(operator) },
    { weight: 0.5, run: () => pause(operator) },
  ];
}

/** Closes the town for some hours of the next day, and says what becomes of the orders with a window then. */
async function close(operator: Operator): Promise<void> {
  const { phone, random, clock, closed, touched } = operator;
  closed.times += 1;
  const hour = Math.ceil(clock.now().getTime() / HOUR_MS) + 4 + Math.floor(random() * 20);
  const [from, until] = [hour, hour + 3 + Math.floor(random() * 6)].map((at) => new Date(at * HOUR_MS).toISOString());
  if (from === undefined || until === undefined) return;
  const query = { from, until };
  const list = await phone.read('what a closure touches', [], (api) => api.listTouched({ query }));
  if (!list) return;
  const orders = list.items.map(({ id }) => id);
  const choice = pick(random, TOUCHED_CHOICES) ?? 'offer';
  const at = clock.now();
  const body = { from: from.slice(0, 16), until: until.slice(0, 16), words: WORDS, touched: choice, reason: REASON };
  const done = await phone.press(`close from ${from} until ${until}: ${choice}`, orders, (api, idempotencyKey) =>
    api.addClosure({ body, idempotencyKey }),
  );
  if (!done.ok) return;
  operator.count('closures');
  operator.count('orders touched by closures', orders.length);
  if (choice !== 'keep') touched.post(orders, at);
}

/** Closes the town at once, and opens it soon. */
async function pause(operator: Operator): Promise<void> {
  const { phone, clock, closed, touched } = operator;
  closed.times += 1;
  const at = clock.now();
  const until = new Date(at.getTime() + 90 * MINUTE_MS).toISOString();
  const list = await phone.read('what a pause touches', [], (api) => api.listTouched({ query: { until } }));
  if (!list) return;
  const orders = list.items.map(({ id }) => id);
  const body = { until, words: WORDS, touched: 'offer' as const, reason: REASON };
  const done = await phone.press('pause the town', orders, (api, idempotencyKey) =>
    api.pauseTown({ body, idempotencyKey }),
  );
  if (!done.ok) return;
  closed.isPaused = true;
  operator.count('pauses');
  touched.post(orders, at);
}

async function open(operator: Operator): Promise<void> {
  const body = { reason: 'The storm is over' };
  const done = await operator.phone.press('open the town', [], (api, idempotencyKey) =>
    api.openTown({ body, idempotencyKey }),
  );
  // It has opened by itself.
  if (done.ok || done.status === 409) operator.closed.isPaused = false;
}
