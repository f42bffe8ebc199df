import { type KillablePostgres, startKillablePostgres } from '../promises/killablePostgres.ts';
import { type Env, launchServer, launchStandIns, type ServerProcess } from '../promises/processes.ts';
import { forgetPlacements } from '../promises/serverPair.ts';
import { type Database, openServerDatabase } from '../server/db/database.ts';
import { setPrice } from '../server/payments/prices.sql.ts';
import { type FaultyNetwork, openFaultyNetwork } from '../testing/paymentStress/faultyNetwork.ts';
import { setPresetForAdmitted } from '../testing/policies.ts';
import { createRandom } from '../testing/random.ts';
import { storedPrices } from './compare.ts';
import type { CityOptions } from './options.ts';

/** One of the servers of an installation: a process that may be replaced by another one. */
export type Slot = { process: ServerProcess; isUp: boolean };

/** What an installation of our own consists of, for those who break it. */
export type OwnParts = {
  readonly slots: readonly Slot[];
  readonly env: Env;
  readonly postgres: KillablePostgres;
  readonly cardNetwork: FaultyNetwork | undefined;
};

/** The installation that a run uses: one of its own, or one that is running already. */
export type Installation = {
  /** The API's addresses, of the servers that are up. */
  readonly hosts: () => readonly string[];
  /** The address of the stand-ins, with the inbox of everybody's mail. */
  readonly standInsUrl: string;
  /** To check what is stored. Undefined for an installation whose database was not named. */
  readonly database: Database | undefined;
  /** The card network itself, to compare its books with ours. Undefined where it is not the stand-in of this run. */
  readonly cardNetworkUrl: string | undefined;
  readonly own: OwnParts | undefined;
  close(): Promise<void>;
};

const SERVERS = 2;

export function openInstallation(options: CityOptions): Promise<Installation> {
  return options.against === undefined ? openOwn(options) : join(options.against, options.database);
}

async function join(url: string, databaseUrl: string | undefined): Promise<Installation> {
  const answer = await fetch(`${url}/api/health/ready`).catch(() => undefined);
  if (!answer?.ok) throw new Error(`${url} is not ready: start it, or name another address with --against`);
  const database = databaseUrl === undefined ? undefined : openServerDatabase(databaseUrl, 2);
  return {
    hosts: () => [`${url}/api`],
    standInsUrl: url,
    database,
    cardNetworkUrl: undefined,
    own: undefined,
    close: async () => database?.close(),
  };
}

/** Starts PostgreSQL, the stand-ins and two servers. Nothing of it is left behind. */
async function openOwn({ policy, chaos, seed, prices }: CityOptions): Promise<Installation> {
  const closers: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const one of closers.toReversed()) await one();
  };
  try {
    const postgres = await startKillablePostgres();
    closers.push(() => postgres.stop());
    const databaseUrl = await postgres.createDatabase('city');
    const standIns = await launchStandIns();
    closers.push(standIns.close);
    const cardNetworkUrl = standIns.env.SQUARE_BASE_URL ?? '';
    const cardNetwork = chaos ? await openFaultyNetwork(cardNetworkUrl, createRandom(seed)) : undefined;
    if (cardNetwork) closers.push(cardNetwork.close);
    const env: Env = {
      DATABASE_URL: databaseUrl,
      ...standIns.env,
      ...(cardNetwork ? { SQUARE_BASE_URL: cardNetwork.url } : {}),
    };
    // The first makes the tables.
    const slots: Slot[] = [];
    for (let n = 0; n < SERVERS; n += 1) slots.push({ process: await launchServer(env), isUp: true });
    closers.push(() => Promise.all(slots.map(({ process }) => process.end())));
    await forgetPlacements(databaseUrl);
    const database = openServerDatabase(databaseUrl, 2);
    closers.push(database.close);
    if (policy !== 'open') await setPresetForAdmitted(database.db, policy, new Date());
    for (const { item, value } of storedPrices(prices))
      await setPrice(database.db, { item, value, validFrom: new Date(0) });
    return {
      hosts: () => slots.filter(({ isUp }) => isUp).map(({ process }) => process.apiUrl),
      standInsUrl: standIns.url,
      database,
      cardNetworkUrl,
      own: { slots, env, postgres, cardNetwork },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
