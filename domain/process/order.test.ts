import { expect, test } from 'vitest';
import { describeCauses } from '../../testing/rowCauses.ts';
import { NEEDS, type Need, ORDER_NEEDS, type OrderFacts, REASONS } from '../needs.ts';
import { chooseRow } from '../workflow.ts';
import { ORDER_EXCEPTIONS, ORDER_FLOW, ORDER_ROWS, type OrderRow } from './order.ts';

const CALLED_OFF = 'callsOff platform, refunds ended, notifies cancelled Bud Scrub';
const CANCELS = (need: string, more: string) =>
  ['Requested', 'Accepted', 'In_Progress'].map(
    (from) => `Operator ${from} Cancelled not-with-a-duber reason way-home${need}: sets, ${more}${CALLED_OFF}`,
  );
const GIVEN_BACK = (by: string) =>
  `startsOver, sets, callsOff ${by}, forgetsWeight, forgets accepted given-back weighed, tells Bud, leaves Scrub, notifies given-back Bud`;

const whileTimed = (row: (from: string) => string) => ['Requested', 'Accepted', 'In_Progress'].map(row);

// Written out again on purpose, so that a mistake in the table fails a test: who, from, to, needs, and every cause in the order in
// which the server does them.
const ofPromise = (statuses: readonly string[], rest: string) =>
  statuses.map((status) => `System ${status} ${status} ${rest}`);

const EXPECTED: Record<string, readonly string[]> = {
  'cancel-order': ['Bud Requested Cancelled: counts cancellation, refunds ended'],
  'accept-order': [
    'Scrub Requested Accepted still-theirs: makesPins, charges hold, counts acceptance, opensDelivery Bud_To_Scrub, notifies accepted Bud',
  ],
  'reject-order': ['Scrub Requested Rejected still-theirs: refunds ended, notifies rejected Bud'],
  'expire-request': ['System Requested Cancelled not-given-back: refunds ended, notifies expired Bud Scrub'],
  'cancel-accepted': [
    'Bud Accepted Cancelled no-bag-moved reason fee-as-shown: callsOff bud, refunds ended, notifies cancelled Bud Scrub',
  ],
  'give-back': [
    `Scrub Accepted Requested no-bag-here reason: ${GIVEN_BACK('scrub')}`,
    `Operator Requested Requested not-given-back no-bag-here reason: ${GIVEN_BACK('platform')}`,
    `Operator Accepted Requested not-given-back no-bag-here reason: ${GIVEN_BACK('platform')}`,
  ],
  'choose-scrub': [
    'Bud Requested Requested given-back scrub-known scrub-available: changesScrub, leaves Scrub, notifies placed Scrub',
  ],
  'expire-given-back': ['System Requested Cancelled given-back: refunds ended, tells Bud, notifies cancelled Bud'],
  remind: ['System Accepted Accepted laundry-here: tells Scrub, notifies reminder Scrub'],
  'scrub-silent': ['System Accepted Accepted laundry-here: opens scrub-silent'],
  'start-order': ['Scrub Accepted In_Progress laundry-seen: handsOver Scrub'],
  late: ['System In_Progress In_Progress not-promised: opens late, notifies late Bud Scrub'],
  'complete-order': [
    'Scrub In_Progress Completed weighed correction-answered laundry-in-hand: sets, earns completion, handsOver Bud, opensDelivery Scrub_To_Bud',
  ],
  'move-window': whileTimed(
    (from) =>
      `Bud ${from} ${from} has-times still-theirs pickup-not-begun other-times time-to-move window-offered not-faster: movesWindows asked, forgets moved, notifies moved Scrub`,
  ),
  'propose-window': [
    ...whileTimed(
      (from) =>
        `Scrub ${from} ${from} has-times still-theirs reason pickup-not-begun other-times window-offered none-proposed: proposes, forgets proposed, notifies proposed Bud`,
    ),
    ...whileTimed(
      (from) =>
        `Operator ${from} ${from} has-times pickup-not-begun other-times window-offered: proposes, forgets proposed, notifies proposed Bud`,
    ),
  ],
  'accept-window': whileTimed(
    (from) =>
      `Bud ${from} ${from} proposed pickup-not-begun window-offered: movesWindows proposed, answersProposal yes, forgets moved, notifies moved Scrub`,
  ),
  'refuse-window': [
    ...whileTimed(
      (from) =>
        `Bud ${from} ${from} proposed proposed-by-town: opens window, answersProposal no, forgets moved, notifies moved Scrub`,
    ),
    ...whileTimed((from) => `Bud ${from} ${from} proposed: answersProposal no, forgets moved, notifies moved Scrub`),
  ],
  'promise-near': ofPromise(
    ['Accepted', 'In_Progress', 'Completed'],
    'promised not-back: tells Scrub, notifies promise-near Scrub Duber',
  ),
  'promise-missed': ofPromise(
    ['Accepted', 'In_Progress', 'Completed'],
    'promised not-back-in-time: owes credit, notifies promise-missed Bud Scrub Duber',
  ),
  'promise-overdue': ofPromise(['Accepted', 'In_Progress', 'Completed'], 'promised not-back: opens late'),
  'promise-settled': ofPromise(
    ['Requested', 'Accepted', 'In_Progress', 'Completed'],
    'credit-owed: settlesPromise, forgets promise-missed, notifies promise-missed Bud',
  ),
  'window-unanswered': whileTimed((from) => `System ${from} ${from} proposed: opens window, answersProposal expired`),
  'cancel-by-operator': [
    ...CANCELS(' newly-lost', 'opens lost Scrub, '),
    ...CANCELS(' is-brought', '').map((row) => row.replace('platform,', 'platform, opensDelivery Scrub_To_Bud true,')),
    ...CANCELS('', ''),
  ],
  reopen: [
    'Operator Completed In_Progress deliveries-ended not-closed reason: startsOver, sets, opensDelivery Bud_To_Scrub, owes credit, forgets reopened late reminder, notifies reopened Bud Scrub',
  ],
  close: ['System Completed Completed deliveries-ended: sets, refunds unearned'],
};

const CAUSES = [
  ...(['startsOver', 'sets', 'makesPins', 'opens', 'callsOff', 'forgetsWeight', 'changesScrub', 'charges'] as const),
  ...([
    'counts',
    'earns',
    'handsOver',
    'opensDelivery',
    'refunds',
    'movesWindows',
    'proposes',
    'answersProposal',
    'owes',
    'settlesPromise',
  ] as const),
  ...(['forgets', 'tells', 'leaves', 'notifies'] as const),
];

const describeRow = (row: OrderRow): string =>
  `${[row.by, row.from, row.to, ...(row.needs ?? [])].join(' ')}: ${describeCauses(row, CAUSES)}`;

test('who may do what with an order, what it needs, and what it causes', () => {
  const rows = Map.groupBy(ORDER_ROWS as readonly OrderRow[], ({ action }) => action);
  expect(Object.fromEntries([...rows].map(([action, some]) => [action, some.map(describeRow)]))).toEqual(EXPECTED);
  const known = ['action', 'from', 'to', 'by', 'needs', 'after', 'planned', 'countsFrom', 'once', ...CAUSES];
  expect([...new Set(ORDER_ROWS.flatMap((row) => Object.keys(row)))].filter((key) => !known.includes(key))).toEqual([]);
});

test('every row is either a step of the normal life or an exception, and no action is both', () => {
  expect([...ORDER_FLOW, ...ORDER_EXCEPTIONS]).toHaveLength(ORDER_ROWS.length);
  const planned = ORDER_FLOW.map(({ action }) => action as string);
  expect(ORDER_EXCEPTIONS.filter(({ action }) => planned.includes(action))).toEqual([]);
});

const AT = new Date('2026-11-18T12:00:00Z');
const setsOf = (action: string, taken: { waysPaidBy?: 'scrub' | 'bud'; wayHome?: 'fetch' } = {}) =>
  (ORDER_ROWS as readonly OrderRow[])
    .find((row) => row.action === action)
    ?.sets?.({ at: AT, waysPaidBy: taken.waysPaidBy, wayHome: taken.wayHome });

test('a row sets the columns of the order that say when it was done, given back or closed, and who pays its deliveries', () => {
  expect(setsOf('complete-order')).toEqual({ completedAt: AT });
  expect(setsOf('give-back')).toEqual({ givenBackAt: AT, handedOverAt: null });
  expect(setsOf('close')).toEqual({ closedAt: AT });
  expect(setsOf('reopen', { waysPaidBy: 'scrub' })).toEqual({
    ...{ completedAt: null, handedOverAt: null, waysPaidBy: 'scrub' },
    ...{ pickupFrom: null, pickupUntil: null, returnFrom: null, returnUntil: null },
    ...{ turnaround: null, promisedAt: null },
  });
  expect(setsOf('reopen', { waysPaidBy: 'bud' })).toMatchObject({ waysPaidBy: 'platform' });
  expect(setsOf('cancel-by-operator', { wayHome: 'fetch' })).toEqual({ wayHome: 'fetch' });
  expect(setsOf('cancel-by-operator')).toEqual({ wayHome: null });
});

const FREE = {
  ...{ isWithDuber: false, isWeighed: false, hasWeight: false, isStartCareful: false, isLookedFor: false },
  ...{ isLaundryHere: false, isWithScrub: false, correction: undefined, wayHome: undefined },
};
const choose = (action: string, status: string, by: string, facts: Partial<OrderFacts>) =>
  chooseRow(ORDER_ROWS as readonly OrderRow[], { action, status, by }, ORDER_NEEDS, {
    ...FREE,
    ...facts,
  } as OrderFacts);

test('the way home of laundry decides what a cancellation by an operator causes', () => {
  const cancel = (facts: Partial<OrderFacts>) => {
    const choice = choose('cancel-by-operator', 'Accepted', 'Operator', facts);
    return choice.ok ? (choice.row.opens?.case ?? choice.row.opensDelivery?.type) : choice;
  };
  expect(cancel({ wayHome: 'lost' })).toBe('lost');
  expect(cancel({ wayHome: 'lost', isLookedFor: true })).toBeUndefined();
  expect(cancel({ wayHome: 'bring' })).toBe('Scrub_To_Bud');
  expect(cancel({ wayHome: 'fetch' })).toBeUndefined();
  expect(cancel({ isWithDuber: true })).toEqual({ ok: false, why: 'need', need: 'not-with-a-duber' });
});

test('only a careful town asks for the laundry before it is started or completed', () => {
  const needOf = (action: string, status: string, facts: Partial<OrderFacts>) => {
    const choice = choose(action, status, 'Scrub', facts);
    return choice.ok ? undefined : choice.why === 'need' ? choice.need : choice.why;
  };
  expect(needOf('start-order', 'Accepted', {})).toBeUndefined();
  expect(needOf('start-order', 'Accepted', { isStartCareful: true })).toBe('laundry-seen');
  expect(needOf('start-order', 'Accepted', { isStartCareful: true, isLaundryHere: true })).toBeUndefined();
  expect(needOf('complete-order', 'In_Progress', { isStartCareful: true })).toBe('laundry-in-hand');
  expect(needOf('complete-order', 'In_Progress', { isStartCareful: true, isWithScrub: true })).toBeUndefined();
  expect(needOf('complete-order', 'In_Progress', { isWeighed: true })).toBe('weighed');
  expect(needOf('complete-order', 'In_Progress', { isWeighed: true, hasWeight: true, correction: 'asked' })).toBe(
    'correction-answered',
  );
});

test('every need that is no rule of the body is checked', () => {
  const needed = new Set<Need>((ORDER_ROWS as readonly OrderRow[]).flatMap(({ needs = [] }) => needs));
  const checked = Object.keys(ORDER_NEEDS);
  expect(NEEDS.filter((need) => needed.has(need) && !checked.includes(need))).toEqual(['reason']);
});

test('every list of reasons belongs to a row that asks for a reason', () => {
  for (const action of Object.keys(REASONS).filter((one) => one in EXPECTED))
    expect(EXPECTED[action]?.some((row) => row.includes('reason'))).toBe(true);
});
