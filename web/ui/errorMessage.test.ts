import { expect, test } from 'vitest';
import { CallFailed, Unreachable } from '../../contract/callClient.ts';
import { FAILURES, type Failure } from '../../contract/failures.ts';
import { errorMessageOf, isTemporary } from './errorMessage.ts';

const failed = (failure: Failure) => {
  const [statusCode, message] = FAILURES[failure];
  const body = { code: failure, statusCode, message, error: 'Error' };
  return new CallFailed(statusCode, body as ConstructorParameters<typeof CallFailed>[1], new Headers());
};

test('the words of the server are shown, also when it is not ready', () => {
  expect(errorMessageOf(failed('notReady'), 'Failed')).toBe(FAILURES.notReady[1]);
  expect(errorMessageOf(failed('notFound'), 'Failed')).toBe(FAILURES.notFound[1]);
});

test('an error that has no words for users shows those of the screen', () => {
  const ofProxy = new CallFailed(502, undefined, new Headers());
  for (const error of [failed('broken'), ofProxy, new Unreachable('cut'), new Error('a bug')])
    expect(errorMessageOf(error, 'Failed to submit review')).toBe('Failed to submit review');
});

test('a request that took too long to arrive, or comes too early or too often, is worth another try', () => {
  for (const statusCode of [408, 429, 500, 503])
    expect(isTemporary(new CallFailed(statusCode, undefined, new Headers()))).toBe(true);
  for (const statusCode of [400, 401, 404, 409, 413])
    expect(isTemporary(new CallFailed(statusCode, undefined, new Headers()))).toBe(false);
});
