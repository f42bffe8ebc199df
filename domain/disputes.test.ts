import { describe, expect, test } from 'vitest';
import {
  cutEvidence,
  EVIDENCE_PIECE_MAX,
  EVIDENCE_PIECES_MAX,
  readNetworkState,
  stepOfNetworkState,
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

test.each([
  ['EVIDENCE_REQUIRED', 'asked-again'],
  ['INQUIRY_EVIDENCE_REQUIRED', 'asked-again'],
  ['PROCESSING', 'answered'],
  ['INQUIRY_PROCESSING', 'answered'],
  ['INQUIRY_CLOSED', 'win'],
  ['WON', 'win'],
  ['ACCEPTED', 'lose'],
] as const)('the state %s of the card network causes the step %s', (state, step) => {
  expect(stepOfNetworkState(state)).toBe(step);
});
