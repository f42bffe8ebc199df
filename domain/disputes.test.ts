import { describe, expect, test } from 'vitest';
import {
  cutEvidence,
  DISPUTE_FLOW,
  DISPUTE_STATUSES,
  disputeStatusAfter,
  EVIDENCE_PIECE_MAX,
  EVIDENCE_PIECES_MAX,
  readNetworkState,
} from './disputes.ts';

describe('evidence', () => {
  test('is cut at its lines into pieces that the card network takes', () => {
    const lines = Array.from({ length: 60 }, (_, line) => `${line} ${'x'.repeat(50)}`);
    const pieces = cutEvidence(lines);
    expect(pieces.every((piece) => piece.length <= EVIDENCE_PIECE_MAX)).toBe(true);
    expect(pieces.join('\n').split('\n')).toEqual(lines);
  });

  test('has no more pieces than the card network takes, and a line that is too long is cut', () => {
    const pieces = cutEvidence(Array.from({ length: 20 }, () => 'x'.repeat(600)));
    expect(pieces).toEqual(Array.from({ length: EVIDENCE_PIECES_MAX }, () => 'x'.repeat(EVIDENCE_PIECE_MAX)));
    expect(cutEvidence([])).toEqual([]);
  });
});

describe('the workflow of chargebacks', () => {
  test('there is one row for each action and status', () => {
    expect(new Set(DISPUTE_FLOW.map(({ action, from }) => `${action} ${from}`)).size).toBe(DISPUTE_FLOW.length);
  });

  test('nothing follows what has ended, and what was sent is not changed by an operator', () => {
    expect(DISPUTE_FLOW.filter(({ from }) => !['open', 'prepared', 'sent'].includes(from))).toEqual([]);
    for (const action of ['prepare', 'send', 'accept'] as const)
      expect(disputeStatusAfter(action, 'sent')).toBeUndefined();
  });

  test('the bank can decide at every status that has not ended', () => {
    for (const status of DISPUTE_STATUSES.slice(0, 3))
      expect([disputeStatusAfter('win', status), disputeStatusAfter('lose', status)]).toEqual(['won', 'lost']);
  });
});

test.each([
  ['INQUIRY_EVIDENCE_REQUIRED', false, null],
  ['INQUIRY_CLOSED', false, 'won'],
  ['EVIDENCE_REQUIRED', true, null],
  ['PROCESSING', true, null],
  ['WON', true, 'won'],
  ['LOST', true, 'lost'],
  ['ACCEPTED', true, 'lost'],
])('%s', (state, isTaken, outcome) => {
  expect(readNetworkState(state)).toEqual({ isTaken, outcome });
});
