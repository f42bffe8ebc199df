import pg from 'pg';
import { readHosts } from '../config/databaseHosts.ts';
import type { Log } from '../log.ts';

/**
 * How the servers of one database notify each other, with LISTEN and NOTIFY: of new events, and that sessions of a user have
 * ended. A notification says no more than that: servers read the events and the sessions from their tables.
 */
export type ServerChannel = {
  /** Notifies the other servers of new events. Calls within a short time are combined. */
  notify(): void;
  /** Notifies the other servers that sessions of a user have ended. */
  notifySessionsEnded(userId: string): void;
  /** Whether notifications of other servers arrive. If not, the events must be polled more often. */
  isReceiving(): boolean;
  close(): Promise<void>;
};

/** For the embedded database, which only one server uses. */
export const noServerChannel: ServerChannel = {
  notify: () => {},
  notifySessionsEnded: () => {},
  isReceiving: () => true,
  close: async () => {},
};

type ServerChannelOptions = {
  /** Must bypass a connection pooler: LISTEN is bound to its session. */
  readonly url: string;
  /** Tells this server's notifications from those of others. */
  readonly serverId: string;
  /** Sends a notification over the connection pool. */
  readonly notify: (channel: string, payload: string) => Promise<unknown>;
  readonly onEvents: () => void;
  readonly onSessionsEnded: (userId: string) => void;
  readonly log: Log;
};

const CHANNEL = 'rubadub_events';
/** Before the user's id. Releases that do not know it look for new events, which does no harm. */
const SESSIONS_ENDED = 'sessions-ended ';
/** Before the server's id. */
const PING = 'ping ';
const COALESCE_MS = 20;
const PING_EVERY_MS = 15_000;
const PONG_TIMEOUT_MS = 3_000;
const ANSWER_TIMEOUT_MS = 3_000;
const RECONNECT_AFTER_MS = 1_000;

export function openServerChannel(options: ServerChannelOptions): ServerChannel {
  const listener = openListener(options);
  let timer: NodeJS.Timeout | undefined;
  let hasUnsent = false;
  const send = () => {
    hasUnsent = false;
    // If it is lost, the other servers find the events when they next poll.
    options.notify(CHANNEL, options.serverId).catch(() => undefined);
    timer = setTimeout(() => {
      timer = undefined;
      if (hasUnsent) send();
    }, COALESCE_MS);
  };
  return {
    notify() {
      hasUnsent = true;
      if (timer === undefined) send();
    },
    // If it is lost, the other servers find out when they next check the sessions of their streams.
    notifySessionsEnded: (userId) => {
      options.notify(CHANNEL, SESSIONS_ENDED + userId).catch(() => undefined);
    },
    isReceiving: listener.isReceiving,
    async close() {
      clearTimeout(timer);
      await listener.close();
    },
  };
}

/** Listens on a dedicated connection and reconnects it. Pings itself, because LISTEN behind a pooler succeeds silently. */
function openListener(options: ServerChannelOptions) {
  const { url, serverId, notify, onEvents, log } = options;
  const ping = PING + serverId;
  const hosts = readHosts(url);
  let client: pg.Client | undefined;
  let isReceiving = false;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  const schedule = (act: () => void, ms: number) => {
    clearTimeout(timer);
    if (!isClosed) timer = setTimeout(act, ms);
  };

  async function connect(): Promise<void> {
    const host = hosts.url();
    const next = createClient(host);
    client = next;
    next.on('error', () => drop(next));
    next.on('end', () => drop(next));
    next.on('notification', ({ payload = '' }) => {
      if (payload === ping) onPong(next);
      else receive(payload, options);
    });
    try {
      await next.connect();
      await next.query(`listen ${CHANNEL}`);
      // Other servers may have sent notifications while this one was not connected.
      onEvents();
      sendPing(next);
    } catch {
      // The host is away or hangs, or it is a standby, where LISTEN is not possible.
      hosts.skip(host);
      drop(next);
    }
  }

  function sendPing(current: pg.Client): void {
    if (client !== current) return;
    notify(CHANNEL, ping).catch(() => undefined);
    schedule(() => {
      log.warn({}, 'database notifications do not arrive: polling for events more often instead');
      // The notifications go to the primary, and this may not be it any more.
      hosts.skip(hosts.url());
      drop(current);
    }, PONG_TIMEOUT_MS);
  }

  function onPong(current: pg.Client): void {
    if (client !== current) return;
    isReceiving = true;
    schedule(() => sendPing(current), PING_EVERY_MS);
  }

  function drop(lost: pg.Client): void {
    if (client !== lost) return;
    client = undefined;
    isReceiving = false;
    lost.end().catch(() => undefined);
    schedule(() => void connect(), RECONNECT_AFTER_MS);
  }

  void connect();
  return {
    isReceiving: () => isReceiving,
    async close() {
      isClosed = true;
      clearTimeout(timer);
      const last = client;
      client = undefined;
      await last?.end().catch(() => undefined);
    },
  };
}

const createClient = (connectionString: string) =>
  new pg.Client({
    connectionString,
    keepAlive: true,
    connectionTimeoutMillis: 3_000,
    query_timeout: ANSWER_TIMEOUT_MS,
    application_name: 'rubadub-events',
  });

/** Passes on a notification, unless it says that this server itself has written events. */
function receive(payload: string, { serverId, onEvents, onSessionsEnded }: ServerChannelOptions): void {
  if (payload.startsWith(SESSIONS_ENDED)) onSessionsEnded(payload.slice(SESSIONS_ENDED.length));
  else if (payload !== serverId && !payload.startsWith(PING)) onEvents();
}
