// What a member of a gang can try with an order: every call of people that moves laundry, money or a case.

import type { Role } from '../../domain/accounts.ts';
import { ITEM_KINDS, OFFERS } from '../../domain/cases.ts';
import { ACTIVE_STATUSES } from '../../domain/deliveries.ts';
import { reasonsOf } from '../../domain/needs.ts';
import { CASE_CALL_ROWS } from '../../domain/process/case.ts';
import { DELIVERY_CALL_ROWS, DELIVERY_EXCEPTION_ROWS } from '../../domain/process/delivery.ts';
import { ORDER_CALL_ROWS, ORDER_EXCEPTION_ROWS } from '../../domain/process/order.ts';
import { CORRECTION_ANSWERS } from '../../domain/weighing.ts';
import { chooseWeighted, type Random } from '../../testing/random.ts';
import type { BoardCase, BoardDelivery, BoardOrder } from './gangBoard.ts';

/** How somebody tries a step. It is drawn once and kept, so that the same trick can be tried again. */
export type Choice = {
  readonly reason?: string;
  readonly hasPhoto?: boolean;
  readonly isNear?: boolean;
  /** Said to have been taken so many seconds after the last step, by a phone that was offline. */
  readonly lateS?: number;
  readonly pin?: 'none' | 'right' | 'wrong' | 'five wrong';
  readonly bags?: number;
  readonly offer?: (typeof OFFERS)[number];
  /** Of what the order costs. */
  readonly share?: number;
  readonly itemKind?: (typeof ITEM_KINDS)[number];
  readonly answer?: (typeof CORRECTION_ANSWERS)[number];
  readonly pounds?: number;
  readonly leaveAtDoor?: boolean;
};

export type Person = { readonly id: string; readonly role: Role };
/** What of an order a verb is about. */
export type Subject = { readonly delivery?: BoardDelivery; readonly of?: BoardCase };

export type Verb = {
  readonly name: string;
  readonly role: Role;
  /** How often it is tried, compared with others that can be. */
  readonly weight: number;
  /** What it can be tried on now; undefined when the order is not in a state for it. */
  readonly find: (order: BoardOrder, person: Person) => Subject | undefined;
  readonly choose: (random: Random) => Choice;
};

const pick = <T>(random: Random, from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;

const isParty = ({ budId, scrubId }: BoardOrder, { id, role }: Person) =>
  role === 'Duber' || id === (role === 'Bud' ? budId : scrubId);

type Row = { readonly action: string; readonly from: string; readonly by: Role };
type Named = { readonly action: string; readonly role: Role; readonly from: readonly string[] };

export const DAY_CALLS: readonly string[] = DELIVERY_CALL_ROWS.map(({ action }) => action);

/** The calls of a table: one for each action and role. */
const callsOf = (rows: readonly Row[]): Named[] => {
  const names = [...new Set(rows.map(({ action, by }) => `${by} ${action}`))];
  return names.map((name) => {
    const own = rows.filter(({ action, by }) => `${by} ${action}` === name) as [Row, ...Row[]];
    return { action: own[0].action, role: own[0].by, from: own.map(({ from }) => from) };
  });
};

/** What ends an order early, or goes in circles, is tried less often. */
const SELDOM: Readonly<Record<string, number>> = {
  ...{ 'cancel-order': 0.3, 'reject-order': 0.1, 'cancel-accepted': 0.7, 'give-back': 0.7, 'drop-delivery': 0.4 },
  ...{ correct: 0.5, 'report-lost': 0.3, 'pickup-failed': 1.5 },
};

const ON_THE_WAY = ['accept-delivery', 'way-to-pickup'] as const;
const BROUGHT = [...ON_THE_WAY, 'collected', 'way-to-drop', 'delivered'] as const;
const CLEANED = ['accept-order', ...BROUGHT, 'start-order', 'weigh', 'complete-order'] as const;

/** How far an order can come on a good day, before the gang begins to try things with it. */
export const OPENINGS = {
  requested: [],
  accepted: ['accept-order'],
  'on the way': ['accept-order', ...ON_THE_WAY],
  carried: ['accept-order', ...ON_THE_WAY, 'collected', 'way-to-drop'],
  'at the Scrub': ['accept-order', ...BROUGHT],
  cleaned: CLEANED,
  'on the way back': [...CLEANED, ...ON_THE_WAY],
  delivered: [...CLEANED, ...BROUGHT],
} as const satisfies Readonly<Record<string, readonly string[]>>;
export const GOOD_DAY: readonly string[] = OPENINGS.delivered;
const weightOf = (action: string) => SELDOM[action] ?? 1;

const reasonOf = (random: Random, action: string) => pick(random, reasonsOf(action) ?? ['other']);

const ORDER_VERBS: readonly Verb[] = callsOf([...ORDER_CALL_ROWS, ...ORDER_EXCEPTION_ROWS]).map(
  ({ action, role, from }) => ({
    ...{ name: action, role, weight: weightOf(action) },
    find: (order, person) => (isParty(order, person) && from.includes(order.status) ? {} : undefined),
    choose: (random) => (reasonsOf(action) ? { reason: reasonOf(random, action) } : {}),
  }),
);

/** The delivery that somebody can try a step with. */
const findDelivery = ({ deliveries }: BoardOrder, { id, role }: Person, from: readonly string[]) =>
  deliveries.findLast(
    ({ status, duberId }) => from.includes(status) && (role !== 'Duber' || duberId === id || status === 'Pending'),
  );

const HANDOVERS = ['collected', 'delivered', 'brought-back'] as const;
export const isHandover = (action: string): boolean => (HANDOVERS as readonly string[]).includes(action);
const needsPhoto = (action: string) => action.startsWith('arrived') || action.endsWith('failed');

/** How a phone tells of a step: often with all that makes it a good one. */
function chooseReport(random: Random, action: string): Choice {
  const late = random() < 0.25 ? { lateS: pick(random, [1, 2, 60, 301, 1_800]) } : {};
  const place = { isNear: random() < 0.6, hasPhoto: random() < (needsPhoto(action) ? 0.6 : 0.2) };
  if (isHandover(action)) return { ...late, ...place, ...chooseProof(random) };
  return DAY_CALLS.includes(action) ? late : { ...late, ...place, reason: reasonOf(random, action) };
}

const chooseProof = (random: Random): Choice => ({
  pin: chooseWeighted(random, { right: 5, none: 3, wrong: 0.5, 'five wrong': 0.6 }),
  bags: pick(random, [2, 2, 2, 3]),
});

const DELIVERY_VERBS: readonly Verb[] = callsOf([...DELIVERY_CALL_ROWS, ...DELIVERY_EXCEPTION_ROWS]).map(
  ({ action, role, from }) => ({
    ...{ name: action, role, weight: weightOf(action) },
    find: (order, person) => {
      const isFree = action !== 'accept-delivery' || !order.busy.includes(person.id);
      return isFree && isParty(order, person) ? asSubject(findDelivery(order, person, from)) : undefined;
    },
    choose: (random) => chooseReport(random, action),
  }),
);

const WAITS_FOR: Readonly<Record<string, Role>> = { 'with-scrub': 'Scrub', 'with-duber': 'Duber', 'with-bud': 'Bud' };

const CASE_VERBS: readonly Verb[] = callsOf(CASE_CALL_ROWS).map(({ action, role, from }) => ({
  ...{ name: action, role, weight: 4 },
  find: (order, person) => {
    const of = order.cases.findLast(({ status }) => from.includes(status) && (WAITS_FOR[status] ?? role) === role);
    return of && isParty(order, person) ? { of } : undefined;
  },
  choose: (random) => ({ offer: pick(random, OFFERS), share: pick(random, [0.1, 0.5, 1, 1]) }),
}));

const OTHER_VERBS: readonly Verb[] = [
  {
    ...{ name: 'claim', role: 'Bud', weight: 3 },
    find: (order, person) => (isParty(order, person) && hasCleanLaundry(order) ? {} : undefined),
    choose: (random) => ({
      ...{ itemKind: pick(random, ITEM_KINDS), share: pick(random, [0.1, 0.5, 1, 1]), hasPhoto: random() < 0.8 },
    }),
  },
  ...(['Bud', 'Scrub', 'Duber'] as const).map(
    (role): Verb => ({
      ...{ name: 'question', role, weight: 0.1 },
      find: (order, person) => (isParty(order, person) ? {} : undefined),
      choose: () => ({}),
    }),
  ),
  {
    ...{ name: 'relay', role: 'Duber', weight: 0.2 },
    find: (order, person) => asSubject(findDelivery(order, person, ['Collected', 'Way_To_Drop'])),
    choose: (random) => ({ isNear: random() < 0.5 }),
  },
  {
    ...{ name: 'share-position', role: 'Duber', weight: 0.5 },
    find: (order, person) => asSubject(findDelivery(order, person, ACTIVE_STATUSES)),
    choose: (random) => ({ isNear: random() < 0.6 }),
  },
  {
    ...{ name: 'weigh-on-the-way', role: 'Duber', weight: 0.5 },
    find: (order, person) =>
      order.isWeighed ? asSubject(findDelivery(order, person, ['Collected', 'Way_To_Drop'])) : undefined,
    choose: choosePounds,
  },
  {
    ...{ name: 'weigh', role: 'Scrub', weight: 1 },
    find: (order, person) => (order.isWeighed && isParty(order, person) && isBegun(order) ? {} : undefined),
    choose: choosePounds,
  },
  {
    ...{ name: 'answer-weight', role: 'Bud', weight: 1 },
    find: (order, person) => (order.isWeighed && isParty(order, person) ? {} : undefined),
    choose: (random) => ({ answer: pick(random, CORRECTION_ANSWERS) }),
  },
  ...(['Bud', 'Scrub'] as const).map(
    (role): Verb => ({
      ...{ name: 'has-bags', role, weight: 0.2 },
      find: (order, person) => (isParty(order, person) && order.status !== 'Requested' ? {} : undefined),
      choose: (random) => ({ bags: pick(random, [2, 2, 2, 3]) }),
    }),
  ),
  {
    ...{ name: 'leave-at-door', role: 'Bud', weight: 0.1 },
    find: (order, person) => (isParty(order, person) ? {} : undefined),
    choose: (random) => ({ leaveAtDoor: random() < 0.8 }),
  },
];

function asSubject(delivery: BoardDelivery | undefined): Subject | undefined {
  return delivery && { delivery };
}
const hasCleanLaundry = ({ status, deliveries }: BoardOrder) =>
  status === 'Completed' &&
  deliveries.every((delivery) => delivery.type === 'Bud_To_Scrub' || delivery.status === 'Delivered');
const isBegun = ({ status }: BoardOrder) => status === 'Accepted' || status === 'In_Progress';
function choosePounds(random: Random): Choice {
  return { pounds: pick(random, [2, 4, 5, 7, 12, 20, 38]) };
}

export const VERBS: readonly Verb[] = [...ORDER_VERBS, ...DELIVERY_VERBS, ...CASE_VERBS, ...OTHER_VERBS];

export const ORDER_CALLS: readonly string[] = ORDER_VERBS.map(({ name }) => name);
export const CASE_CALLS: readonly string[] = CASE_VERBS.map(({ name }) => name);

/** How a member tries a step that a good day needs. */
export const chooseWell = ({ name }: Verb): Choice => {
  if (isHandover(name)) return { pin: 'right', bags: 2 };
  return name === 'weigh' ? { pounds: 4 } : {};
};
