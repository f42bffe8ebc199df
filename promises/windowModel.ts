// The times of orders, written by hand: importing the product's rules would copy their mistakes. The town is on UTC.

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const LENGTH = 2 * HOUR;
const WASH = 4 * HOUR;
const NOTICE = 2 * HOUR;
export const PLACES = 2;
const MOST_WAITING = 2;
const MOST_AHEAD = 6;
const MOST_AT_ONCE = 3;

/** Laundry is fetched in the morning and in the evening, and brought back in the evening. Times are in ms. */
const HOURS = { pickup: [8, 17], return: [17] } as const;
export type Kind = keyof typeof HOURS;
const KINDS = ['pickup', 'return'] as const;
export type Times = Readonly<Record<Kind, number>>;

export type Trip = {
  status: 'Pending' | 'Accepted' | 'Way_To_Pick' | 'Collected' | 'Way_To_Drop' | 'Delivered';
  duber: number | undefined;
  /** The start of its window; undefined for as soon as possible. */
  window: number | undefined;
};
export type TimedOrder = {
  readonly id: string;
  readonly placedAt: number;
  status: 'Requested' | 'Accepted' | 'In_Progress' | 'Completed' | 'Cancelled' | 'Rejected';
  times: Times;
  /** Days from the pickup to the return that the Bud has paid for; 2 for any number from there on. */
  readonly paidDays: number;
  proposal: { readonly times: Partial<Times> & { readonly return: number }; readonly answerBy: number } | undefined;
  trips: Partial<Record<Kind, Trip>>;
  backAt: number | undefined;
  isMissed: boolean;
};

/** The start of a window of a kind, on a day from now on. */
export const startOn = (now: number, days: number, kind: Kind, isMorning: boolean): number =>
  (Math.floor(now / DAY) + days) * DAY + (kind === 'pickup' && isMorning ? 8 : 17) * HOUR;

const isOffered = (kind: Kind, start: number, now: number) =>
  (HOURS[kind] as readonly number[]).includes((start % DAY) / HOUR) && start >= now + NOTICE;
const isWashed = (times: Times) => times.return - (times.pickup + LENGTH) >= WASH;
const daysOf = (times: Times) => Math.min(2, Math.floor(times.return / DAY) - Math.floor(times.pickup / DAY));
const isOpen = ({ status }: TimedOrder) => ['Requested', 'Accepted', 'In_Progress'].includes(status);
const hasPlace = (orders: readonly TimedOrder[], kind: Kind, start: number, but?: TimedOrder) =>
  takenPlaces(orders, kind, start, but) < PLACES;

/** How many orders have a window. */
export const takenPlaces = (orders: readonly TimedOrder[], kind: Kind, start: number, but?: TimedOrder): number =>
  orders.filter((one) => one !== but && one.times[kind] === start && !['Cancelled', 'Rejected'].includes(one.status))
    .length;

export const mayPlace = (orders: readonly TimedOrder[], times: Times, now: number): boolean =>
  KINDS.every((kind) => isOffered(kind, times[kind], now) && hasPlace(orders, kind, times[kind])) &&
  isWashed(times) &&
  orders.filter(({ status }) => status === 'Requested').length < MOST_WAITING;

export const createTimedOrder = (id: string, times: Times, now: number): TimedOrder => ({
  ...{ id, times, placedAt: now, status: 'Requested', paidDays: daysOf(times), proposal: undefined, trips: {} },
  ...{ backAt: undefined, isMissed: false },
});

/** Whether the laundry is fetched already, or a Duber is on the way to it. */
const hasBegun = ({ status, trips: { pickup } }: TimedOrder) =>
  status === 'In_Progress' || (pickup !== undefined && pickup.status !== 'Pending' && pickup.status !== 'Accepted');

/** What an order can move to, whoever asks. */
const canBe = (order: TimedOrder, times: Times, now: number) => {
  const moved = KINDS.filter((kind) => times[kind] !== order.times[kind]);
  return (
    isOpen(order) &&
    !(moved.includes('pickup') && hasBegun(order)) &&
    moved.every((kind) => isOffered(kind, times[kind], now)) &&
    isWashed(times)
  );
};

const hasRoom = (orders: readonly TimedOrder[], order: TimedOrder, times: Times) =>
  KINDS.every((kind) => times[kind] === order.times[kind] || hasPlace(orders, kind, times[kind], order));

export function mayMove(orders: readonly TimedOrder[], order: TimedOrder, times: Times, now: number): boolean {
  const movesPickup = times.pickup !== order.times.pickup;
  if (!movesPickup && times.return === order.times.return) return false;
  const first = movesPickup ? order.times.pickup : order.times.return;
  const isInTime = first - now >= 2 * HOUR;
  return isInTime && canBe(order, times, now) && daysOf(times) >= order.paidDays && hasRoom(orders, order, times);
}

export function applyMove(order: TimedOrder, times: Times): void {
  const { pickup } = order.trips;
  // Its Duber has not agreed to another time.
  if (pickup && times.pickup !== order.times.pickup)
    Object.assign(pickup, { status: 'Pending', duber: undefined, window: times.pickup });
  Object.assign(order, { times, proposal: undefined });
}

export const mayPropose = (order: TimedOrder, times: Times, now: number): boolean =>
  (times.pickup !== order.times.pickup || times.return !== order.times.return) &&
  canBe(order, times, now) &&
  order.proposal === undefined;

export function applyProposal(order: TimedOrder, times: Times, now: number): void {
  const movesPickup = times.pickup !== order.times.pickup;
  const agreed = movesPickup ? order.times.pickup : order.times.return;
  const soonest = now + HOUR / 2;
  const answerBy = agreed <= now ? soonest : Math.min(agreed, Math.max(agreed - 2 * HOUR, soonest));
  order.proposal = { times: { return: times.return, ...(movesPickup ? { pickup: times.pickup } : {}) }, answerBy };
}

/** The times that a Bud says yes to. */
export const proposedTimes = ({ times, proposal }: TimedOrder): Times => ({ ...times, ...proposal?.times });

export const mayAnswer = (orders: readonly TimedOrder[], order: TimedOrder, isYes: boolean, now: number): boolean => {
  if (!order.proposal || !isOpen(order)) return false;
  const times = proposedTimes(order);
  return !isYes || (canBe(order, times, now) && hasRoom(orders, order, times));
};

type OrderStep = 'accept-order' | 'reject-order' | 'cancel-order' | 'start-order' | 'complete-order';
const FROM: Readonly<Record<OrderStep, readonly [TimedOrder['status'], TimedOrder['status']]>> = {
  'accept-order': ['Requested', 'Accepted'],
  'reject-order': ['Requested', 'Rejected'],
  'cancel-order': ['Requested', 'Cancelled'],
  'start-order': ['Accepted', 'In_Progress'],
  'complete-order': ['In_Progress', 'Completed'],
};
export const ORDER_STEPS = Object.keys(FROM) as readonly OrderStep[];
export const mayStep = (order: TimedOrder, step: OrderStep): boolean => order.status === FROM[step][0];

export function applyStep(order: TimedOrder, step: OrderStep, now: number): void {
  order.status = FROM[step][1];
  if (step !== 'accept-order') order.proposal = undefined;
  const kind = step === 'accept-order' ? 'pickup' : step === 'complete-order' ? 'return' : undefined;
  if (!kind) return;
  const start = order.times[kind];
  order.trips[kind] = { status: 'Pending', duber: undefined, window: start + LENGTH > now ? start : undefined };
}

const isUnderWay = ({ status, window }: Trip) =>
  ['Way_To_Pick', 'Collected', 'Way_To_Drop'].includes(status) || (status === 'Accepted' && window === undefined);
const isAhead = ({ status, window }: Trip) => status === 'Accepted' && window !== undefined;
export const tripsOf = ({ trips }: TimedOrder): Trip[] => [trips.pickup, trips.return].flatMap((trip) => trip ?? []);
const othersOf = (orders: readonly TimedOrder[], trip: Trip, duber: number) =>
  orders.flatMap(tripsOf).filter((one) => one !== trip && one.duber === duber);

const NEXT = {
  Pending: 'Accepted',
  Accepted: 'Way_To_Pick',
  Way_To_Pick: 'Collected',
  Collected: 'Way_To_Drop',
  Way_To_Drop: 'Delivered',
} as const;
export const TRIP_STEPS = {
  Pending: 'accept-delivery',
  Accepted: 'way-to-pickup',
  Way_To_Pick: 'collected',
  Collected: 'way-to-drop',
  Way_To_Drop: 'delivered',
} as const;

const isForLater = ({ window }: Trip, now: number) => window !== undefined && window + LENGTH > now;

/** Whether a Duber can take the next step of a trip. */
export function mayDrive(orders: readonly TimedOrder[], trip: Trip, duber: number, now: number): boolean {
  const others = othersOf(orders, trip, duber);
  const isBusy = others.some(isUnderWay);
  if (trip.status === 'Delivered') return false;
  if (trip.status !== 'Pending') return trip.duber === duber && !(trip.status === 'Accepted' && isBusy);
  if (!isForLater(trip, now)) return !isBusy;
  const ahead = others.filter(isAhead);
  return ahead.length < MOST_AHEAD && ahead.filter(({ window }) => window === trip.window).length < MOST_AT_ONCE;
}

export function applyDrive(order: TimedOrder, trip: Trip, duber: number, now: number): void {
  if (trip.status === 'Delivered') return;
  if (trip.status === 'Pending')
    Object.assign(trip, { duber, window: isForLater(trip, now) ? trip.window : undefined });
  trip.status = NEXT[trip.status];
  if (trip.status === 'Delivered' && trip === order.trips.return) order.backAt = now;
}

/** What the server has done by itself by now. */
export function applyTime(order: TimedOrder, now: number): void {
  if (order.status === 'Requested' && now >= Math.min(order.placedAt + DAY, order.times.pickup))
    Object.assign(order, { status: 'Cancelled', proposal: undefined });
  if (order.proposal && now >= order.proposal.answerBy) order.proposal = undefined;
  const promisedAt = order.times.return + LENGTH;
  const isOwed = order.status === 'Completed' || order.status === 'Accepted' || order.status === 'In_Progress';
  if (isOwed && now >= promisedAt && !(order.backAt !== undefined && order.backAt <= promisedAt)) order.isMissed = true;
}
