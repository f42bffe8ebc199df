import type { DeliveryStatus } from '../../domain/deliveries.ts';
import type { OrderStatus } from '../../domain/orders.ts';
import type { RunLog } from '../findings.ts';
import { expectedPrice, PRICE_PARTS, type Price, surchargeOf } from './prices.ts';

export type Step = {
  readonly status: string;
  readonly createdAt: string;
  /** Of a step that was not planned. */
  readonly action?: string | null | undefined;
};
type Thing = {
  readonly id: string;
  readonly status: string;
  readonly statusHistory: readonly Step[];
  /** Steps that were not planned. They have a status, too. */
  readonly exceptions: readonly Step[];
};
type SeenOrder = Thing & {
  readonly number: string;
  readonly loadSize: string;
  readonly selfDelivery: boolean;
  readonly selfPickup: boolean;
  readonly price: Price;
  /** Missing for an order that is done as soon as possible. */
  readonly times?:
    | { readonly pickup: { readonly from: string }; readonly return: { readonly from: string } }
    | undefined;
  readonly deliveries: readonly SeenDelivery[];
  /** Only where a Bud reads an order by itself. */
  readonly promo?: UsedPromo | undefined;
};
/** A promo code, and what it takes off an order, in dollars. */
export type UsedPromo = { readonly code: string; readonly discount: number };
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
  /** Records that this person gave something up: from now on they see less of it and get fewer events. */
  gaveUp(id: string): void;
  /** This person was told that they have placed an order. */
  placed(id: string): void;
  /** The orders that this person was told they have placed. */
  readonly placedOrders: ReadonlySet<string>;
  /** This person has placed an order with a promo code. */
  usedPromo(id: string, promo: UsedPromo): void;
  /** The orders that were placed with a promo code. */
  readonly promos: ReadonlyMap<string, UsedPromo>;
  /** Forgets which things are theirs, before everything is read again. */
  startOver(): void;
  /** The last status of everything that is theirs. */
  readonly orders: ReadonlyMap<string, OrderStatus>;
  readonly deliveries: ReadonlyMap<string, DeliveryStatus>;
  /** The steps of each thing that were taken after this person first saw it: they must have been told of each. */
  readonly newSteps: ReadonlyMap<string, readonly Step[]>;
};

/** `isWeighed`: prices change when laundry is weighed. `hasDefaultPrices`: nobody has changed what the spec charges. */
export type KnowledgeOptions = { readonly isWeighed: boolean; readonly hasDefaultPrices: boolean };

export function createKnowledge(owner: string, log: RunLog, options: KnowledgeOptions): Knowledge {
  const reader: Reader = { owner, log };
  const steps = new Map<string, string[]>();
  const totals = new Map<string, number>();
  const surcharges = new Map<string, number>();
  const orders = new Map<string, OrderStatus>();
  const deliveries = new Map<string, DeliveryStatus>();
  const orderOf = new Map<string, string>();
  const givenUp = new Set<string>();
  const seenFirst = new Map<string, Set<string>>();
  const newSteps = new Map<string, Step[]>();
  const promos = new Map<string, UsedPromo>();
  const placedOrders = new Set<string>();

  function compare(what: string, thing: Thing, about: readonly string[]): void {
    if (givenUp.has(thing.id)) return;
    const all = listSteps(thing);
    const history = all.map(nameStep);
    checkNothingMissing(reader, what, { known: steps.get(thing.id) ?? [], history }, about);
    checkStatus(reader, what, { status: thing.status, steps: all }, about);
    steps.set(thing.id, history);
    const first = seenFirst.get(thing.id) ?? new Set(history);
    seenFirst.set(thing.id, first);
    newSteps.set(
      thing.id,
      all.filter((step) => !first.has(nameStep(step)) && !isOnlyForScrub(step)),
    );
  }

  function comparePrice(order: SeenOrder): void {
    const { id, price } = order;
    const before = totals.get(id);
    totals.set(id, price.totalPrice);
    // It stays when the windows move.
    const surcharge = surcharges.get(id) ?? surchargeOf(order.times);
    surcharges.set(id, surcharge);
    if (options.isWeighed) return;
    checkUnchangedPrice(reader, order, { promo: promos.get(id), total: before });
    if (options.hasDefaultPrices && (!order.times || placedOrders.has(id)))
      checkExpectedPrice(reader, order, surcharge);
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
    newSteps,
    promos,
    placedOrders,
    placed: (id) => void placedOrders.add(id),
    usedPromo: (id, { code, discount }) => void promos.set(id, { code, discount }),
    sawDelivery,
    sawOrder(order) {
      compare(`the order ${order.number}`, order, [order.id]);
      if (givenUp.has(order.id)) return;
      orders.set(order.id, order.status as OrderStatus);
      comparePrice(order);
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
      newSteps.delete(id);
      for (const delivery of deliveries.keys())
        if (delivery === id || orderOf.get(delivery) === id) deliveries.delete(delivery);
      for (const delivery of newSteps.keys()) if (orderOf.get(delivery) === id) newSteps.delete(delivery);
    },
  };
}

/** Who has read something, and where to report what is wrong with it. */
type Reader = { readonly owner: string; readonly log: RunLog };

function checkNothingMissing(
  { owner, log }: Reader,
  what: string,
  { known, history }: { readonly known: readonly string[]; readonly history: readonly string[] },
  about: readonly string[],
): void {
  const missing = known.filter((step) => !history.includes(step));
  if (missing.length === 0) return;
  const words = `${owner} knew of ${what} ${missing.join(', ')}, and then read ${history.join(', ') || 'nothing'}`;
  log.report('what was answered once is there afterwards', words, about);
}

function checkStatus(
  { owner, log }: Reader,
  what: string,
  { status, steps }: { readonly status: string; readonly steps: readonly Step[] },
  about: readonly string[],
): void {
  const newest = Math.max(...steps.map(({ createdAt }) => Date.parse(createdAt)));
  const last = steps.filter(({ createdAt }) => Date.parse(createdAt) === newest).map((step) => step.status);
  if (last.includes(status)) return;
  const words = `${owner} read that ${what} is ${status}, and its history ends with ${last}`;
  log.report('the status is the last of the history', words, about);
}

function checkUnchangedPrice(
  { owner, log }: Reader,
  { id, number, price, promo }: SeenOrder,
  before: { readonly promo: UsedPromo | undefined; readonly total: number | undefined },
): void {
  const used = before.promo;
  if (promo && used && (promo.code !== used.code || promo.discount !== used.discount)) {
    const words = `${owner} placed ${number} with ${used.code}, $${used.discount} off, and then read ${promo.code}, $${promo.discount}`;
    log.report('a price stays as it was agreed', words, [id]);
  }
  if (before.total !== undefined && before.total !== price.totalPrice) {
    const words = `${owner} read a total of $${before.total} for ${number}, and then $${price.totalPrice}`;
    log.report('a price stays as it was agreed', words, [id]);
  }
}

function checkExpectedPrice(
  { owner, log }: Reader,
  { id, number, price, ...order }: SeenOrder,
  surcharge: number,
): void {
  const expected = expectedPrice(order, surcharge);
  for (const part of expected ? PRICE_PARTS : []) {
    if (price[part] === expected?.[part]) continue;
    const words = `${owner} read ${part} $${price[part]} for ${number}, and it should be $${expected?.[part]}`;
    log.report('every price is right to the cent', words, [id]);
  }
}

/** Some steps are in both lists. */
const listSteps = ({ statusHistory, exceptions }: Thing): Step[] => [
  ...new Map([...statusHistory, ...exceptions].map((step) => [nameStep(step), step])).values(),
];

/** Reminders of a Scrub, which change nothing on the screens of others. */
const isOnlyForScrub = ({ action }: Step) => action === 'remind' || action === 'promise-near';

const nameStep = ({ status, createdAt }: Step) => `${status} at ${createdAt}`;
