import type { Permission } from '../../domain/operators.ts';
import type { Log } from '../log.ts';
import type { TownMark } from './todayChanges.sql.ts';

/** An open stream of Today. */
export type TodayWatcher = {
  readonly operatorId: string;
  /** The hash of the token that opened the stream. */
  readonly tokenHash: Buffer;
  changed(mark: TownMark): void;
  heartbeat(): void;
  end(): void;
};

export type TodayHub = {
  /** Adds a stream. It gets all changes after the returned mark. */
  watch(watcher: TodayWatcher): Promise<TownMark>;
  unwatch(watcher: TodayWatcher): void;
  countStreamsOf(operatorId: string): number;
  /** Checks for changes at once, unless streams were notified a moment ago. */
  wake(): void;
  /** Ends every stream, and each later one as soon as it comes. */
  endAll(): void;
  close(): void;
};

export type TodayHubOptions = {
  readonly readMark: (before: TownMark | undefined) => Promise<{ mark: TownMark; hasChanged: boolean }>;
  /** Which of these tokens are still signed in and may see Today, as hex digits. */
  readonly findLiveTokens: (tokenHashes: readonly Buffer[]) => Promise<ReadonlySet<string>>;
  readonly log: Log;
};

/** The right that the stream needs, as Today does. */
export const TODAY_PERMISSION: Permission = 'see';
/** A stream gets at most one message in this time. */
export const CHANGE_GAP_MS = 1_000;
/** How soon the steps of other servers are found, and sessions that have ended. */
const POLL_EVERY_MS = 500;
/** The hub checks again after this time for changes that were committed during a check. */
const POLL_AGAIN_MS = 25;
const HEARTBEAT_EVERY_MS = 8_000;
/** While the database is away, the log says so once in this time. */
const WARN_EVERY_MS = 10_000;

/**
 * Notifies the open streams of operators that something has changed, without saying what. One small query checks for all of them,
 * and only while there are any. It does not read the events, so a thousand a second cost as much as one.
 */
export function openTodayHub({ readMark, findLiveTokens, log }: TodayHubOptions): TodayHub {
  const watchers = new Set<TodayWatcher>();
  const warn = createWarning(log);
  const poller = startPolling(watchers, readMark, warn);
  const endSignedOut = createTokenCheck(watchers, findLiveTokens);
  const tokenChecks = setInterval(() => void endSignedOut().catch(warn), POLL_EVERY_MS);
  const heartbeats = setInterval(() => {
    for (const watcher of [...watchers]) watcher.heartbeat();
  }, HEARTBEAT_EVERY_MS);
  let isEnded = false;
  return {
    watch(watcher) {
      if (isEnded) setImmediate(() => watcher.end());
      return poller.add(watcher);
    },
    unwatch: poller.remove,
    countStreamsOf: (operatorId) => [...watchers].filter((watcher) => watcher.operatorId === operatorId).length,
    wake: poller.wake,
    endAll() {
      isEnded = true;
      for (const watcher of [...watchers]) watcher.end();
    },
    close() {
      poller.stop();
      clearInterval(tokenChecks);
      clearInterval(heartbeats);
      watchers.clear();
    },
  };
}

function createWarning(log: Log): (error: unknown) => void {
  let warnedAt = Number.NEGATIVE_INFINITY;
  return (error) => {
    if (performance.now() - warnedAt < WARN_EVERY_MS) return;
    warnedAt = performance.now();
    log.warn({ err: error }, 'the changes of Today could not be read');
  };
}

/** Returns a function that ends the streams of operators who have signed out. */
function createTokenCheck(watchers: ReadonlySet<TodayWatcher>, findLiveTokens: TodayHubOptions['findLiveTokens']) {
  let isChecking = false;
  return async (): Promise<void> => {
    const open = [...watchers];
    // A slow database is not asked again before it has answered.
    if (open.length === 0 || isChecking) return;
    isChecking = true;
    const tokens = open.map((watcher) => watcher.tokenHash);
    const live = await findLiveTokens(tokens).finally(() => {
      isChecking = false;
    });
    for (const watcher of open) if (!live.has(watcher.tokenHash.toString('hex'))) watcher.end();
  };
}

/** Reads the mark while there are watchers, and notifies them when it has changed. */
function startPolling(
  watchers: Set<TodayWatcher>,
  readMark: TodayHubOptions['readMark'],
  warn: (error: unknown) => void,
) {
  let mark: TownMark | undefined;
  let polling: Promise<void> | undefined;
  let isWoken = false;
  let isResting = false;
  let timer: NodeJS.Timeout | undefined;

  const pollIn = (ms: number) => {
    clearTimeout(timer);
    if (watchers.size > 0) timer = setTimeout(() => void poll().catch(warn), ms);
  };

  async function pollOnce(): Promise<void> {
    isWoken = false;
    isResting = false;
    const found = await readMark(mark);
    const hasChanged = mark !== undefined && found.hasChanged;
    mark = found.mark;
    isResting = hasChanged;
    if (hasChanged) for (const watcher of [...watchers]) watcher.changed(found.mark);
  }

  function poll(): Promise<void> {
    clearTimeout(timer);
    polling ??= pollOnce().finally(() => {
      polling = undefined;
      if (isResting) pollIn(CHANGE_GAP_MS);
      else pollIn(isWoken ? POLL_AGAIN_MS : POLL_EVERY_MS);
    });
    return polling;
  }

  return {
    async add(watcher: TodayWatcher): Promise<TownMark> {
      // A poll that finished after the last console left: its mark is out of date.
      if (watchers.size === 0) mark = undefined;
      watchers.add(watcher);
      while (!mark) await poll();
      return mark;
    },
    remove(watcher: TodayWatcher): void {
      watchers.delete(watcher);
      if (watchers.size > 0) return;
      clearTimeout(timer);
      mark = undefined;
    },
    wake(): void {
      if (watchers.size === 0 || isResting) return;
      isWoken = true;
      if (!polling) pollIn(0);
    },
    stop: () => clearTimeout(timer),
  };
}
