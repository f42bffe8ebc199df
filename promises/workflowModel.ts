// The specification's tables once more, by hand: a row that is wrong in the product's own is not wrong here.

export type Actor = 'bud' | 'scrub' | 'duber' | 'otherBud' | 'otherScrub' | 'otherDuber';
export type Leg = { id: string; type: string; status: string; duber: Actor | undefined };
export type Model = { id: string; status: string; history: string[]; selfService: [boolean, boolean]; legs: Leg[] };

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

export const LEG_ACTIONS = ['accept-delivery', 'way-to-pickup', 'collected', 'way-to-drop', 'delivered'] as const;
export type LegAction = (typeof LEG_ACTIONS)[number];

// spec 4.2: each action leads from the status of its place to the next one.
const LEG_STATUSES = ['Pending', 'Accepted', 'Way_To_Pick', 'Collected', 'Way_To_Drop', 'Delivered'];

const roleOf = (who: Actor) => who.replace('other', '').toLowerCase();

/** What must come of one person's try of an order's step, now. */
export function predictOrderStep(model: Model, who: Actor, action: OrderAction): 200 | 403 | 404 | 409 {
  const [from, , by] = ORDER_TRANSITIONS[action];
  if (roleOf(who) !== by) return 403;
  if (who !== by) return 404;
  return model.status === from ? 200 : 409;
}

/** The model after a step that succeeded; gives the type of the leg that must be there now, if there is a new one. */
export function applyOrderStep(model: Model, action: OrderAction): string | undefined {
  const [, to] = ORDER_TRANSITIONS[action];
  model.status = to;
  model.history.push(to);
  const [selfDelivery, selfPickup] = model.selfService;
  if (to === 'Accepted' && !selfDelivery) return 'Bud_To_Scrub';
  return to === 'Completed' && !selfPickup ? 'Scrub_To_Bud' : undefined;
}

/** What must come of one person's try of a delivery's step, now; `busy` says whether they have an active one. */
export function predictLegStep(leg: Leg, who: Actor, action: LegAction, busy: boolean): 200 | 403 | 404 | 409 {
  if (roleOf(who) !== 'duber') return 403;
  const place = LEG_ACTIONS.indexOf(action);
  if (place > 0 && leg.duber !== undefined && leg.duber !== who) return 404;
  if (leg.status !== LEG_STATUSES[place]) return 409;
  return place === 0 && busy ? 409 : 200;
}

export function applyLegStep(leg: Leg, who: Actor, action: LegAction): void {
  Object.assign(leg, { duber: who, status: LEG_STATUSES[LEG_ACTIONS.indexOf(action) + 1] });
}

export const isActive = (leg: Leg) => leg.status !== 'Pending' && leg.status !== 'Delivered';

/** The step that is due next and who takes it, so that lives get somewhere. */
export function nextOrderStep(model: Model): readonly [OrderAction, 'bud' | 'scrub'] | undefined {
  const found = (['accept-order', 'start-order', 'complete-order'] as const).find(
    (action) => ORDER_TRANSITIONS[action][0] === model.status,
  );
  return found && [found, 'scrub'];
}

export function nextLegAction(leg: Leg): LegAction | undefined {
  return LEG_ACTIONS[LEG_STATUSES.indexOf(leg.status)];
}
