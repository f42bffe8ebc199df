import { expect, test } from 'vitest';
import { DELIVERY_NEEDS, type DeliveryFacts, NEEDS, REASONS } from '../needs.ts';
import { chooseRow, type Transition } from '../workflow.ts';
import {
  DELIVERY_ROWS,
  type DeliveryRow,
  type DeliveryTaken,
  isPlannedAction,
  splitTripPrice,
  UNPLANNED_STATUSES,
} from './delivery.ts';

const UNPLANNED: readonly string[] = UNPLANNED_STATUSES;

// Written out again on purpose, so that a mistake in the table fails a test: who, from, to, needs, and + for the next attempt.
const EXPECTED: Record<string, readonly string[]> = {
  'accept-delivery': ['Duber Pending Accepted left-others-first not-busy room-ahead no-restriction'],
  'way-to-pickup': ['Duber Accepted Way_To_Pick own not-busy'],
  collected: ['Duber Way_To_Pick Collected own proven'],
  'way-to-drop': ['Duber Collected Way_To_Drop own'],
  delivered: ['Duber Way_To_Drop Delivered own proven'],
  'drop-delivery': ['Duber Accepted Pending reason +', 'Duber Way_To_Pick Pending reason +'],
  'take-off': ['Operator Accepted Pending reason +', 'Operator Way_To_Pick Pending reason +'],
  silent: ['System Accepted Pending silence-counts no-sign +', 'System Way_To_Pick Pending silence-counts no-sign +'],
  'time-moved': ['System Accepted Pending not-relayed +'],
  'arrived-at-pickup': ['Duber Way_To_Pick Way_To_Pick at-the-place not-said-before'],
  'pickup-failed': ['Duber Way_To_Pick Failed not-carried-by-them arrived waited reason photo'],
  'arrived-at-drop': ['Duber Way_To_Drop Way_To_Drop at-the-place not-said-before'],
  'drop-failed': ['Duber Way_To_Drop Failed not-taken arrived waited reason photo'],
  'try-again': ['Duber Failed Way_To_Drop laundry-on-board same-day +'],
  'bring-back': ['Duber Failed Way_Back laundry-on-board', 'Operator Failed Way_Back laundry-on-board reason'],
  'brought-back': ['Duber Way_Back Returned proven', 'Operator Way_Back Returned reason'],
  'mark-delivered': ['Operator Collected Delivered reason', 'Operator Way_To_Drop Delivered reason'],
  're-offer': [
    'Bud Failed Pending laundry-not-on-board first-re-offer +',
    'Bud Returned Pending first-re-offer +',
    'Operator Failed Pending laundry-not-on-board reason +',
    'Operator Returned Pending reason +',
  ],
  relay: ['Operator Collected Pending reason place +', 'Operator Way_To_Drop Pending reason place +'],
  'call-off': [
    'Operator Pending Called_Off reason words-about-laundry',
    'Operator Accepted Called_Off reason words-about-laundry',
    'Operator Way_To_Pick Called_Off reason words-about-laundry',
    'Operator Failed Called_Off laundry-not-on-board reason words-about-laundry',
    'Operator Failed Called_Off lost reason',
    'Operator Returned Called_Off reason',
    'System Pending Called_Off not-relayed',
    'System Accepted Called_Off not-relayed',
    'System Way_To_Pick Called_Off not-relayed',
    'System Failed Called_Off laundry-not-on-board not-relayed',
    'System Failed Called_Off lost',
    'System Returned Called_Off',
  ],
  correct: [
    'Duber Collected Way_To_Pick can-be-undone +',
    'Duber Delivered Way_To_Drop not-confirmed can-be-undone +',
    'Duber Failed Way_To_Pick laundry-not-on-board can-be-undone +',
    'Duber Failed Way_To_Drop laundry-on-board not-lost can-be-undone +',
    'Operator Collected Way_To_Pick reason +',
    'Operator Delivered Way_To_Drop reason +',
    'Operator Failed Way_To_Pick laundry-not-on-board reason +',
    'Operator Failed Way_To_Drop laundry-on-board not-lost reason +',
  ],
  'report-lost': [
    'Duber Collected Failed not-taken words +',
    'Duber Way_To_Drop Failed not-taken words +',
    'Duber Way_Back Failed not-taken words +',
    'Operator Collected Failed reason +',
    'Operator Way_To_Drop Failed reason +',
    'Operator Way_Back Failed reason +',
    'Operator Failed Failed laundry-on-board not-lost reason +',
  ],
};

test('the table says who may take which step of a delivery', () => {
  const rows: Record<string, string[]> = {};
  for (const { action, by, from, to, ...more } of DELIVERY_ROWS) {
    const needs = 'needs' in more ? more.needs : [];
    rows[action] ??= [];
    rows[action].push([by, from, to, ...needs, ...('startsOver' in more ? ['+'] : [])].join(' '));
  }
  expect(rows).toEqual(EXPECTED);
});

const BEFORE = {
  status: 'Way_To_Pick',
  type: 'Bud_To_Scrub',
  duberId: 'dan',
  carrierId: null,
  hasLaundry: false,
  price: 900,
  paidBy: null,
  wholeWay: { price: 900, distanceM: 3336 },
  origin: { latitude: 24, longitude: 67 },
  pickup: { latitude: 24, longitude: 67 },
  drop: { latitude: 24.03, longitude: 67 },
  arrivedAt: new Date(0),
  lastAction: null,
  ...{ lostAt: null, dueFrom: null, dueUntil: null },
} as const satisfies DeliveryTaken['delivery'];
const TAKEN: DeliveryTaken = {
  delivery: BEFORE,
  ...{ actorId: 'dan', at: new Date(0), reason: null, cause: 'platform' },
  place: { latitude: 24.015, longitude: 67 },
};

const LEAVES = 'duberId hasLaundry leftBy leftAt';
// Written out again, too: every cause of every row, in the order in which the server does them.
const CAUSES: Record<string, readonly string[]> = {
  'accept-delivery': ['sets duberId, changes PINs'],
  'way-to-pickup': [''],
  collected: ['sets hasLaundry, handsOver duber'],
  'way-to-drop': [''],
  delivered: ['sets hasLaundry deliveredAt, handsOver recipient, pays leg, notifies delivered Bud Scrub, arrives'],
  'drop-delivery': Array(2).fill(`sets ${LEAVES}, notifies dropped sender atPickup, offers`),
  'take-off': Array(2).fill(`sets ${LEAVES}, notifies dropped sender duber holder, offers`),
  silent: Array(2).fill(`sets ${LEAVES}, notifies dropped sender duber holder, offers`),
  'time-moved': ['sets duberId hasLaundry leftBy, notifies dropped duber, offers'],
  'arrived-at-pickup': ['notifies arrived atPickup'],
  'pickup-failed': [
    'sets stoppedAt, opens failed-pickup, pays trip proven by failure, notifies failed-pickup Bud Scrub',
  ],
  'arrived-at-drop': ['notifies arrived recipient'],
  'drop-failed': ['opens failed-drop, notifies failed-drop Bud Scrub'],
  'try-again': ['notifies failed-drop Bud Scrub after a loss'],
  'bring-back': ['notifies failed-drop Bud Scrub after a loss', 'notifies failed-drop Bud Scrub after a loss'],
  'brought-back': Array(2).fill(
    'sets hasLaundry carrierId stoppedAt, handsOver sender, pays return proven by failure-before, notifies failed-drop Bud Scrub',
  ),
  'mark-delivered': Array(2).fill(
    'sets hasLaundry deliveredAt, handsOver recipient, pays leg, notifies delivered Bud Scrub, arrives',
  ),
  're-offer': [1, 2].flatMap(() => [
    'sets duberId hasLaundry leftBy, offers',
    'sets duberId hasLaundry leftBy price distanceM pickup, offers',
  ]),
  relay: Array(2).fill(
    `sets ${LEAVES} dueFrom dueUntil carrierId pickup price distanceM, pays relay, notifies dropped sender duber holder, offers`,
  ),
  'call-off': ['Bud Scrub duber holder', 'duber holder'].flatMap((people) =>
    ['', '', 'pays trip proven by on-the-way, ', '', '', ''].map(
      (pays) => `sets hasLaundry stoppedAt lostAt pickup, ${pays}notifies called-off ${people}, settles`,
    ),
  ),
  correct: [1, 2].flatMap(() => [
    'sets hasLaundry, closesCase, takesBack handover-of-attempt, undoes earnings, unsays failed-pickup failed-drop',
    'sets hasLaundry deliveredAt, closesCase, takesBack handover, undoes earnings, unsays failed-pickup failed-drop',
    'closesCase, undoes earnings, unsays failed-pickup failed-drop',
    'closesCase, undoes earnings, unsays failed-pickup failed-drop',
  ]),
  'report-lost': [
    ...Array(3).fill('sets lostAt, opens lost about Duber, holds lost, notifies failed-drop Bud Scrub'),
    ...Array(4).fill('sets lostAt, opens lost about Duber, holds lost, notifies failed-drop Bud Scrub duber'),
  ],
};

function describeCauses(row: DeliveryRow): string {
  const { closesCase, takesBack, handsOver, opens, undoes, pays, holds, unsays, notifies } = row;
  const sets = row.sets && Object.keys(row.sets(TAKEN)).join(' ');
  const parts = [
    sets && `sets ${sets}`,
    row.changesPins && 'changes PINs',
    closesCase && 'closesCase',
    takesBack && `takesBack ${takesBack}`,
    handsOver && `handsOver ${handsOver}`,
    opens && `opens ${opens.case}${opens.about ? ` about ${opens.about}` : ''}`,
    undoes && `undoes ${undoes}`,
    pays && `pays ${pays.kind}${pays.provenBy ? ` proven by ${pays.provenBy}` : ''}`,
    holds && `holds ${holds}`,
    unsays && `unsays ${unsays.join(' ')}`,
    notifies && `notifies ${[notifies.kind, ...notifies.to].join(' ')}${notifies.onlyAfterLoss ? ' after a loss' : ''}`,
    row.offers && 'offers',
    row.settles && 'settles',
    row.arrives && 'arrives',
  ];
  return parts.filter(Boolean).join(', ');
}

test('the table says what each step of a delivery causes', () => {
  const rows: readonly DeliveryRow[] = DELIVERY_ROWS;
  const causes = Object.groupBy(rows, ({ action }) => action);
  expect(
    Object.fromEntries(Object.entries(causes).map(([action, some]) => [action, some.map(describeCauses)])),
  ).toEqual(CAUSES);
});

function payerOf(action: string, before: Partial<DeliveryTaken['delivery']>, more: Partial<DeliveryTaken> = {}) {
  const delivery = { ...BEFORE, ...before };
  const row = (DELIVERY_ROWS as readonly DeliveryRow[]).find(
    (one) => one.action === action && one.from === delivery.status,
  );
  return row?.pays?.borneBy({ ...TAKEN, delivery, place: undefined, ...more });
}

test('the Bud pays a wasted trip that ended at their door for their reason, and the platform every other one', () => {
  const fail = (before: Partial<DeliveryTaken['delivery']>, reason: string) =>
    payerOf('pickup-failed', before, { reason });
  expect(fail({}, 'nobody-home')).toBe('order');
  expect(fail({}, 'unsafe')).toBe('platform');
  expect(fail({ type: 'Scrub_To_Bud' }, 'nobody-home'), 'at the Scrub’s').toBe('platform');
  expect(fail({ carrierId: 'eva' }, 'nobody-home'), 'at the Duber who could not go on').toBe('platform');
  expect(fail({ arrivedAt: null }, 'unsafe'), 'never there').toBeUndefined();
  expect(fail({ paidBy: 'scrub' }, 'nobody-home'), 'cleaned again at the cost of the Scrub').toBe('scrub');
});

test('the person who ends an order pays the Duber who is on the way, but not a Duber who has the laundry already', () => {
  const end = (before: Partial<DeliveryTaken['delivery']>, cause: DeliveryTaken['cause']) =>
    payerOf('call-off', before, { cause });
  expect((['bud', 'scrub', 'platform'] as const).map((cause) => end({}, cause))).toEqual([
    'order',
    'scrub',
    'platform',
  ]);
  expect(end({ carrierId: 'dan' }, 'bud')).toBeUndefined();
  expect(end({ carrierId: 'eva' }, 'bud')).toBe('order');
  expect(end({ status: 'Accepted' }, 'bud'), 'not set out yet').toBeUndefined();
});

test('a Duber who hands over on the way is paid for the part that is done, and at least a third of the way', () => {
  const split = (latitude: number) => splitTripPrice(BEFORE, { latitude, longitude: 67 });
  expect(split(24.015)).toMatchObject({ cents: 450, restCents: 450 });
  expect(split(24)).toMatchObject({ cents: 300, restCents: 900 });
  expect(split(24.03)).toMatchObject({ cents: 900, restCents: 300, restM: 0 });
});

test('every list of reasons belongs to a row that asks for a reason, or that the server takes', () => {
  for (const action of Object.keys(REASONS).filter((one) => one in EXPECTED))
    expect(EXPECTED[action]?.some((row) => row.includes('reason'))).toBe(true);
});

test('every need that is no rule of the body is checked', () => {
  const needed = NEEDS.filter((need) =>
    Object.values(EXPECTED).some((rows) => rows.join(' ').split(' ').includes(need)),
  );
  const checked = Object.keys(DELIVERY_NEEDS);
  expect(needed.filter((need) => !checked.includes(need))).toEqual(['reason', 'words', 'place']);
});

const FLOW: readonly Transition<string, string, string>[] = [
  { action: 'end', from: 'Failed', to: 'Ended', by: 'Operator', needs: ['laundry-not-on-board', 'not-relayed'] },
  { action: 'end', from: 'Failed', to: 'Lost', by: 'Operator', needs: ['laundry-on-board', 'lost'] },
];
const choose = (facts: Partial<DeliveryFacts>, by = 'Operator', status = 'Failed') =>
  chooseRow(FLOW, { action: 'end', status, by }, DELIVERY_NEEDS, facts as DeliveryFacts);

test('the first row whose status and needs fit is taken; else the row that comes closest says what is missing', () => {
  expect(choose({ hasLaundry: false, isRelayed: false })).toMatchObject({ ok: true, row: { to: 'Ended' } });
  expect(choose({ hasLaundry: true, isLost: true })).toMatchObject({ ok: true, row: { to: 'Lost' } });
  expect(choose({ hasLaundry: true, isLost: false })).toEqual({ ok: false, why: 'need', need: 'lost' });
  expect(choose({ hasLaundry: false, isRelayed: true })).toEqual({ ok: false, why: 'need', need: 'not-relayed' });
  expect(choose({}, 'Operator', 'Ended')).toEqual({ ok: false, why: 'wrong-status' });
  expect(choose({}, 'Bud')).toEqual({ ok: false, why: 'wrong-role' });
});

test('after an unplanned step, other than an arrival or a delivery marked by an operator, a delivery is in a later attempt, or at a status that no planned step leads to', () => {
  const rows: readonly DeliveryRow[] = DELIVERY_ROWS;
  const hasLeft = ({ to, startsOver }: DeliveryRow) => startsOver === true || UNPLANNED.includes(to);
  const stays = rows.filter((row) => !hasLeft(row));
  const unplanned = stays.filter(({ action }) => !isPlannedAction(action));
  expect(new Set(unplanned.map(({ action }) => action))).toEqual(
    new Set(['arrived-at-pickup', 'arrived-at-drop', 'mark-delivered']),
  );
  // No step in the first attempt leads from such a status to a planned one.
  expect(stays.filter(({ from }) => UNPLANNED.includes(from))).toEqual([]);
  expect(UNPLANNED).toEqual(['Failed', 'Way_Back', 'Returned', 'Called_Off']);
});
