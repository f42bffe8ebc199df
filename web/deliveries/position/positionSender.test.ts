import { describe, expect, test } from 'vitest';
import { CallFailed, Unreachable } from '../../../contract/callClient.ts';
import { errorBody } from '../../../contract/failures.ts';
import type { PhonePlace } from '../../places/geolocation.ts';
import { startPositionSender } from './positionSender.ts';

/** The server's answer to a position that came too soon. */
const IGNORED = 'let go';

const pointAt = (latitude: number, accuracy = 8): PhonePlace => ({ latitude, longitude: 67, accuracy });

/** A clock and timers that the test controls, and a server that records what it receives. */
function createSenderHarness() {
  let time = 0;
  const timers = new Set<{ due: number; act: () => void }>();
  const sent: number[] = [];
  const accuracies: number[] = [];
  const answers: (() => Promise<unknown>)[] = [];
  let kept: PhonePlace | undefined;
  const sender = startPositionSender({
    now: () => time,
    schedule: (act, ms) => {
      const timer = { due: time + ms, act };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    send: async (point) => {
      sent.push(point.latitude);
      accuracies.push(point.accuracy);
      const answer = await answers.shift()?.();
      if (answer !== IGNORED) kept = point;
      return { position: kept ? { ...kept, at: new Date(time).toISOString() } : null };
    },
    onSent: () => undefined,
  });
  const pass = async (ms: number) => {
    time += ms;
    for (const timer of [...timers]) {
      if (timer.due > time) continue;
      timers.delete(timer);
      timer.act();
    }
    // Lets pending promises settle.
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  };
  return { sender, sent, accuracies, answers, pass };
}

describe('sending the phone’s position', () => {
  test('sends a place again once it is known exactly', async () => {
    const { sender, accuracies, pass } = createSenderHarness();
    for (const accuracy of [3_000, 2_000, 20, 10]) {
      sender.take(pointAt(24.1, accuracy));
      await pass(5_000);
    }
    expect(accuracies).toEqual([3_000, 20]);
  });

  test('sends at most every five seconds, and then the current position', async () => {
    const { sender, sent, pass } = createSenderHarness();
    sender.take(pointAt(24.1));
    await pass(0);
    for (const latitude of [24.2, 24.3, 24.4]) {
      sender.take(pointAt(latitude));
      await pass(1_000);
    }
    expect(sent).toEqual([24.1]);
    await pass(2_000);
    expect(sent).toEqual([24.1, 24.4]);
  });

  test('sends nothing while the phone moves less than the rounding', async () => {
    const { sender, sent, pass } = createSenderHarness();
    for (const latitude of [24.1, 24.10001, 24.09999, 24.10004]) {
      sender.take(pointAt(latitude));
      await pass(6_000);
    }
    expect(sent).toEqual([24.1]);
    sender.take(pointAt(24.1002));
    await pass(6_000);
    expect(sent).toEqual([24.1, 24.1002]);
  });

  test('continues after being offline, and sends the same position again if it did not arrive', async () => {
    const { sender, sent, answers, pass } = createSenderHarness();
    answers.push(() => Promise.reject(new Unreachable('offline')));
    sender.take(pointAt(24.1));
    await pass(0);
    await pass(5_000);
    await pass(5_000);
    expect(sent).toEqual([24.1, 24.1]);
  });

  test('sends a position again that came too soon for the server, even if the phone no longer moves', async () => {
    const { sender, sent, answers, pass } = createSenderHarness();
    sender.take(pointAt(24.1));
    await pass(0);
    answers.push(async () => IGNORED);
    sender.take(pointAt(24.2));
    await pass(5_000);
    await pass(5_000);
    await pass(5_000);
    expect(sent).toEqual([24.1, 24.2, 24.2]);
  });

  test('stops when the server says that the delivery is over', async () => {
    const { sender, sent, answers, pass } = createSenderHarness();
    answers.push(() =>
      Promise.reject(new CallFailed(409, errorBody('wrongStatus', 'This delivery is Collected'), new Headers())),
    );
    for (const latitude of [24.1, 24.2, 24.3]) {
      sender.take(pointAt(latitude));
      await pass(6_000);
    }
    expect(sent).toEqual([24.1]);
  });

  test('sends nothing after a stop, and has no request in flight', async () => {
    const { sender, sent, answers, pass } = createSenderHarness();
    let arrive = () => {};
    answers.push(() => new Promise<void>((resolve) => (arrive = resolve)));
    sender.take(pointAt(24.1));
    await pass(0);
    sender.take(pointAt(24.2));
    let hasStopped = false;
    const stopping = sender.stop().then(() => {
      hasStopped = true;
    });
    await pass(10_000);
    expect(hasStopped).toBe(false);
    arrive();
    await stopping;
    sender.take(pointAt(24.3));
    await pass(10_000);
    expect(sent).toEqual([24.1]);
  });
});
