import pg from 'pg';
import type { Log } from '../context.ts';

/** How the servers of one database tell each other that the outbox has grown. What it holds is always read there. */
export type ServerChannel = {
  /** Tells the others, soon and together with what else is told in that time. */
  notify(): void;
  /** Whether others can be heard; if not, the outbox must be looked at more often. */
  isReceiving(): boolean;
  close(): Promise<void>;
};

/** A server alone on its embedded database has nobody to tell. */
export const noServerChannel: ServerChannel = { notify: () => {}, isReceiving: () => true, close: async () => {} };

type ServerChannelOptions = {
  /** A connection of its own, past any pooler: LISTEN lives as long as its session. */
  readonly url: string;
  /** This server's name among the others. */
  readonly name: string;
  /** Sends a notification over the pool. */
  readonly notify: (channel: string, payload: string) => Promise<unknown>;
  readonly onNotified: () => void;
  readonly log: Log;
};

const CHANNEL = 'rubadub_events';
const COALESCE_MS = 20;
const PING_EVERY_MS = 15_000;
const PONG_TIMEOUT_MS = 3_000;
const RECONNECT_AFTER_MS = 1_000;

export function openServerChannel(given: ServerChannelOptions): ServerChannel {
  const ear = openListener(given);
  let timer: NodeJS.Timeout | undefined;
  let isTold = true;
  const send = () => {
    isTold = true;
    // A notification that is lost costs the others a moment, until they look by themselves.
    given.notify(CHANNEL, given.name).catch(() => undefined);
    timer = setTimeout(() => {
      timer = undefined;
      if (!isTold) send();
    }, COALESCE_MS);
  };
  return {
    notify() {
      isTold = false;
      if (timer === undefined) send();
    },
    isReceiving: ear.hears,
    async close() {
      clearTimeout(timer);
      await ear.close();
    },
  };
}

/** Listens on one connection, again and again, and pings itself: behind a pooler LISTEN succeeds and stays deaf. */
function openListener({ url, name, notify, onNotified: onHeard, log }: ServerChannelOptions) {
  const ping = `ping ${name}`;
  let client: pg.Client | undefined;
  let isHearing = false;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  const again = (act: () => void, ms: number) => {
    clearTimeout(timer);
    if (!closed) timer = setTimeout(act, ms);
  };

  async function connect(): Promise<void> {
    const next = new pg.Client({
      connectionString: url,
      keepAlive: true,
      connectionTimeoutMillis: 3_000,
      application_name: 'rubadub-events',
    });
    client = next;
    next.on('error', () => drop(next));
    next.on('end', () => drop(next));
    next.on('notification', ({ payload = '' }) => {
      if (payload === ping) heardSelf(next);
      else if (payload !== name && !payload.startsWith('ping ')) onHeard();
    });
    try {
      await next.connect();
      await next.query(`listen ${CHANNEL}`);
      // What was told while nobody listened.
      onHeard();
      askSelf(next);
    } catch {
      drop(next);
    }
  }

  function askSelf(asked: pg.Client): void {
    if (client !== asked) return;
    notify(CHANNEL, ping).catch(() => undefined);
    again(() => {
      log.warn({}, 'notifications of the database do not arrive: looking into the outbox often instead');
      drop(asked);
    }, PONG_TIMEOUT_MS);
  }

  function heardSelf(asked: pg.Client): void {
    if (client !== asked) return;
    isHearing = true;
    again(() => askSelf(asked), PING_EVERY_MS);
  }

  function drop(lost: pg.Client): void {
    if (client !== lost) return;
    client = undefined;
    isHearing = false;
    lost.end().catch(() => undefined);
    again(() => void connect(), RECONNECT_AFTER_MS);
  }

  void connect();
  return {
    hears: () => isHearing,
    async close() {
      closed = true;
      clearTimeout(timer);
      const last = client;
      client = undefined;
      await last?.end().catch(() => undefined);
    },
  };
}
