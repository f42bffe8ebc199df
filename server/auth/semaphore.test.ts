import { expect, test } from 'vitest';
import { sendRequest } from '../../testing/checkedClient.ts';
import { DATABASE_KINDS, openTestServer, PASSWORD } from '../../testing/testServer.ts';
import { createSemaphore } from './semaphore.ts';

class SemaphoreFullError extends Error {}
const throwFull = (): never => {
  throw new SemaphoreFullError();
};

test('a gate runs so many at once, in the order they came, and turns away what would wait in vain', async () => {
  const gate = createSemaphore(2, 3);
  const [began, ended]: [number[], (() => void)[]] = [[], []];
  const work = (index: number) => () => {
    began.push(index);
    return new Promise<number>((resolve) => ended.push(() => resolve(index)));
  };
  const asked = [0, 1, 2, 3, 4].map((index) => gate(work(index), throwFull));
  await expect(gate(work(5), throwFull)).rejects.toBeInstanceOf(SemaphoreFullError);
  expect(began).toEqual([0, 1]);
  ended[0]?.();
  expect(await asked[0]).toBe(0);
  expect(began).toEqual([0, 1, 2]);
  for (const index of [1, 2, 3, 4]) {
    ended[index]?.();
    await asked[index];
  }
  expect(began).toEqual([0, 1, 2, 3, 4]);
  // One that fails makes room, too.
  await expect(gate(() => Promise.reject(new Error('no')), throwFull)).rejects.toThrow('no');
  const [six, seven] = [gate(work(6), throwFull), gate(work(7), throwFull)];
  expect(began).toEqual([0, 1, 2, 3, 4, 6, 7]);
  for (const end of ended) end();
  expect(await Promise.all([six, seven])).toEqual([6, 7]);
});

test.each(DATABASE_KINDS)('ordinary calls are answered while 200 sign-ins are under way, on %s', async (kind) => {
  const world = await openTestServer(kind);
  try {
    const bud = await world.createUser('Bud');
    let left = 200;
    const signIns = Array.from({ length: left }, async () => {
      const body = { email: bud.user.email, password: PASSWORD };
      const { status } = await sendRequest(world.apiUrl, 'POST', '/auth/login', { body });
      left -= 1;
      return status;
    });
    // One after the other: each can only be answered before the sign-ins are through if it does not wait for them.
    let answered = 0;
    while (left > 0 && answered < 1_000) {
      expect((await sendRequest(world.apiUrl, 'GET', '/profile', { token: bud.token })).status).toBe(200);
      if (left > 0) answered += 1;
    }
    expect(answered).toBeGreaterThan(200);
    expect(new Set(await Promise.all(signIns))).toEqual(new Set([200]));
  } finally {
    await world.close();
  }
});
