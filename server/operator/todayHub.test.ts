import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { TownMark } from './todayChanges.sql.ts';
import { CHANGE_GAP_MS, openTodayHub, type TodayHub, type TodayWatcher } from './todayHub.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
});

const NO_LOG = { info: () => {}, warn: () => {}, error: () => {} };

/** A hub over a town in which something happens when the test says so. */
function openTown({ live = new Set<string>() }: { live?: Set<string> } = {}) {
  let events = 0;
  let looks = 0;
  const markOf = (): TownMark => ({ snapshot: String(events), xmin: '1', acts: '0', documents: null });
  const hub: TodayHub = openTodayHub({
    readMark: async (before) => {
      looks += 1;
      return { mark: markOf(), hasChanged: before !== undefined && before.snapshot !== markOf().snapshot };
    },
    findLiveTokens: async () => live,
    log: NO_LOG,
  });
  const watch = async (name: string) => {
    const told: string[] = [];
    let isEnded = false;
    live.add(Buffer.from(name).toString('hex'));
    const watcher: TodayWatcher = {
      operatorId: name,
      tokenHash: Buffer.from(name),
      changed: ({ snapshot }) => void told.push(snapshot),
      heartbeat: () => {},
      end: () => {
        isEnded = true;
      },
    };
    await hub.watch(watcher);
    return { told, watcher, isEnded: () => isEnded };
  };
  const happen = () => {
    events += 1;
    hub.wake();
  };
  return { hub, watch, happen, looks: () => looks, live };
}

test('a thousand events a second are one message a second for each console, including the last one', async () => {
  const town = openTown();
  const consoles = [await town.watch('ada'), await town.watch('grace')];
  for (let ms = 0; ms < 10_000; ms += 1) {
    town.happen();
    await vi.advanceTimersByTimeAsync(1);
  }
  await vi.advanceTimersByTimeAsync(CHANGE_GAP_MS);
  for (const { told } of consoles) {
    expect(told.length).toBeGreaterThanOrEqual(9);
    expect(told.length).toBeLessThanOrEqual(11);
    expect(told.at(-1)).toBe('10000');
  }
  expect(town.looks()).toBeLessThanOrEqual(13);
  town.hub.close();
});

test('a change after a quiet time is sent at once', async () => {
  const town = openTown();
  const { told } = await town.watch('ada');
  await vi.advanceTimersByTimeAsync(5_000);
  expect(told).toEqual([]);
  town.happen();
  await vi.advanceTimersByTimeAsync(1);
  expect(told).toEqual(['1']);
  town.hub.close();
});

test('nothing is read while nobody listens', async () => {
  const town = openTown();
  const { watcher } = await town.watch('ada');
  town.hub.unwatch(watcher);
  const before = town.looks();
  for (let n = 0; n < 100; n += 1) town.happen();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(town.looks()).toBe(before);
  town.hub.close();
});

test('a console that goes away during the first poll leaves nothing behind for the next one', async () => {
  let events = 0;
  const answers: (() => void)[] = [];
  const hub = openTodayHub({
    readMark: async (before) => {
      const mark: TownMark = { snapshot: String(events), xmin: '1', acts: '0', documents: null };
      await new Promise<void>((resolve) => void answers.push(resolve));
      return { mark, hasChanged: before !== undefined && before.snapshot !== mark.snapshot };
    },
    findLiveTokens: async (hashes) => new Set(hashes.map((hash) => hash.toString('hex'))),
    log: NO_LOG,
  });
  const told: string[] = [];
  const watcherOf = (name: string): TodayWatcher => ({
    ...{ operatorId: name, tokenHash: Buffer.from(name), heartbeat: () => {}, end: () => {} },
    changed: ({ snapshot }) => void told.push(snapshot),
  });
  const first = watcherOf('ada');
  const joined = hub.watch(first);
  hub.unwatch(first);
  answers.shift()?.();
  await joined;
  events = 7;
  const later = hub.watch(watcherOf('grace'));
  await vi.advanceTimersByTimeAsync(1);
  answers.shift()?.();
  expect((await later).snapshot).toBe('7');
  // A step of another server, which nothing here announces.
  events = 8;
  await vi.advanceTimersByTimeAsync(501);
  answers.shift()?.();
  await vi.advanceTimersByTimeAsync(1);
  expect(told).toEqual(['8']);
  hub.close();
});

test('a database that is slow or away is asked about sessions once at a time, and the log says so every ten seconds', async () => {
  let [checks, lines] = [0, 0];
  let end = () => {};
  const hub = openTodayHub({
    readMark: async () => {
      if (checks > 0) throw new Error('the database is away');
      return { mark: { snapshot: '1', xmin: '1', acts: '0', documents: null }, hasChanged: false };
    },
    findLiveTokens: async () => {
      checks += 1;
      await new Promise<void>((resolve) => {
        end = resolve;
      });
      throw new Error('the database is away');
    },
    log: {
      ...NO_LOG,
      warn: () => {
        lines += 1;
      },
    },
  });
  await hub.watch({
    ...{ operatorId: 'ada', tokenHash: Buffer.from('ada'), changed: () => {}, heartbeat: () => {}, end: () => {} },
  });
  await vi.advanceTimersByTimeAsync(30_000);
  expect(checks).toBe(1);
  end();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(checks).toBe(2);
  expect(lines).toBeLessThanOrEqual(4);
  hub.close();
});

test('a stream ends within a second of its session, and the others stay', async () => {
  const town = openTown();
  const [ada, grace] = [await town.watch('ada'), await town.watch('grace')];
  town.live.delete(Buffer.from('ada').toString('hex'));
  await vi.advanceTimersByTimeAsync(999);
  expect([ada.isEnded(), grace.isEnded()]).toEqual([true, false]);
  town.hub.close();
});
