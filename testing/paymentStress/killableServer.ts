import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { v7 as newId } from 'uuid';
import type { Context } from '../../server/context.ts';
import type { Tx } from '../../server/db/database.ts';
import type { Schema } from '../../server/db/schema.ts';
import type { Cards } from '../../server/payments/cards.ts';
import { createSquareCards } from '../../server/payments/square.ts';
import type { Random } from '../random.ts';

/** What a killed process's calls end with: it never learns what became of them. */
export class Killed extends Error {}

/** A server of ours that can be killed: from then on nothing it does reaches the database or the card network. */
export type KillableServer = {
  readonly context: Context;
  isDead(): boolean;
  /** Never dies of itself any more. */
  disableKill(): void;
  stop(): Promise<void>;
};

type Options = { databaseUrl: string; squareUrl: string; now: () => Date; random: Random; killAfterSteps: number };

const LOG = { info() {}, warn() {}, error() {} };

/** Starts a server that dies at the `livesFor`-th of the moments before and after its statements and card calls. */
export function startKillableServer({
  databaseUrl,
  squareUrl,
  now,
  random,
  killAfterSteps: livesFor,
}: Options): KillableServer {
  let [left, dead] = [livesFor, false];
  const clients = new Set<pg.Client>();
  const death = Promise.withResolvers<undefined>();
  /** One moment at which the process may be killed. */
  const moment = () => {
    left -= 1;
    if (left === 0) {
      dead = true;
      death.resolve(undefined);
      // Its connections break: PostgreSQL rolls back what was not committed.
      for (const client of clients)
        (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
    }
    if (dead) throw new Killed();
  };
  const guard = async <T>(call: () => Promise<T>): Promise<T> => {
    moment();
    try {
      const answer = await call();
      moment();
      return answer;
    } catch (error) {
      throw dead ? new Killed() : error;
    }
  };

  class MortalClient extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super(config);
      clients.add(this);
      this.on('error', () => {});
      this.on('end', () => clients.delete(this));
    }
    // biome-ignore lint/suspicious/noExplicitAny: the overloads of pg's query are not expressible in one override
    override query(...given: any[]): any {
      // The pool itself asks nothing; Kysely awaits every statement, begin and commit included.
      return guard(() => (super.query as (...all: unknown[]) => Promise<unknown>).apply(this, given));
    }
  }

  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: 5,
    Client: MortalClient as unknown as new () => pg.Client,
  });
  pool.on('error', () => {});
  // A dead server's pool gives no connection any more, and lets nobody wait for one.
  const mortal = {
    connect: async () => {
      if (dead) throw new Killed();
      const asked = pool.connect();
      // One that comes when its server is dead would stay open, and a database has only so many.
      asked.then((late) => dead && late.release(true)).catch(() => {});
      const client = await Promise.race([asked, death.promise]);
      if (client === undefined) throw new Killed();
      return client;
    },
    end: () => pool.end(),
  };
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: mortal as unknown as pg.Pool }) });
  const deps = createContext(db, guardCards(createFastSquareCards(squareUrl), guard, moment, random), now);
  return {
    context: deps,
    isDead: () => dead,
    disableKill: () => {
      left = Number.POSITIVE_INFINITY;
    },
    stop: () => db.destroy().catch(() => {}),
  };
}

/** The real adapter with the patience of a test. */
export function createFastSquareCards(squareUrl: string): Cards {
  const config = { accessToken: 'any', applicationId: 'any', locationId: 'L1', baseUrl: squareUrl, webSdkUrl: '' };
  return createSquareCards(() => config, { holdTimeoutS: 0.25, timeoutS: 0.15 });
}

export function createContext(db: Tx, cards: Cards, now: () => Date): Context {
  const unused = {} as unknown as Pick<Context, 'config' | 'rateLimits'>;
  return { ...unused, db, now, newId: () => newId(), cards, wake: () => {}, log: LOG };
}

type Guard = <T>(call: () => Promise<T>) => Promise<T>;

// Now and then the process dies while a card call is under way: what it asked for still happens.
function guardCards(cards: Cards, guard: Guard, moment: () => void, random: Random): Cards {
  const wrap =
    <A, T>(verb: (asked: A) => Promise<T>) =>
    (asked: A) =>
      guard(async () => {
        const answer = verb(asked);
        if (random() < 0.5) {
          answer.catch(() => {});
          moment();
        }
        return answer;
      });
  return {
    hold: wrap(cards.hold),
    capture: wrap(cards.capture),
    release: wrap(cards.release),
    refund: wrap(cards.refund),
    findPayment: wrap(cards.findPayment),
  };
}
