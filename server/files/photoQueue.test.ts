import { expect, test } from 'vitest';
import type { Refusal } from '../http/refusals.ts';
import { createPhotoQueue } from './photoQueue.ts';

const SMALL = [40, 30] as const;
const STUCK = [666, 30] as const;
const LARGE = [5_000, 5_000] as const;
const STUCK_AND_LARGE = [666, 5_000] as const;

/** A queue whose decoder does not end with some photos, and whose time is over when the test says so. */
async function inQueue(body: (queue: TestQueue) => Promise<void>): Promise<void> {
  const queue = createPhotoQueue({
    script: new URL('../../testing/stuckPhotoWorker.ts', import.meta.url),
    startLimit: (onOver) => {
      limits.push(onOver);
      started.shift()?.();
      return () => void limits.splice(limits.indexOf(onOver), 1);
    },
  });
  const limits: (() => void)[] = [];
  const started: (() => void)[] = [];
  const order: string[] = [];
  const send = async (owner: string, [width, height]: readonly [number, number], isProof = false) => {
    const photo = { type: 'image/png', width, height, bytes: new Uint8Array(1) } as const;
    try {
      const { answer } = await queue.run(photo, { owner, isProof });
      order.push(owner);
      return typeof answer === 'string' ? answer : 'written';
    } catch (error) {
      return (error as Refusal).failure;
    }
  };
  /** Sends a photo that is never done, and waits until a thread has it. */
  const sendStuck: TestQueue['sendStuck'] = async (owner, isProof = false, size = STUCK) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    started.push(resolve);
    const sent = send(owner, size, isProof);
    await promise;
    return { sent, endTime: limits.at(-1) ?? expect.fail('nothing limits it') };
  };
  try {
    await body({ send, sendStuck, order, end: queue.end });
  } finally {
    await queue.end();
  }
}

type TestQueue = {
  send(owner: string, size: readonly [number, number], isProof?: boolean): Promise<string>;
  sendStuck(
    owner: string,
    isProof?: boolean,
    size?: readonly [number, number],
  ): Promise<{ sent: Promise<string>; endTime: () => void }>;
  readonly order: readonly string[];
  end(): Promise<void>;
};

test('photos that are never done keep nobody who stands at a door from theirs', () =>
  inQueue(async ({ send, sendStuck, order }) => {
    await sendStuck('attacker');
    // It waits: the other thread is for proofs.
    void send('attacker with another account', SMALL);
    expect(await send('duber', SMALL, true)).toBe('written');
    expect(await send('scrub', SMALL, true)).toBe('written');
    expect(order).toEqual(['duber', 'scrub']);
  }));

test('a photo that takes too long is given up with its own words, and those that wait for it go on', () =>
  inQueue(async ({ send, sendStuck }) => {
    const { sent, endTime } = await sendStuck('attacker');
    const others = [send('one', SMALL), send('another', SMALL)];
    endTime();
    expect([await sent, ...(await Promise.all(others))]).toEqual(['tookTooLong', 'written', 'written']);
    expect(await send('attacker', SMALL)).toBe('written');
  }));

test('proofs come before other photos, and each kind in the order in which it came', () =>
  inQueue(async ({ send, sendStuck, order }) => {
    await sendStuck('first', true);
    const { endTime } = await sendStuck('second', true);
    const waiting = [
      ...[send('document', SMALL), send('claim', SMALL)],
      ...[send('hand-over', SMALL, true), send('weighing', SMALL, true)],
    ];
    endTime();
    await Promise.all(waiting);
    expect(order).toEqual(['second', 'hand-over', 'weighing', 'document', 'claim']);
  }));

test('a proof takes the place of the newest other photo when too many wait', () =>
  inQueue(async ({ send, sendStuck }) => {
    await sendStuck('first', true);
    const { endTime } = await sendStuck('second', true);
    const others = Array.from({ length: 8 }, (_, index) => send(`other ${index}`, SMALL));
    expect(await send('one more', SMALL)).toBe('notReady');
    const proof = send('duber', SMALL, true);
    expect(await others[7]).toBe('notReady');
    endTime();
    expect([await proof, ...(await Promise.all(others.slice(0, 7)))]).toEqual(Array(8).fill('written'));
  }));

test('one large photo is decoded at a time, and small ones beside it', () =>
  inQueue(async ({ send, sendStuck, order }) => {
    const { endTime } = await sendStuck('large', true, STUCK_AND_LARGE);
    const next = send('large too', LARGE, true);
    expect(await send('small', SMALL, true)).toBe('written');
    endTime();
    expect(await next).toBe('written');
    expect(order).toEqual(['small', 'large', 'large too']);
  }));

test('photos that wait when the server stops are told to come again', () =>
  inQueue(async ({ send, sendStuck, end }) => {
    const { sent } = await sendStuck('attacker');
    const waits = send('one', SMALL);
    await end();
    expect([await sent, await waits]).toEqual(['died', 'notReady']);
  }));
