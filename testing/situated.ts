import type { Delivery } from '../contract/deliveries.ts';
import type { Order } from '../contract/orders.ts';
import {
  DELAYS,
  factsOfOrder,
  findArrival,
  situationOf,
  situationOfDelivery,
  wayOf,
} from '../domain/process/situation.ts';

type Known = Partial<Parameters<typeof factsOfOrder>[1]>;
type Sent = Pick<Order, 'situation' | 'way' | 'delay' | 'isCleanedAgain'>;

const UNKNOWN = { hasExpired: false, givenBackBy: null, weight: null } as const;

type History = Parameters<typeof situationOfDelivery>[0];
type SentDelivery = Pick<Delivery, 'situation' | 'arrivedAt' | 'reOffers'>;

/** A made-up delivery as the server sends it to a Bud: with what follows from its steps. */
export const situatedDelivery = <D extends object>(delivery: D): D & SentDelivery => {
  const history = delivery as D & History;
  return {
    ...delivery,
    situation: situationOfDelivery(history),
    arrivedAt: findArrival(history)?.toISOString() ?? null,
    reOffers: history.exceptions.filter(({ action }) => action === 're-offer').length,
  };
};

/** Who has given an order back that waits for another Scrub. */
export function giverBackOf(exceptions: readonly { readonly action: string; readonly by?: string }[]) {
  const last = exceptions.findLast(({ action }) => action === 'give-back' || action === 'choose-scrub');
  if (last?.action !== 'give-back') return null;
  return last.by === 'Operator' ? 'town' : 'scrub';
}

/** A made-up order as the server sends it: with what follows from its steps. `known` has what does not follow from them. */
export function situated<O extends object>(order: O, known: Known = {}): O & Sent {
  const { exceptions = [], wayHome = null, status, ...rest } = order as O & Partial<Order>;
  const deliveries = (rest.deliveries ?? []).map(situatedDelivery);
  const whole = { ...order, deliveries } as unknown as Order;
  const isCleanedAgain = exceptions.some(({ action }) => action === 'reopen');
  const isWithBud = status === 'Cancelled' && wayHome === null;
  const facts = factsOfOrder(whole, { ...UNKNOWN, isCleanedAgain, isWithBud, wayHome, ...known });
  const delay = exceptions.findLast(({ action }) => DELAYS.some((delay) => delay === action))?.action as Sent['delay'];
  return { ...order, deliveries, situation: situationOf(facts), way: wayOf(whole), isCleanedAgain, delay };
}
