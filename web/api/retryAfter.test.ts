import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CallFailed } from '../../contract/callClient.ts';
import { errorBody, type Failure } from '../../contract/failures.ts';
import { sendUnlessPaused } from './retryAfter.ts';

const failed = (code: Failure, seconds?: number) => {
  const body = errorBody(code);
  return new CallFailed(
    body.statusCode,
    body,
    new Headers(seconds === undefined ? {} : { 'retry-after': `${seconds}` }),
  );
};
const signInWith = (token: string) => vi.stubGlobal('document', { cookie: `auth-token=${token}` });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  signInWith('mine');
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

let count = 0;
/** Something to send to a server that answers once with this error, and then takes it. */
function somethingAfter(error: unknown) {
  const send = vi.fn(async () => 'taken');
  send.mockRejectedValueOnce(error);
  const name = `thing-${count++}`;
  return { send, sendIt: () => sendUnlessPaused(name, send) };
}

describe('something that the server asks to send later (Retry-After)', () => {
  test.each(['tooManyPhotos', 'notReady'] as const)('is not sent before that: %s', async (code) => {
    const refusal = failed(code, 60);
    const { send, sendIt } = somethingAfter(refusal);
    await expect(sendIt()).rejects.toBe(refusal);
    vi.advanceTimersByTime(59_000);
    await expect(sendIt()).rejects.toBe(refusal);
    expect(send).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(1_000);
    expect(await sendIt()).toBe('taken');
    expect(await sendIt()).toBe('taken');
  });

  test('does not hold up anything else, nor the next user of the device', async () => {
    const { send, sendIt } = somethingAfter(failed('tooManyPhotos', 3600));
    await expect(sendIt()).rejects.toThrow();
    expect(await sendUnlessPaused('another', async () => 'taken')).toBe('taken');
    signInWith('of-somebody-else');
    expect(await sendIt()).toBe('taken');
    expect(send).toHaveBeenCalledTimes(2);
  });

  test('is sent at any time after a failure that says no time', async () => {
    const { sendIt } = somethingAfter(failed('broken'));
    await expect(sendIt()).rejects.toThrow();
    expect(await sendIt()).toBe('taken');
  });
});
