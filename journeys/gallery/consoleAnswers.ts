import type { OperatorClient } from '../../contract/operator/client.ts';
import { HOUR_MS } from '../../domain/durations.ts';
import { WORK_QUEUES } from '../../domain/workQueues.ts';
import { circleAround } from '../../domain/zones.ts';

/** What the demo does not have: chargebacks, claims, days that differ, and what waits for another operator. */

const NOW = Date.now();
const at = (hours: number): string => new Date(NOW + hours * HOUR_MS).toISOString();
const ID = '0192f0c1-7a3b-7c4d-8e5f-0123456789ab';
const OTHER_ID = '0192f0c1-7a3b-7c4d-8e5f-0123456789ac';

type AnswerOf<N extends keyof OperatorClient> = Awaited<ReturnType<OperatorClient[N]>>;
type Item<L extends { items: unknown[] }> = L['items'][number];

export const EMPTY = { items: [], hasMore: false };
export const CASE_ID = ID;
export const DISPUTE_ID = ID;
export const DAY = '2026-11-23';

const NONE = { count: 0, items: [] };

/** A new town, in which everything is in time. */
export const EMPTY_TODAY: AnswerOf<'readToday'> = {
  at: at(0),
  ...{
    cases: NONE,
    approvals: NONE,
    documents: NONE,
    unanswered: NONE,
    givenBack: NONE,
    notStarted: NONE,
    atRisk: NONE,
  },
  ...{ unclaimed: NONE, stopped: NONE, silent: NONE },
  windows: [],
  ...{ stuckPayments: 0, stuckRefunds: 0, differingDays: 0, givenUpMessages: 0, mailTrouble: null },
  queues: WORK_QUEUES.map((queue) => ({ queue, length: 0, lateSince: null })),
  books: null,
  backupAt: null,
  counters: { since: at(-12), placed: 0, completed: 0, cancelled: 0, inProgress: 0, money: 0 },
};

type ZoneWindows = AnswerOf<'readToday'>['windows'][number];

/** How full the windows of one zone are: what is taken of eight places today and tomorrow, and how many are promised and at risk today. */
const windowsOf = (
  zone: ZoneWindows['zone'],
  { taken, promised, atRisk = 0, closedUntil = null }: WindowNumbers,
): ZoneWindows => {
  const places = (count: number) => ({ pickup: { places: 8, taken: count }, return: { places: 8, taken: count } });
  const [today, tomorrow] = [0, 24].map((hours) => at(hours).slice(0, 10)) as [string, string];
  return {
    ...{ zone, closedUntil },
    days: [
      { day: today, ...places(taken[0]), promised, atRisk },
      { day: tomorrow, ...places(taken[1]), promised: taken[1], atRisk: 0 },
    ],
  };
};
type WindowNumbers = {
  readonly taken: readonly [today: number, tomorrow: number];
  readonly promised: number;
  readonly atRisk?: number;
  readonly closedUntil?: string | null;
};

const todayWith = (...windows: ZoneWindows[]): AnswerOf<'readToday'> => ({ ...EMPTY_TODAY, windows });
const RIVERSIDE = { id: ID, name: 'Riverside' };
const OLD_MILLS = { id: OTHER_ID, name: 'Old Mills' };

/** A town with windows: without orders, with some, in zones of which one is full and one is closed, and with orders at risk. */
export const NO_BOOKINGS = todayWith(windowsOf(null, { taken: [0, 0], promised: 0 }));
export const SOME_BOOKINGS = todayWith(windowsOf(null, { taken: [3, 1], promised: 3 }));
export const FULL_WINDOWS = todayWith(
  windowsOf(null, { taken: [0, 0], promised: 0 }),
  windowsOf(OLD_MILLS, { taken: [2, 0], promised: 2, closedUntil: at(8) }),
  windowsOf(RIVERSIDE, { taken: [8, 8], promised: 8 }),
);
export const WINDOWS_AT_RISK = todayWith(
  windowsOf(null, { taken: [4, 1], promised: 4, atRisk: 1 }),
  windowsOf(RIVERSIDE, { taken: [6, 2], promised: 5, atRisk: 3 }),
);

/** The card network and the mail server are away. */
export const LATE_TODAY: AnswerOf<'readToday'> = {
  ...EMPTY_TODAY,
  differingDays: 1,
  mailTrouble: { count: 4, since: at(-3), why: 'the mail server does not accept our password' },
  queues: EMPTY_TODAY.queues.map((queue) =>
    queue.queue === 'payments' || queue.queue === 'payment-checks'
      ? { ...queue, length: 12, lateSince: at(-1) }
      : queue,
  ),
  books: { day: DAY, state: 'differs', checkedAt: at(-5) },
  backupAt: at(-80),
};

const dispute: Item<AnswerOf<'listDisputes'>> = {
  id: ID,
  orderId: ID,
  orderNumber: 'R-24117',
  amount: 24.83,
  reason: 'NOT_RECEIVED',
  status: 'open',
  networkState: 'EVIDENCE_REQUIRED',
  dueAt: at(31),
  daysLeft: 1,
  seenAt: at(-300),
  onItsWay: null,
  failure: null,
  sentAt: null,
  endedAt: null,
};

export const DISPUTES: AnswerOf<'listDisputes'> = {
  items: [
    dispute,
    { ...dispute, id: OTHER_ID, orderNumber: 'R-23980', dueAt: at(290), daysLeft: 12, status: 'prepared' },
  ],
  hasMore: false,
};

export const A_DISPUTE: AnswerOf<'readDispute'> = { ...dispute, preparedAt: null, preparedBy: null, bears: 'platform' };

export const EVIDENCE: AnswerOf<'readDisputeEvidence'> = {
  pieces: [
    'Order R-24117 of 12 Nov 2026, paid with a card that ends in 1111: wash and fold, 3 to 5 lbs, $24.83.',
    'The laundry was collected from the card holder at 9:12 am, with the PIN of the handover.',
    'It was delivered to the address of the card holder at 5:40 pm. The driver took a photo at the door.',
  ],
  isPrepared: false,
};

const claim: Item<AnswerOf<'listTownCases'>> = {
  id: ID,
  no: 'C-207',
  kind: 'claim',
  reason: null,
  status: 'with-town',
  priority: 'high',
  orderId: ID,
  deliveryId: null,
  openedBy: 'Bud',
  aboutRole: 'Scrub',
  waitsFor: 'Operator',
  dueAt: at(40),
  asked: 62,
  givenBack: 0,
  createdAt: at(-30),
  orderNumber: 'R-24117',
  openedByName: 'Bud Barlow',
  aboutName: 'Sally Scrub',
};

export const CASES: AnswerOf<'listTownCases'> = {
  items: [
    claim,
    { ...claim, id: OTHER_ID, no: 'C-203', kind: 'late', priority: 'normal', asked: 0, createdAt: at(-70) },
  ],
  hasMore: false,
};

export const A_CASE: AnswerOf<'readTownCase'> = {
  ...claim,
  people: { bud: { id: ID, name: 'Bud Barlow' }, scrub: { id: OTHER_ID, name: 'Sally Scrub' }, duber: null },
  dubers: [],
  offer: { kind: 'give-back', amount: 10 },
  items: [
    { n: 1, what: 'Wool sweater', kind: 'damaged', worth: 80, ageMonths: 10, asked: 40, decided: null, liable: null },
    {
      n: 2,
      what: 'Two white shirts',
      kind: 'stained',
      worth: 44,
      ageMonths: 6,
      asked: 22,
      decided: null,
      liable: null,
    },
  ],
  events: [
    {
      ...{
        action: 'open-claim',
        status: 'with-scrub',
        by: 'Bud',
        name: 'Bud Barlow',
        place: null,
        offer: null,
        amount: null,
      },
      ...{ words: 'The sweater came back two sizes smaller.', fileIds: [], createdAt: at(-30) },
    },
    {
      ...{
        action: 'answer',
        status: 'with-bud',
        by: 'Scrub',
        name: 'Sally Scrub',
        place: null,
        offer: 'give-back',
        amount: 10,
      },
      ...{ words: 'I am sorry. I can give back ten dollars.', fileIds: [], createdAt: at(-20) },
    },
    {
      ...{
        action: 'refuse-offer',
        status: 'with-town',
        by: 'Bud',
        name: 'Bud Barlow',
        place: null,
        offer: null,
        amount: null,
      },
      ...{ words: 'It was new this winter.', fileIds: [], createdAt: at(-8) },
    },
  ],
  caps: { garment: 150, order: 500 },
  trips: 0,
  left: 24.83,
  limit: 25,
};

/** The Dubers of a case whose laundry two of them carried. */
export const TWO_DUBERS: AnswerOf<'readTownCase'>['dubers'] = [
  { deliveryId: ID, name: 'Dora Duber' },
  { deliveryId: OTHER_ID, name: 'Max Mover' },
];

const sums = { charged: 412.4, refunded: 12.5, fees: 13.21, disputed: 0, net: 386.69 };
const day: Item<AnswerOf<'listReconciledDays'>> = {
  day: DAY,
  state: 'differs',
  isChecking: false,
  checkedAt: at(-4),
  ours: sums,
  theirs: { ...sums, refunded: 17.5, net: 381.69 },
  difference: -5,
  counts: { charged: 17, refunded: 2, disputed: 0 },
  differing: 1,
  failure: null,
};

export const DAYS: AnswerOf<'listReconciledDays'> = {
  items: [
    { ...day, day: '2026-11-24', isChecking: true, state: null, ours: null, theirs: null, difference: null },
    day,
    { ...day, day: '2026-11-22', state: 'equal', theirs: sums, difference: 0, differing: 0 },
    { ...day, day: '2026-11-21', state: 'failed', theirs: null, difference: null, failure: 'Square did not answer' },
  ],
  hasMore: false,
};

export const A_DAY: AnswerOf<'readReconciledDay'> = {
  ...day,
  differences: [
    {
      ...{ what: 'refunded', squareId: 'pay_7f3b2c9d1e8a4f60', orderId: ID, orderNumber: 'R-24117' },
      ...{ ours: 12.5, theirs: 17.5 },
    },
  ],
};

const approval: Item<AnswerOf<'listApprovals'>> = {
  id: ID,
  action: 'refundOrder',
  subject: { kind: 'order', id: ID },
  orderNumber: 'R-24117',
  amount: 62,
  reason: 'The sweater is ruined, and the Scrub agrees',
  details: { amount: 62, liable: 'scrub' },
  state: 'waiting',
  askedBy: { id: OTHER_ID, name: 'Ada Admin' },
  askedAt: at(-2),
  decidedBy: null,
  decidedAt: null,
  words: null,
  goesOnAt: at(22),
  ripens: false,
  canDecide: true,
};

export const APPROVALS: AnswerOf<'listApprovals'> = {
  items: [
    approval,
    {
      ...approval,
      ...{ id: OTHER_ID, action: 'exportTaxWorkers', subject: { kind: 'town', id: null }, orderNumber: null },
      ...{ amount: null, reason: 'For the tax adviser', details: { year: 2026 }, canDecide: false, ripens: true },
    },
    {
      ...approval,
      ...{ id: '0192f0c1-7a3b-7c4d-8e5f-0123456789ad', state: 'approved', decidedAt: at(-1), canDecide: false },
      ...{ decidedBy: { id: ID, name: 'Greta Stone' }, words: 'I have seen the photos' },
    },
    {
      ...approval,
      ...{ id: '0192f0c1-7a3b-7c4d-8e5f-0123456789ae', state: 'declined', decidedAt: at(-1), canDecide: false },
      ...{ decidedBy: { id: ID, name: 'Greta Stone' }, words: 'Not without a photo' },
    },
  ],
  hasMore: false,
};

const areaAround = (latitude: number, longitude: number) => [...circleAround({ latitude, longitude }, 0.6)];

export const ZONES: AnswerOf<'listZones'> = {
  items: [
    {
      ...{ id: ID, name: 'Riverside', corners: areaAround(24.004, 67.004) },
      nextAreas: [{ from: at(72), corners: areaAround(24.005, 67.005) }],
      prices: [
        { item: 'pickup', value: 9.99 },
        { item: 'delivery', value: 9.99 },
      ],
      nextPrices: [{ from: at(72), prices: [{ item: 'pickup', value: 7.99 }] }],
    },
    {
      ...{
        id: OTHER_ID,
        name: 'Old Mills',
        corners: null,
        nextAreas: [{ from: at(24), corners: areaAround(24, 66.99) }],
      },
      ...{ prices: [], nextPrices: [] },
    },
  ],
};

export const PROMOS: AnswerOf<'listPromos'> = {
  items: [
    {
      ...{ id: ID, code: 'WELCOME-5', kind: 'amount', value: 5, maxDiscount: null, minTotal: 15, firstOrderOnly: true },
      ...{ startsAt: at(-200), endsAt: at(400), maxUses: 20, maxUsesPerBud: 1, uses: 7, cost: 35, atMost: 100 },
      ...{ createdBy: 'Greta Stone', createdAt: at(-200), endedAt: null },
    },
    {
      ...{ id: OTHER_ID, code: 'STORM', kind: 'percent', value: 20, maxDiscount: null, minTotal: 0 },
      ...{ firstOrderOnly: false, startsAt: at(-900), endsAt: null, maxUses: null, maxUsesPerBud: 2, uses: 31 },
      ...{ cost: 142.5, atMost: null, createdBy: 'Ada Admin', createdAt: at(-900), endedAt: at(-400) },
    },
  ],
  hasMore: false,
};

export const PROMO_USES: AnswerOf<'listPromoUses'> = {
  promo: PROMOS.items[0] as Item<AnswerOf<'listPromos'>>,
  items: [
    {
      ...{ orderId: ID, orderNumber: 'R-24117', bud: { id: ID, name: 'Bud Barlow' }, at: at(-3), discount: 5 },
      ...{ cost: 5, counts: true },
    },
    {
      ...{ orderId: OTHER_ID, orderNumber: 'R-24102', bud: { id: OTHER_ID, name: 'Maximiliana Featherstonehaugh' } },
      ...{ at: at(-26), discount: 5, cost: 0, counts: false },
    },
  ],
  hasMore: false,
};

const made = { site: 'localhost', createdAt: at(-2000) };
export const passkeysAt = (origin: string): AnswerOf<'listPasskeys'> => ({
  items: [
    { id: ID, name: 'Work laptop', ...made, lastUsedAt: at(-5) },
    { id: OTHER_ID, name: 'Key on the ring', ...made, site: 'console.rubadub.test', lastUsedAt: null },
  ],
  origin,
});

export const INVITATION: AnswerOf<'readInvitation'> = {
  email: 'ada@rubadub.test',
  caps: ['see', 'help', 'money'],
  fullname: null,
  setup: 'setup',
  secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  address: 'otpauth://totp/Rubadub:ada@rubadub.test?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Rubadub',
};

export const NO_FIGURES: AnswerOf<'listFigures'> = {
  ...{ timeZone: 'UTC', weeks: 13, from: '2026-08-31', items: [], hasMore: false },
  total: {
    ...{ orders: 0, completed: 0, minutesToYes: null, slowMinutesToYes: null, onTime: null, hoursToReturn: null },
    ...{ orderedAgain: null, scrubHourly: null, duberHourly: null, kept: 0 },
  },
};
