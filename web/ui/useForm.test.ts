import { describe, expect, test } from 'vitest';
import { CallFailed, Unreachable } from '../../contract/callClient.ts';
import { problemOf } from './useForm.ts';

const FIELDS = ['email', 'code'];
const FALLBACK = 'The server did not answer.';

function refuse(...properties: string[]): CallFailed {
  const message = properties.map((property) => ({ property, constraints: { custom: `About ${property}` } }));
  return new CallFailed(400, { statusCode: 400, error: 'Bad Request', message, code: 'invalid' }, new Headers());
}

describe('what a form says besides its fields', () => {
  test('is nothing when its fields say what was refused, or nothing was', () => {
    expect(problemOf(undefined, FIELDS, FALLBACK)).toBeUndefined();
    expect(problemOf(refuse('email', 'code'), FIELDS, FALLBACK)).toBeUndefined();
  });

  test('is what was said about a property that no field shows, even beside one that a field shows', () => {
    expect(problemOf(refuse('setup'), FIELDS, FALLBACK)).toBe('About setup');
    expect(problemOf(refuse('email', 'setup'), FIELDS, FALLBACK)).toBe('About setup');
  });

  test('is why the whole request failed', () => {
    expect(problemOf(new Unreachable('reset'), FIELDS, FALLBACK)).toBe(FALLBACK);
  });
});
