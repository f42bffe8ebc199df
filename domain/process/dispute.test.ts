import { expect, test } from 'vitest';
import { describeCauses } from '../../testing/rowCauses.ts';
import { DISPUTE_STATUSES } from '../disputes.ts';
import { DISPUTE_NEEDS } from '../needs.ts';
import { chooseRow } from '../workflow.ts';
import { DISPUTE_ROWS, type DisputeRow } from './dispute.ts';

const ROWS: readonly DisputeRow[] = DISPUTE_ROWS;
const ENDS = (to: 'won' | 'lost'): readonly [string, readonly string[]] => [
  `System: sets, settles ${to}, frees chargeback, endsCall`,
  [`open ${to}`, `prepared ${to}`, `sent ${to}`],
];

// Written out again on purpose, so that a mistake in the table fails a test: who, the needs, every cause, and the statuses.
const EXPECTED: Record<string, readonly (readonly [row: string, ways: readonly string[]])[]> = {
  prepare: [['Operator no-call: keeps evidence', ['open prepared', 'prepared prepared']]],
  send: [['Operator no-call: calls send', ['prepared prepared']]],
  accept: [['Operator no-call bearer-known: calls accept', ['open open', 'prepared prepared']]],
  warn: [['System no-call: warns town', ['open open', 'prepared prepared']]],
  answered: [['System: sets, endsCall', ['open sent', 'prepared sent']]],
  'asked-again': [['System: opens chargeback, startsWarning', ['sent open']]],
  win: [ENDS('won')],
  lose: [ENDS('lost')],
};
const CAUSES = ['sets', 'opens', 'keeps', 'calls', 'settles', 'frees', 'endsCall', 'warns', 'startsWarning'] as const;

test('who may do what with a chargeback, what it needs, and what it causes', () => {
  const describeRow = (row: DisputeRow) =>
    `${[row.by, ...(row.needs ?? [])].join(' ')}: ${describeCauses(row, CAUSES)}`;
  const described = [...Map.groupBy(ROWS, ({ action }) => action)].map(([action, rows]) => {
    const ways = Map.groupBy(rows, describeRow);
    return [action, [...ways].map(([row, some]) => [row, some.map(({ from, to }) => `${from} ${to}`)])];
  });
  expect(Object.fromEntries(described)).toEqual(EXPECTED);
  const known = ['action', 'from', 'to', 'by', 'needs', 'after', ...CAUSES];
  expect([...new Set(ROWS.flatMap((row) => Object.keys(row)))].filter((key) => !known.includes(key))).toEqual([]);
});

test('a chargeback that has ended takes no step, and no operator changes a sent answer', () => {
  const ended = DISPUTE_STATUSES.filter((status) => ['won', 'lost'].includes(status));
  expect(ROWS.filter(({ from }) => ended.includes(from))).toEqual([]);
  expect(ROWS.filter(({ from, by }) => from === 'sent' && by === 'Operator')).toEqual([]);
});

test('operators and the warning wait during a call to the card network, and the bank does not', () => {
  const take = (action: string, by: string) =>
    chooseRow(ROWS, { action, by, status: 'prepared' }, DISPUTE_NEEDS, { hasCall: true, isBearerKnown: true });
  for (const action of ['prepare', 'send', 'accept'])
    expect(take(action, 'Operator')).toMatchObject({ need: 'no-call' });
  expect(take('warn', 'System')).toMatchObject({ need: 'no-call' });
  for (const action of ['answered', 'win', 'lose']) expect(take(action, 'System')).toMatchObject({ ok: true });
});
