import { expect, test } from 'vitest';
import { ask } from '../../testing/checkedClient.ts';
import { KINDS, openWorld, PASSWORD } from '../../testing/testServer.ts';
import { makeGate } from './semaphore.ts';

class Full extends Error {}
const full = (): never => {
  throw new Full();
};

test('a gate runs so many at once, in the order they came, and turns away what would wait in vain', async () => {
  const gate = makeGate(2, 3);
  const [began, ended]: [number[], (() => void)[]] = [[], []];
  const work = (index: number) => () => {
    began.push(index);
    return new Promise<number>((resolve) => ended.push(() => resolve(index)));
  };
  const asked = [0, 1, 2, 3, 4].map((index) => gate(work(index), full));
  await expect(gate(work(5), full)).rejects.toBeInstanceOf(Full);
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
  await expect(gate(() => Promise.reject(new Error('no')), full)).rejects.toThrow('no');
  const [six, seven] = [gate(work(6), full), gate(work(7), full)];
  expect(began).toEqual([0, 1, 2, 3, 4, 6, 7]);
  for (const end of ended) end();
  expect(await Promise.all([six, seven])).toEqual([6, 7]);
});

test.each(KINDS)('ordinary calls are answered while 200 sign-ins are under way, on %s', async (kind) => {
  const world = await openWorld(kind);
  try {
    const bud = await world.join('Bud');
    let left = 200;
    const signIns = Array.from({ length: left }, async () => {
      const body = { email: bud.user.email, password: PASSWORD };
      const { status } = await ask(world.host, 'POST', '/auth/login', { body });
      left -= 1;
      return status;
    });
    // One after the other: each can only be answered before the sign-ins are through if it does not wait for them.
    let answered = 0;
    while (left > 0 && answered < 1_000) {
      expect((await ask(world.host, 'GET', '/profile', { token: bud.token })).status).toBe(200);
      if (left > 0) answered += 1;
    }
    expect(answered).toBeGreaterThan(200);
    expect(new Set(await Promise.all(signIns))).toEqual(new Set([200]));
  } finally {
    await world.close();
  }
});
