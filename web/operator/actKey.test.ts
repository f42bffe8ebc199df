import { expect, test, vi } from 'vitest';
import { CallFailed, Unreachable } from '../../contract/callClient.ts';
import { errorBody, type Failure } from '../../contract/failures.ts';
import { errorMessageOf } from '../ui/errorMessage.ts';
import { createActKey, isDoneBefore } from './actKey.ts';

const failed = (code: Failure) => new CallFailed(errorBody(code).statusCode, errorBody(code), new Headers());

/** A dialog, and a server that does what has a new key and says what else it sees. Its answers get lost when `isLost` says so. */
function openDialog() {
  const done = new Map<string, string>();
  const server = { isLost: false, isAway: false };
  const send = createActKey();
  const press = (content: string) =>
    send(async (key) => {
      if (server.isAway) throw new Unreachable('away');
      const before = done.get(key);
      if (before !== undefined && before !== content) throw failed('keyReused');
      done.set(key, content);
      if (server.isLost) throw new Unreachable('the answer is lost');
    });
  return { server, press, acts: () => [...done.values()] };
}

test('an act whose answer was lost is not done again when its button is pressed again', async () => {
  const { server, press, acts } = openDialog();
  server.isLost = true;
  await expect(press('too late')).rejects.toThrow(Unreachable);
  server.isLost = false;
  await press('too late');
  expect(acts()).toEqual(['too late']);
});

test('an act that did not reach the server may be changed and pressed again', async () => {
  const { server, press, acts } = openDialog();
  server.isAway = true;
  await expect(press('too late')).rejects.toThrow(Unreachable);
  server.isAway = false;
  await press('much too late');
  expect(acts()).toEqual(['much too late']);
});

test('an act that was done although its answer was lost says so once it is changed, and the change can be sent after that', async () => {
  const { server, press, acts } = openDialog();
  server.isLost = true;
  await expect(press('too late')).rejects.toThrow(Unreachable);
  server.isLost = false;
  const refusal = await press('much too late').catch((error: unknown) => error);
  expect(isDoneBefore(refusal)).toBe(true);
  expect(errorMessageOf(refusal, 'no words')).toMatch(/^It was done the first time.*press again/s);
  expect(acts()).toEqual(['too late']);
  await press('much too late');
  expect(acts()).toEqual(['too late', 'much too late']);
});

test('other failures are those of the server, and leave the key as it is', async () => {
  const send = createActKey();
  const run = vi.fn<(key: string) => Promise<void>>();
  const failure = failed('notReady');
  run.mockRejectedValueOnce(failure);
  await expect(send(run)).rejects.toBe(failure);
  await send(run);
  expect(run.mock.calls[1]).toEqual(run.mock.calls[0]);
});
