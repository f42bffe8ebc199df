// The specification's workflow tables, written by hand: importing the product's tables would copy their mistakes.

export type Actor = 'bud' | 'scrub' | 'duber' | 'otherBud' | 'otherScrub' | 'otherDuber';
export type Delivery = {
  id: string;
  type: string;
  status: string;
  duber: Actor | undefined;
  /** Whether it is for a window, so that a busy Duber can accept it ahead. */
  isForLater?: boolean;
};
export type Model = {
  id: string;
  status: string;
  history: string[];
  selfService: [boolean, boolean];
  deliveries: Delivery[];
};

export const ORDER_ACTIONS = ['cancel-order', 'accept-order', 'reject-order', 'start-order', 'complete-order'] as const;
export type OrderAction = (typeof ORDER_ACTIONS)[number];

// spec 4.1
const ORDER_TRANSITIONS: Record<OrderAction, readonly [from: string, to: string, by: 'bud' | 'scrub']> = {
  'cancel-order': ['Requested', 'Cancelled', 'bud'],
  'accept-order': ['Requested', 'Accepted', 'scrub'],
  'reject-order': ['Requested', 'Rejected', 'scrub'],
  'start-order': ['Accepted', 'In_Progress', 'scrub'],
  'complete-order': ['In_Progress', 'Completed', 'scrub'],
};

export const DELIVERY_ACTIONS = ['accept-delivery', 'way-to-pickup', 'collected', 'way-to-drop', 'delivered'] as const;
export type DeliveryAction = (typeof DELIVERY_ACTIONS)[number];

// spec 4.2: the action at index i leads from status i to status i + 1.
const DELIVERY_STATUSES = ['Pending', 'Accepted', 'Way_To_Pick', 'Collected', 'Way_To_Drop', 'Delivered'];

const roleOf = (actor: Actor) => actor.replace('other', '').toLowerCase();

/** The status that an order step must get from this actor now. */
export function predictOrderStep(model: Model, actor: Actor, action: OrderAction): 200 | 403 | 404 | 409 {
  const [from, , by] = ORDER_TRANSITIONS[action];
  if (roleOf(actor) !== by) return 403;
  if (actor !== by) return 404;
  return model.status === from ? 200 : 409;
}

/** Applies a successful step and returns the type of the delivery that it must create, if any. */
export function applyOrderStep(model: Model, action: OrderAction): string | undefined {
  const [, to] = ORDER_TRANSITIONS[action];
  model.status = to;
  model.history.push(to);
  const [selfDelivery, selfPickup] = model.selfService;
  if (to === 'Accepted' && !selfDelivery) return 'Bud_To_Scrub';
  return to === 'Completed' && !selfPickup ? 'Scrub_To_Bud' : undefined;
}

/** The server's own step when nobody does anything: a request that is a day old is cancelled, anything else goes on. */
export function applyExpiry(model: Model): void {
  if (model.status !== 'Requested') return;
  model.status = 'Cancelled';
  model.history.push('Cancelled');
}

/** The status that a delivery step must get from this actor now; a busy actor has another delivery under way. */
export function predictDeliveryStep(
  delivery: Delivery,
  actor: Actor,
  action: DeliveryAction,
  isBusy: boolean,
): 200 | 403 | 404 | 409 {
  if (roleOf(actor) !== 'duber') return 403;
  const index = DELIVERY_ACTIONS.indexOf(action);
  if (index > 0 && delivery.duber !== undefined && delivery.duber !== actor) return 404;
  if (delivery.status !== DELIVERY_STATUSES[index]) return 409;
  const needsFreeDuber = action === 'way-to-pickup' || (action === 'accept-delivery' && !delivery.isForLater);
  return needsFreeDuber && isBusy ? 409 : 200;
}

export function applyDeliveryStep(delivery: Delivery, actor: Actor, action: DeliveryAction): void {
  Object.assign(delivery, { duber: actor, status: DELIVERY_STATUSES[DELIVERY_ACTIONS.indexOf(action) + 1] });
}

/** Whether its Duber is busy with a delivery. One that is accepted for a window is under way once they set off. */
export const isUnderWay = ({ status, isForLater = false }: Delivery) =>
  status !== 'Pending' && status !== 'Delivered' && !(isForLater && status === 'Accepted');

/** The next step of an order and who takes it. Random steps alone would rarely complete an order. */
export function nextOrderStep(model: Model): readonly [OrderAction, 'bud' | 'scrub'] | undefined {
  const next = (['accept-order', 'start-order', 'complete-order'] as const).find(
    (action) => ORDER_TRANSITIONS[action][0] === model.status,
  );
  return next && [next, 'scrub'];
}

export function nextDeliveryAction(delivery: Delivery): DeliveryAction | undefined {
  return DELIVERY_ACTIONS[DELIVERY_STATUSES.indexOf(delivery.status)];
}
