import type { Delivery } from '../../contract/deliveries.ts';
import { type Person, pick } from './person.ts';

/** Forbidden requests that some people try. The server must refuse each of them. */

/** The promised limit (20 addresses a Bud), repeated here on purpose. */
const MOST_ADDRESSES = 20;
const BURST = 5;
const BURSTS = 5;
const PROMISE_OF_LIMITS = 'nothing exceeds its limit';

/** Adds addresses, several at once, beyond the limit. */
export async function addTooManyAddresses(bud: Person): Promise<void> {
  const body = (n: number) => ({ ...bud.place, address: `${n} Echo Lane`, label: `Place ${n}` });
  const list = Array.from({ length: BURST }, (_, n) => n);
  for (let bursts = 0; bursts < BURSTS; bursts += 1) {
    const add = (n: number) => bud.phone.send('add an address', [], (api) => api.createAddress({ body: body(n) }));
    const added = await Promise.all(list.map(add));
    if (added.every(({ ok }) => !ok)) break;
  }
  const profile = await bud.phone.read('the profile', [], (api) => api.profile());
  const count = profile?.addresses.length ?? 0;
  if (count > MOST_ADDRESSES) bud.report(PROMISE_OF_LIMITS, `${bud.name} has ${count} addresses`, []);
}

/** Opens the page of someone else's order. */
export async function readForeignOrder(person: Person, people: readonly Person[]): Promise<void> {
  const other = pick(person.random, people);
  if (!other || other.role !== person.role || other === person) return;
  const id = pick(person.random, [...other.knowledge.orders.keys()]);
  // The Scrub of an order may change, so only Buds know for certain that it is not theirs.
  if (id === undefined || person.role !== 'Bud') return;
  const order = await person.phone.read("another Bud's order", [id], (api) => api.readOrder({ params: { id } }));
  if (order) person.report('nobody reads what is not theirs', `${person.name} read an order of ${other.name}`, [id]);
}

/** The part of a delivery that shows whether it was accepted ahead: only some deliveries have a window. */
type Offered = Pick<Delivery, 'id' | 'window'>;

/** Accepts two deliveries at the same time. Only one of those without a window may succeed: the others are accepted ahead. */
export async function acceptTwo(duber: Person, deliveries: readonly [Offered, Offered]): Promise<void> {
  const accepted = await Promise.all(
    deliveries.map(async (delivery) => {
      const { id } = delivery;
      const done = await duber.phone.press('accept two deliveries at once', [id], (api, idempotencyKey) =>
        api['accept-delivery']({ params: { id }, idempotencyKey }),
      );
      if (done.ok) duber.knowledge.took(id, done.answer);
      return done.ok && delivery.window === undefined ? [id] : [];
    }),
  );
  const now = accepted.flat();
  if (now.length > 1) duber.report(PROMISE_OF_LIMITS, `${duber.name} has accepted two deliveries at once`, now);
}
