import { describe, expect, test } from 'vitest';
import { describeCauses } from '../../testing/rowCauses.ts';
import { CASE_KINDS, CASE_STATUSES, CASE_WAITS_FOR, type CaseStatus, isOpenCase } from '../cases.ts';
import { HOUR_MS } from '../durations.ts';
import { CASE_NEEDS, type CaseFacts } from '../needs.ts';
import { chooseRow } from '../workflow.ts';
import { CASE_OPENINGS, CASE_ROWS, type CaseRow, type CaseTaken, caseTimersAt, findOpening } from './case.ts';

const ROWS: readonly CaseRow[] = CASE_ROWS;
const ANSWERS = 'their-turn own-offer within-claim';
const CONTESTS = 'not-contested first-week bears-it none-open: sets, holds, notifies others';
const HAPPENS = 'sets, carriesOut offer, frees, notifies others';

// Written out again on purpose, so that a mistake in the table fails a test: who, the needs, every cause, and the statuses.
const EXPECTED: Record<string, readonly (readonly [row: string, ways: readonly string[]])[]> = {
  ask: [['Duber their-turn collected-since: ', ['with-town with-town']]],
  answer: [
    [`Scrub ${ANSWERS} offer-possible: sets, notifies others`, ['with-scrub with-bud']],
    [`Duber ${ANSWERS} offer-possible: sets, notifies others`, ['with-duber with-bud']],
    [`Scrub ${ANSWERS}: sets, notifies others`, ['with-scrub with-town']],
    [`Duber ${ANSWERS}: sets, notifies others`, ['with-duber with-town']],
  ],
  'no-answer': [['System: notifies others', ['with-scrub with-town', 'with-duber with-town']]],
  'accept-offer': [
    [`Bud their-turn offer-possible: ${HAPPENS}`, ['with-bud decided']],
    ['Bud their-turn: notifies others', ['with-bud with-town']],
  ],
  'refuse-offer': [['Bud their-turn: notifies others', ['with-bud with-town']]],
  'silent-bud': [
    [`System offer-possible: ${HAPPENS}`, ['with-bud decided']],
    ['System: notifies others', ['with-bud with-town']],
  ],
  deny: [['Bud said-by-duber undecided not-denied: holdsEarnings, notifies others', ['with-town with-town']]],
  decide: [['Operator decision-possible: sets, carriesOut decision, frees, notifies others', ['with-town decided']]],
  close: [
    ['Operator: takesBack trips, frees', ['with-town closed']],
    ['System undecided is-over: frees', ['with-town closed']],
    ['System refunds-done contest-over: frees', ['decided closed']],
  ],
  stale: [['System: sets', ['with-town with-town']]],
  'taken-back': [['System undecided: frees', ['with-town closed']]],
  confirmed: [['System undecided: frees', ['with-town closed']]],
  contest: ['Bud', 'Scrub', 'Duber'].map((by) => [`${by} ${CONTESTS}`, ['decided with-town']] as const),
};
const CAUSES = ['sets', 'takesBack', 'carriesOut', 'frees', 'holds', 'holdsEarnings', 'notifies'] as const;

test('who may do what with a case, what it needs, and what it causes', () => {
  const describeRow = (row: CaseRow) => `${[row.by, ...(row.needs ?? [])].join(' ')}: ${describeCauses(row, CAUSES)}`;
  const described = [...Map.groupBy(ROWS, ({ action }) => action)].map(([action, rows]) => {
    const ways = Map.groupBy(rows, describeRow);
    return [action, [...ways].map(([row, some]) => [row, some.map(({ from, to }) => `${from} ${to}`)])];
  });
  expect(Object.fromEntries(described)).toEqual(EXPECTED);
  const known = ['action', 'from', 'to', 'by', 'needs', 'after', ...CAUSES];
  expect([...new Set(ROWS.flatMap((row) => Object.keys(row)))].filter((key) => !known.includes(key))).toEqual([]);
});

const NOW = new Date('2026-11-20T12:00:00Z');
const ago = (ms: number) => new Date(NOW.getTime() - ms);
const TAKEN: CaseTaken = {
  ...{ at: NOW, by: 'Bud', offer: 'give-back', offerCents: 900, askedCents: 2_000, givenCents: 500 },
};

test('a step sets the offer, the decision, the contest and the priority', () => {
  const setsOf = (action: string) => ROWS.find((row) => row.action === action)?.sets?.(TAKEN);
  expect(setsOf('answer')).toEqual({ offer: 'give-back', offerCents: 900 });
  for (const action of ['accept-offer', 'silent-bud', 'decide'])
    expect(setsOf(action), action).toEqual({ decidedAt: NOW, decidedBy: 'Bud' });
  expect(setsOf('contest')).toEqual({ contestedAt: NOW });
  expect(setsOf('stale')).toEqual({ priority: 'high' });
});

test('the part of a claim that was not given waits, from when the claim opens and from when it is contested', () => {
  expect(findOpening('claim', 'Bud')?.holds?.(TAKEN)).toBe(1_500);
  expect(ROWS.find(({ action }) => action === 'contest')?.holds?.(TAKEN)).toBe(1_500);
});

describe('how a case opens', () => {
  const kindsOf = (is: (row: (typeof CASE_OPENINGS)[number]) => unknown) =>
    CASE_OPENINGS.filter(is).flatMap(({ kinds }) => kinds);

  test('each kind opens in one way, by those who can open it', () => {
    expect(CASE_OPENINGS.flatMap(({ kinds }) => kinds).sort()).toEqual([...CASE_KINDS].sort());
    expect(kindsOf(({ by }) => by.includes('Bud'))).toEqual(['claim', 'question', 'window', 'weighing']);
    expect(kindsOf(({ by }) => by.includes('Scrub'))).toEqual(['question']);
    expect(kindsOf(({ by }) => by.includes('Duber'))).toEqual(['question', 'relay']);
    expect(kindsOf(({ by }) => by.includes('Operator'))).toEqual(['refund']);
    expect(findOpening('relay', 'Bud')).toBeUndefined();
  });

  test('its people get a mail, unless the step that found the problem has told them or only the town reads it', () => {
    expect(kindsOf(({ notifies }) => notifies)).toEqual([
      'claim',
      'handover',
      'wrong-pin',
      'scrub-silent',
      'window',
      'refund',
    ]);
    expect(kindsOf(({ action, readers }) => action === 'open' && !readers)).toEqual([
      ...['chargeback', 'same-people', 'platform-pay'],
    ]);
  });

  test('laundry that is lost or cannot go on, and a chargeback, are urgent', () => {
    expect(kindsOf(({ urgent }) => urgent)).toEqual(['relay', 'lost', 'chargeback']);
  });
});

type Step = { readonly action: CaseRow['action']; readonly status: CaseStatus; readonly by: CaseRow['by'] };
const FACTS: CaseFacts = {
  isTheirTurn: true,
  isOfferPossible: true,
  isDecisionPossible: true,
  isBorneByCaller: true,
  isSaidByDuber: false,
  wasDenied: false,
  wasContested: false,
  decidedAt: ago(HOUR_MS),
  otherReports: [],
  isOver: false,
  hasOpenRefund: false,
  hasCollectedSince: false,
  now: NOW,
};
/** The status that a step leads to, or why it cannot be taken. */
function check(step: Step, facts: CaseFacts): string {
  const chosen = chooseRow(ROWS, step, CASE_NEEDS, facts);
  if (chosen.ok) return chosen.row.to;
  return chosen.why === 'need' ? `missing ${chosen.need}` : chosen.why;
}

describe('the workflow of a case', () => {
  test('a clock leads on from every status in which a case waits, and in the end to closed', () => {
    for (const status of CASE_STATUSES.filter((one) => one !== 'closed')) {
      expect(caseTimersAt(status), status).toHaveLength(1);
    }
    const reached = new Set<CaseStatus>(['with-scrub']);
    for (const status of reached) {
      for (const { from, to } of CASE_ROWS) if (from === status) reached.add(to);
    }
    expect(reached.has('closed')).toBe(true);
    expect(caseTimersAt('closed')).toEqual([]);
  });

  test('nothing leads on from a closed case, and an open one waits for somebody', () => {
    expect(CASE_ROWS.filter(({ from }) => (from as CaseStatus) === 'closed')).toEqual([]);
    for (const status of CASE_STATUSES) expect(CASE_WAITS_FOR[status] !== null, status).toBe(isOpenCase(status));
  });

  test('an offer that can no longer happen leads to the town, also when the timer accepts it', () => {
    const facts = { ...FACTS, isOfferPossible: false };
    for (const step of [
      { action: 'accept-offer', by: 'Bud' },
      { action: 'silent-bud', by: 'System' },
    ] as const) {
      expect(check({ ...step, status: 'with-bud' }, FACTS)).toBe('decided');
      expect(check({ ...step, status: 'with-bud' }, facts)).toBe('with-town');
    }
  });

  test('only the side that bears a decision contests it, once, within a week', () => {
    const contest = (facts: Partial<CaseFacts>) =>
      check({ action: 'contest', status: 'decided', by: 'Scrub' }, { ...FACTS, ...facts });
    expect(contest({})).toBe('with-town');
    expect(contest({ isBorneByCaller: false })).toBe('missing bears-it');
    expect(contest({ wasContested: true })).toBe('missing not-contested');
    expect(contest({ decidedAt: ago(7 * 24 * HOUR_MS) })).toBe('missing first-week');
  });

  test('nothing is contested while another report is open', () => {
    const contest = (facts: Partial<CaseFacts>) =>
      check({ action: 'contest', status: 'decided', by: 'Bud' }, { ...FACTS, ...facts });
    const open = [{ openedAt: ago(1), endedAt: null }];
    expect(contest({ otherReports: open })).toBe('missing none-open');
    expect(contest({ otherReports: [{ openedAt: ago(2), endedAt: ago(1) }] })).toBe('with-town');
  });

  test('nobody answers for somebody else', () => {
    const answer = (by: 'Bud' | 'Scrub' | 'Duber', status: CaseStatus) =>
      check({ action: 'answer', status, by }, FACTS) === 'with-bud';
    expect([answer('Scrub', 'with-scrub'), answer('Duber', 'with-duber')]).toEqual([true, true]);
    expect([answer('Duber', 'with-scrub'), answer('Scrub', 'with-duber'), answer('Bud', 'with-scrub')]).toEqual([
      false,
      false,
      false,
    ]);
  });

  test('a decided case is closed once its refunds are done and nobody can contest it', () => {
    const close = (facts: Partial<CaseFacts>) =>
      check({ action: 'close', status: 'decided', by: 'System' }, { ...FACTS, ...facts });
    expect(close({})).toBe('missing contest-over');
    expect(close({ decidedAt: ago(7 * 24 * HOUR_MS) })).toBe('closed');
    expect(close({ decidedAt: ago(7 * 24 * HOUR_MS), hasOpenRefund: true })).toBe('missing refunds-done');
  });

  test('the server closes a case that is over, unless the town has decided it before', () => {
    const close = (facts: Partial<CaseFacts>) =>
      check({ action: 'close', status: 'with-town', by: 'System' }, { ...FACTS, decidedAt: undefined, ...facts });
    expect(close({ isOver: true })).toBe('closed');
    expect(close({})).toBe('missing is-over');
    expect(close({ isOver: true, decidedAt: NOW })).toBe('missing undecided');
  });
});
