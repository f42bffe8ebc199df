import { Kysely } from 'kysely';
import pg from 'pg';
import { v7 as newId } from 'uuid';
import type { Context } from '../../server/context.ts';
import type { Tx } from '../../server/db/database.ts';
import { createDialect, type Statement } from '../../server/db/driver.ts';
import type { Schema } from '../../server/db/schema.ts';
import type { Cards } from '../../server/payments/card/cards.ts';
import { createSquareCards } from '../../server/payments/card/square.ts';
import type { Random } from '../random.ts';

/** Thrown by every call of a killed server. The caller cannot know whether the call took effect. */
export class ServerKilledError extends Error {}

/** A server that can be killed. After that, nothing it does reaches the database or the card network. */
export type KillableServer = {
  readonly context: Context;
  isKilled(): boolean;
  /** Keeps the server alive until it is stopped. */
  disableKill(): void;
  stop(): Promise<void>;
};

type Options = { databaseUrl: string; squareUrl: string; now: () => Date; random: Random; killAfterSteps: number };

const LOG = { info() {}, warn() {}, error() {} };
const SLOW_MS = 20_000;

/** Starts a server that is killed after `killAfterSteps` steps. A step is before or after a statement or a card call. */
export function startKillableServer({ databaseUrl, squareUrl, now, random, killAfterSteps }: Options): KillableServer {
  let [stepsLeft, killed] = [killAfterSteps, false];
  const clients = new Set<pg.Client>();
  const death = Promise.withResolvers<undefined>();
  const step = () => {
    stepsLeft -= 1;
    if (stepsLeft === 0) {
      killed = true;
      death.resolve(undefined);
      // Break the connections, so that PostgreSQL rolls back open transactions.
      for (const client of clients)
        (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
    }
    if (killed) throw new ServerKilledError();
  };
  const guard = async <T>(call: () => Promise<T>): Promise<T> => {
    step();
    try {
      const result = await call();
      step();
      return result;
    } catch (error) {
      throw killed ? new ServerKilledError() : error;
    }
  };

  class KillableClient extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super(config);
      clients.add(this);
      this.on('error', () => {});
      this.on('end', () => clients.delete(this));
    }
    // biome-ignore lint/suspicious/noExplicitAny: the overloads of pg's query are not expressible in one override
    override query(...args: any[]): any {
      // Every statement passes here, begin and commit included; the pool runs none.
      return guard(() => (super.query as (...all: unknown[]) => Promise<unknown>).apply(this, args));
    }
    queryTogether(statements: readonly Statement[]): Promise<pg.QueryResult>[] {
      return statements.map(({ sql, parameters }) => this.query(sql, [...parameters]));
    }
  }

  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: 5,
    pipeline: true,
    Client: KillableClient as unknown as new () => pg.Client,
  });
  pool.on('error', () => {});
  // A killed server's pool rejects every request for a connection, pending ones too.
  const connect = async () => {
    if (killed) throw new ServerKilledError();
    const connecting = pool.connect();
    // Close a connection that arrives after the kill: it would count towards the database's limit.
    connecting.then((late) => killed && late.release(true)).catch(() => {});
    const client = await Promise.race([connecting, death.promise]);
    if (client === undefined) throw new ServerKilledError();
    return client;
  };
  const db = new Kysely<Schema>({ dialect: createDialect(connect) });
  const context = createContext(db, guardCards(createFastSquareCards(squareUrl), guard, step, random), now);
  return {
    context,
    isKilled: () => killed,
    disableKill: () => {
      stepsLeft = Number.POSITIVE_INFINITY;
    },
    stop: () => pool.end().catch(() => {}),
  };
}

/** The real adapter. While the card network does not answer, it looks again sooner than in the product. */
export function createFastSquareCards(squareUrl: string): Cards {
  const config = { accessToken: 'any', applicationId: 'any', locationId: 'L1', baseUrl: squareUrl, webSdkUrl: '' };
  const circuitTimes = { slowMs: SLOW_MS, probeMs: SLOW_MS, quickProbeMs: SLOW_MS, probeEveryMs: 20 };
  return createSquareCards(() => config, { holdTimeoutS: 60, timeoutS: 60, circuitTimes });
}

export function createContext(db: Tx, cards: Cards, now: () => Date): Context {
  // As the tests' servers: everyone shares one network.
  const config = { rateLimitScale: 1_000 };
  const partial = { config } as unknown as Pick<Context, 'config' | 'rateLimits'>;
  return { ...partial, db, now, newId: () => newId(), cards, wake: () => {}, endStreamsOf: () => {}, log: LOG };
}

type Guard = <T>(call: () => Promise<T>) => Promise<T>;

// Sometimes the server is killed while a card call is in flight. The call still takes effect.
function guardCards(cards: Cards, guard: Guard, step: () => void, random: Random): Cards {
  const wrap =
    <Input, T>(call: (input: Input) => Promise<T>) =>
    (input: Input) =>
      guard(async () => {
        const result = call(input);
        if (random() < 0.5) {
          result.catch(() => {});
          step();
        }
        return result;
      });
  return {
    hold: wrap(cards.hold),
    capture: wrap(cards.capture),
    release: wrap(cards.release),
    refund: wrap(cards.refund),
    findPayment: wrap(cards.findPayment),
    checkAccess: cards.checkAccess,
    disputes: {
      list: (cursor) => wrap(() => cards.disputes.list(cursor))(undefined),
      sendEvidence: (id, pieces) => wrap(() => cards.disputes.sendEvidence(id, pieces))(undefined),
      accept: wrap(cards.disputes.accept),
    },
    lists: cards.lists,
    onFile: {
      createCustomer: wrap(cards.onFile.createCustomer),
      deleteCustomer: wrap(cards.onFile.deleteCustomer),
      save: wrap(cards.onFile.save),
      remove: wrap(cards.onFile.remove),
    },
  };
}
