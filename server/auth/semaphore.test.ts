import { expect, test } from 'vitest';
import { sendRequest } from '../../testing/checkedClient.ts';
import { DATABASE_KINDS, openTestServer, PASSWORD } from '../../testing/testServer.ts';
import { createSemaphore } from './semaphore.ts';

class SemaphoreFullError extends Error {}
const throwFull = (): never => {
  throw new SemaphoreFullError();
};

/** A semaphore whose tasks end when the test says so. Tasks are started with a name and their networks. */
function createTasks(maxRunning: number, max: { waiting: number; perNetwork: number }) {
  const runLimited = createSemaphore(maxRunning, max);
  const [started, finishers]: [string[], (() => void)[]] = [[], []];
  const work = (name: string) => () => {
    started.push(name);
    return new Promise<string>((resolve) => finishers.push(() => resolve(name)));
  };
  return {
    /** The names of the tasks, in the order they started. */
    started,
    run: (name: string, ...networks: string[]) => runLimited(networks, work(name), throwFull),
    fail: (...networks: string[]) => runLimited(networks, () => Promise.reject(new Error('no')), throwFull),
    /** Finishes tasks in the order they started, until none is left. */
    async finishAll() {
      for (let index = 0; index < finishers.length; index += 1) {
        finishers[index]?.();
        await new Promise(setImmediate);
      }
    },
  };
}

const FULL = { status: 'rejected', reason: expect.any(SemaphoreFullError) };

test('a semaphore runs the tasks of a network in order, up to its limit at a time', async () => {
  const tasks = createTasks(2, { waiting: 9, perNetwork: 3 });
  const results = ['0', '1', '2', '3', '4', '5'].map((name) => tasks.run(name, 'a'));
  const settled = Promise.allSettled(results);
  expect(tasks.started).toEqual(['0', '1']);
  await tasks.finishAll();
  expect(tasks.started).toEqual(['0', '1', '2', '3', '4']);
  expect((await settled)[5]).toEqual(FULL);
  // A task that fails makes room as well.
  await expect(tasks.fail('a')).rejects.toThrow('no');
  const more = [tasks.run('6', 'a'), tasks.run('7', 'a')];
  expect(tasks.started).toEqual(['0', '1', '2', '3', '4', '6', '7']);
  await tasks.finishAll();
  expect(await Promise.all(more)).toEqual(['6', '7']);
});

test('700 tasks of three networks delay one of another network by one task each', async () => {
  const tasks = createTasks(1, { waiting: 300, perNetwork: 200 });
  const settled = Promise.allSettled(
    Array.from({ length: 700 }, (_, index) => tasks.run(`flood ${index}`, `network ${index % 3}`)),
  );
  const owner = tasks.run('owner', 'home');
  await tasks.finishAll();
  expect(await owner).toBe('owner');
  expect(tasks.started.indexOf('owner')).toBeLessThanOrEqual(4);
  // The queue is bounded: the newest of the longest queue are refused.
  const results = await settled;
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(400);
  expect(results.slice(0, 250).every(({ status }) => status === 'fulfilled')).toBe(true);
});

test('the 65,536 networks of a /48 take their turns as one', async () => {
  const tasks = createTasks(1, { waiting: 300, perNetwork: 200 });
  const flood = Array.from({ length: 150 }, (_, index) => tasks.run(`flood ${index}`, '/48', `/64 number ${index}`));
  const owner = tasks.run('owner', 'home');
  const neighbours = ['first', 'second'].map((name) => tasks.run(name, '/48', 'other /64'));
  await tasks.finishAll();
  await Promise.all([owner, ...flood, ...neighbours]);
  expect(tasks.started.slice(0, 4)).toEqual(['flood 0', 'flood 1', 'owner', 'flood 2']);
  expect(tasks.started.slice(-2)).toEqual(['first', 'second']);
});

test.each(DATABASE_KINDS)(
  'ordinary calls and a sign-in from another network are answered while 200 sign-ins wait, on %s',
  async (kind) => {
    const testServer = await openTestServer(kind, { env: { TRUST_PROXY: 'on' } });
    try {
      const bud = await testServer.createUser('Bud');
      let left = 200;
      const body = { email: bud.user.email, password: PASSWORD };
      const signIns = Array.from({ length: left }, async () => {
        const { status } = await sendRequest(testServer.apiUrl, 'POST', '/auth/login', { body });
        left -= 1;
        return status;
      });
      const headers = { 'x-forwarded-for': '203.0.113.1' };
      const elsewhere = sendRequest(testServer.apiUrl, 'POST', '/auth/login', { body, headers });
      const leftAfterElsewhere = elsewhere.then(({ status }) => [status, left] as const);
      // One after the other, so that they finish before the sign-ins only if they do not wait for them.
      let answered = 0;
      while (left > 0 && answered < 1_000) {
        expect((await sendRequest(testServer.apiUrl, 'GET', '/profile', { token: bud.token })).status).toBe(200);
        if (left > 0) answered += 1;
      }
      // If they waited, it would be one or two. How many there are depends on what else the machine does.
      expect(answered).toBeGreaterThan(5);
      expect(new Set(await Promise.all(signIns))).toEqual(new Set([200]));
      const [status, waiting] = await leftAfterElsewhere;
      expect(status).toBe(200);
      // Behind all of them it would be none. The embedded database answers their questions one after the other, which is slower under load.
      expect(waiting).toBeGreaterThan(5);
    } finally {
      await testServer.close();
    }
  },
);
