import { expect, test } from 'vitest';
import type { Case } from '../../../contract/cases.ts';
import { PAGE_SIZE_MAXIMUM } from '../../../contract/lists.ts';
import { LATEST_CASES } from '../../cases/caseQueries.ts';
import { problemsOfOrder } from './problemsOfOrder.ts';

const problem = (no: string, orderId: string | null, givenBack: number) => ({ no, orderId, givenBack }) as Case;
const CASES = [
  problem('C-3', 'one', 12.5),
  problem('C-2', 'two', 5),
  problem('C-1', 'one', 0),
  problem('C-0', null, 0),
];
const numbers = (cases: readonly Case[]) => cases.map(({ no }) => no);

test('the price of an order shows what its own problems gave back, and the others are links', () => {
  const { givingBack, others } = problemsOfOrder(CASES, { id: 'one', status: 'Completed' });
  expect([numbers(givingBack), numbers(others)]).toEqual([['C-3'], ['C-1']]);
});

test('an order that was called off has one amount for all that goes back, so its problems are only links', () => {
  const { givingBack, others } = problemsOfOrder(CASES, { id: 'one', status: 'Cancelled' });
  expect([numbers(givingBack), numbers(others)]).toEqual([[], ['C-3', 'C-1']]);
});

test('the latest problems are as many as one answer may have', () => {
  expect(LATEST_CASES).toBe(PAGE_SIZE_MAXIMUM);
});
