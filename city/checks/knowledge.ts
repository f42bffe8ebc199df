import type { DeliveryStatus } from '../../domain/deliveries.ts';
import type { OrderStatus } from '../../domain/orders.ts';
import type { RunLog } from '../findings.ts';

export type Step = { readonly status: string; readonly createdAt: string };
type Thing = {
  readonly id: string;
  readonly status: string;
  readonly statusHistory: readonly Step[];
  /** Steps that were not planned. They have a status, too. */
  readonly exceptions: readonly Step[];
};
type SeenOrder = Thing & {
  readonly number: string;
  readonly price: { readonly totalPrice: number };
  readonly deliveries: readonly SeenDelivery[];
};
type SeenDelivery = Thing & { readonly orderId: string };

/**
 * What a person knows: the answers to their own steps, and everything they have read. Each new answer must agree with it. A
 * person does one thing after the other, so whatever they know was there before the next answer.
 */
export type Knowledge = {
  /** An answer with an order of this person. */
  sawOrder(order: SeenOrder): void;
  /** An answer with a delivery of this person. */
  sawDelivery(delivery: SeenDelivery): void;
  /** A step of this person was taken. */
  took(id: string, step: Step): void;
  /** Says that this person gave something up: they may see less of it, and are told less. */
  gaveUp(id: string): void;
  /** Forgets which things are theirs, before everything is read again. */
  startOver(): void;
  /** The last status of everything that is theirs. */
  readonly orders: ReadonlyMap<string, OrderStatus>;
  readonly deliveries: ReadonlyMap<string, DeliveryStatus>;
};

export function createKnowledge(owner: string, log: RunLog, options: { readonly isWeighed: boolean }): Knowledge {
  const steps = new Map<string, string[]>();
  const totals = new Map<string, number>();
  const orders = new Map<string, OrderStatus>();
  const deliveries = new Map<string, DeliveryStatus>();
  const orderOf = new Map<string, string>();
  const givenUp = new Set<string>();

  function compare(what: string, thing: Thing, about: readonly string[]): void {
    if (givenUp.has(thing.id)) return;
    const all = [...thing.statusHistory, ...thing.exceptions];
    const history = all.map(nameStep);
    const known = steps.get(thing.id) ?? [];
    const missing = known.filter((step) => !history.includes(step));
    if (missing.length > 0) {
      const words = `${owner} knew of ${what} ${missing.join(', ')}, and then read ${history.join(', ') || 'nothing'}`;
      log.report('what was answered once is there afterwards', words, about);
    }
    const newest = Math.max(...all.map(({ createdAt }) => Date.parse(createdAt)));
    const last = all.filter(({ createdAt }) => Date.parse(createdAt) === newest).map(({ status }) => status);
    if (!last.includes(thing.status)) {
      const words = `${owner} read that ${what} is ${thing.status}, and its history ends with ${last}`;
      log.report('the status is the last of the history', words, about);
    }
    steps.set(thing.id, history);
  }

  function sawDelivery(delivery: SeenDelivery): void {
    log.connect(delivery.id, delivery.orderId);
    orderOf.set(delivery.id, delivery.orderId);
    compare(`the delivery ${delivery.id}`, delivery, [delivery.id, delivery.orderId]);
    if (!givenUp.has(delivery.id) && !givenUp.has(delivery.orderId))
      deliveries.set(delivery.id, delivery.status as DeliveryStatus);
  }

  return {
    orders,
    deliveries,
    sawDelivery,
    sawOrder(order) {
      compare(`the order ${order.number}`, order, [order.id]);
      if (givenUp.has(order.id)) return;
      orders.set(order.id, order.status as OrderStatus);
      const { totalPrice } = order.price;
      const before = totals.get(order.id);
      if (before !== undefined && before !== totalPrice && !options.isWeighed) {
        const words = `${owner} read a total of $${before} for ${order.number}, and then $${totalPrice}`;
        log.report('a price stays as it was agreed', words, [order.id]);
      }
      totals.set(order.id, totalPrice);
      for (const delivery of order.deliveries) sawDelivery(delivery);
    },
    took(id, step) {
      steps.set(id, [...(steps.get(id) ?? []), nameStep(step)]);
    },
    startOver() {
      orders.clear();
      deliveries.clear();
    },
    gaveUp(id) {
      givenUp.add(id);
      orders.delete(id);
      for (const delivery of deliveries.keys())
        if (delivery === id || orderOf.get(delivery) === id) deliveries.delete(delivery);
    },
  };
}

const nameStep = ({ status, createdAt }: Step) => `${status} at ${createdAt}`;
