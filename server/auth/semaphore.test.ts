import { expect, test } from 'vitest';
import { sendRequest } from '../../testing/checkedClient.ts';
import { DATABASE_KINDS, openTestServer, PASSWORD } from '../../testing/testServer.ts';
import { createSemaphore } from './semaphore.ts';

class SemaphoreFullError extends Error {}
const throwFull = (): never => {
  throw new SemaphoreFullError();
};

test('a semaphore runs tasks in order, up to its limit at a time, and rejects those that do not fit its queue', async () => {
  const runLimited = createSemaphore(2, 3);
  const [started, finishers]: [number[], (() => void)[]] = [[], []];
  const work = (index: number) => () => {
    started.push(index);
    return new Promise<number>((resolve) => finishers.push(() => resolve(index)));
  };
  const tasks = [0, 1, 2, 3, 4].map((index) => runLimited(work(index), throwFull));
  await expect(runLimited(work(5), throwFull)).rejects.toBeInstanceOf(SemaphoreFullError);
  expect(started).toEqual([0, 1]);
  finishers[0]?.();
  expect(await tasks[0]).toBe(0);
  expect(started).toEqual([0, 1, 2]);
  for (const index of [1, 2, 3, 4]) {
    finishers[index]?.();
    await tasks[index];
  }
  expect(started).toEqual([0, 1, 2, 3, 4]);
  // A task that fails makes room as well.
  await expect(runLimited(() => Promise.reject(new Error('no')), throwFull)).rejects.toThrow('no');
  const [six, seven] = [runLimited(work(6), throwFull), runLimited(work(7), throwFull)];
  expect(started).toEqual([0, 1, 2, 3, 4, 6, 7]);
  for (const finish of finishers) finish();
  expect(await Promise.all([six, seven])).toEqual([6, 7]);
});

test.each(DATABASE_KINDS)(
  'ordinary calls are answered while 200 sign-ins wait for their password hashes, on %s',
  async (kind) => {
    const testServer = await openTestServer(kind);
    try {
      const bud = await testServer.createUser('Bud');
      let left = 200;
      const signIns = Array.from({ length: left }, async () => {
        const body = { email: bud.user.email, password: PASSWORD };
        const { status } = await sendRequest(testServer.apiUrl, 'POST', '/auth/login', { body });
        left -= 1;
        return status;
      });
      // One after the other, so that they finish before the sign-ins only if they do not wait for them.
      let answered = 0;
      while (left > 0 && answered < 1_000) {
        expect((await sendRequest(testServer.apiUrl, 'GET', '/profile', { token: bud.token })).status).toBe(200);
        if (left > 0) answered += 1;
      }
      expect(answered).toBeGreaterThan(200);
      expect(new Set(await Promise.all(signIns))).toEqual(new Set([200]));
    } finally {
      await testServer.close();
    }
  },
);
