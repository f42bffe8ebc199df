import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WEEKDAYS } from '../domain/hours.ts';
import type { FastTurnaround } from '../domain/payments.ts';
import { toStoredPrice } from '../domain/prices.ts';
import type { PromiseCredit } from '../domain/promises.ts';
import { type Link, openLink } from '../promises/link.ts';
import { type Env, launchServer, launchStandIns, type ServerProcess } from '../promises/processes.ts';
import { forgetPlacements } from '../promises/serverPair.ts';
import { type Database, openServerDatabase } from '../server/db/database.ts';
import { setPrice } from '../server/payments/prices/prices.sql.ts';
import { writeSetting } from '../server/town/settings.sql.ts';
import { type FaultyNetwork, openFaultyNetwork } from '../testing/paymentStress/faultyNetwork.ts';
import { setPresetForAdmitted } from '../testing/policies.ts';
import { findTestPort } from '../testing/ports.ts';
import { createRandom } from '../testing/random.ts';
import { type CityDatabase, findBackupProgram, startCityDatabase } from './chaos/cityDatabase.ts';
import { SURCHARGES } from './checks/prices.ts';
import { storedPrices } from './compare.ts';
import type { CityOptions } from './options.ts';
import { type Calendar, createTownClock, REAL_CALENDAR } from './townClock.ts';

/** What a server talks to. */
export type Target = 'database' | 'mails' | 'cards' | 'pushes';

/** One of the servers of an installation: a process that may be replaced by another one. */
export type Slot = {
  process: ServerProcess;
  isUp: boolean;
  readonly env: Env;
  /** Its ways to other parts. Undefined where nothing breaks. */
  readonly links: Readonly<Record<Target, Link>> | undefined;
};

/** What an installation of our own consists of, for those who break it. */
export type OwnParts = {
  readonly slots: readonly Slot[];
  /** For commands and servers beside those: their way to the database is never broken. */
  readonly env: Env;
  readonly database: CityDatabase;
  /** Leads everybody to the PostgreSQL that is the primary now, as a load balancer does. */
  readonly leadToPrimary: () => void;
  /** Whether the day is long enough for a failover that this machine has no program for. */
  readonly lacksReplica: boolean;
  readonly cardNetwork: FaultyNetwork | undefined;
  /** Stops all servers, lets hours pass at once, and starts them again. Undefined where the time is the real one. */
  readonly passHours: ((hours: number) => Promise<void>) | undefined;
  /** Does what breaks or stops something, one at a time. */
  alone<T>(work: () => Promise<T>): Promise<T>;
};

/** The installation that a run uses: one of its own, or one that is running already. */
export type Installation = {
  readonly calendar: Calendar;
  /** The API's addresses, of the servers that are up. */
  readonly hosts: () => readonly string[];
  /** The address of the stand-ins, with the inbox of everybody's mail. */
  readonly standInsUrl: string;
  /** Where devices get pushes. Undefined where nobody has one. */
  readonly pushUrl: string | undefined;
  /** To check what is stored. Undefined for an installation whose database was not named. */
  readonly database: Database | undefined;
  /** The card network itself, to compare its records with our ledger. Undefined where it is not the stand-in of this run. */
  readonly cardNetworkUrl: string | undefined;
  readonly own: OwnParts | undefined;
  close(): Promise<void>;
};

const clockOf = (hour: number) => `${String(hour).padStart(2, '0')}:00`;

const SERVERS = 2;
/** A day that is shorter has no failover: it would leave no time to see what came of it. */
const MINUTES_FOR_FAILOVER = 1;
/** All servers are one installation for browsers, as behind a load balancer: passkeys work at one address. */
const PUBLIC_URL = 'http://localhost:3000';

export function openInstallation(options: CityOptions): Promise<Installation> {
  return options.against === undefined ? openOwn(options) : joinRunning(options.against, options.database);
}

async function joinRunning(url: string, databaseUrl: string | undefined): Promise<Installation> {
  const answer = await fetch(`${url}/api/health/ready`).catch(() => undefined);
  if (!answer?.ok) throw new Error(`${url} is not ready: start it, or name another address with --against`);
  const database = databaseUrl === undefined ? undefined : openServerDatabase(databaseUrl, 2);
  return {
    calendar: REAL_CALENDAR,
    hosts: () => [`${url}/api`],
    standInsUrl: url,
    pushUrl: undefined,
    database,
    cardNetworkUrl: undefined,
    own: undefined,
    close: async () => database?.close(),
  };
}

type Closers = (() => Promise<unknown>)[];

/** Starts PostgreSQL, the stand-ins and two servers. Nothing of it is left behind. */
async function openOwn(options: CityOptions): Promise<Installation> {
  const closers: Closers = [];
  const close = async () => {
    for (const one of closers.toReversed()) await one();
  };
  try {
    const ways = await openDatabase(options, closers);
    const town = options.windows > 0 ? createTownClock() : undefined;
    closers.push(async () => town?.close());
    await town?.tellDatabase(ways.url);
    const standIns = await launchStandIns(town?.env);
    closers.push(standIns.close);
    const cardNetworkUrl = standIns.env.SQUARE_BASE_URL ?? '';
    const cardNetwork = options.chaos ? await openFaultyNetwork(cardNetworkUrl, createRandom(options.seed)) : undefined;
    if (cardNetwork) closers.push(cardNetwork.close);
    // A device has one address, whichever server sends to it.
    const pushes = options.chaos ? await openLinkTo(standIns.env.PUSH_STAND_IN_URL, closers) : undefined;
    // A folder of its own: commands look there for a running server, which must not be one of another installation.
    const dataDir = mkdtempSync(join(tmpdir(), 'rubadub-city-data-'));
    closers.push(async () => rmSync(dataDir, { recursive: true, force: true }));
    const env: Env = {
      ...{ DATABASE_URL: ways.url, DATA_DIR: dataDir, PUBLIC_URL },
      ...standIns.env,
      ...town?.env,
      ...(cardNetwork ? { SQUARE_BASE_URL: cardNetwork.url } : {}),
      ...(pushes ? { PUSH_STAND_IN_URL: pushes.url } : {}),
    };
    // The first makes the tables.
    const slots: Slot[] = [];
    closers.push(() => Promise.all(slots.map(({ process }) => process.end())));
    for (const { url, link: database } of ways.ofServers) {
      const own = { ...env, DATABASE_URL: url, PORT: String(await findTestPort()) };
      const behind = database && pushes ? await putBehindLinks(own, { database, pushes }, closers) : undefined;
      const launched = behind?.env ?? own;
      slots.push({ process: await launchServer(launched), isUp: true, env: launched, links: behind?.links });
    }
    const database = openServerDatabase(ways.url, 2);
    closers.push(database.close);
    const calendar: Calendar = town ?? REAL_CALENDAR;
    await prepareTown(database, ways.url, options, calendar.now());
    const { database: cityDatabase, leadToPrimary, lacksReplica } = ways;
    const passHours = async (hours: number) => {
      await stopServers(slots);
      town?.pass(hours);
      process.kill(standIns.pid, 'SIGUSR2');
      await town?.tellDatabase(ways.url);
      await startServers(slots);
    };
    return {
      calendar,
      hosts: () => slots.filter(({ isUp }) => isUp).map(({ process }) => process.apiUrl),
      standInsUrl: standIns.url,
      pushUrl: env.PUSH_STAND_IN_URL,
      database,
      cardNetworkUrl,
      own: {
        ...{ slots, env, database: cityDatabase, leadToPrimary, lacksReplica, cardNetwork },
        ...{ passHours: town && passHours, alone: createTurns() },
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function stopServers(slots: readonly Slot[]): Promise<void> {
  for (const slot of slots) slot.isUp = false;
  await Promise.all(slots.map(({ process }) => process.end()));
}

async function startServers(slots: readonly Slot[]): Promise<void> {
  for (const slot of slots) {
    slot.process = await launchServer(slot.env);
    slot.isUp = true;
  }
}

/** One piece of work after the other. */
function createTurns(): OwnParts['alone'] {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work);
    last = next.catch(() => undefined);
    return next;
  };
}

/** Windows of three hours, day and night: nobody waits for one, because a day of the city is short. */
const WEEK = WEEKDAYS.flatMap((weekday) =>
  [0, 3, 6, 9, 12, 15, 18, 21].map((hour) => ({ weekday, from: clockOf(hour), until: clockOf((hour + 3) % 24) })),
);
const PLAN = { pickup: WEEK, return: WEEK, placesIn: {}, fastest: 'same-day', noticeHours: 0 } as const;

/** Two towns of three pay for a missed promise. */
export const creditOf = ({ seed }: CityOptions): PromiseCredit | null =>
  seed % 3 === 0 ? null : { cents: 500, borneBy: seed % 3 === 1 ? 'holder' : 'town' };

async function prepareTown({ db }: Database, url: string, options: CityOptions, now: Date): Promise<void> {
  const { policy, prices, windows: places } = options;
  await forgetPlacements(url);
  if (policy !== 'open') await setPresetForAdmitted(db, policy, now);
  if (places > 0) {
    const set = { setBy: 'the city', from: new Date(0) };
    await writeSetting(db, { name: 'windows', value: { ...PLAN, places }, ...set });
    await writeSetting(db, { name: 'promiseCredit', value: creditOf(options), ...set });
    for (const [item, percent] of Object.entries(SURCHARGES) as [FastTurnaround, number][])
      await setPrice(db, { item, value: toStoredPrice(item, percent), validFrom: new Date(0) });
  }
  for (const { item, value } of storedPrices(prices)) await setPrice(db, { item, value, validFrom: new Date(0) });
}

/** Starts PostgreSQL. With chaos, every server has a link of its own to it, and everything else another one. */
async function openDatabase({ chaos, minutes }: CityOptions, closers: Closers) {
  const isLongEnough = chaos && minutes >= MINUTES_FOR_FAILOVER;
  const program = isLongEnough ? findBackupProgram() : undefined;
  const database = await startCityDatabase('city', program);
  closers.push(database.stop);
  const links: Link[] = [];
  const openWay = async (): Promise<{ url: string; link: Link | undefined }> => {
    if (!chaos) return { url: database.url, link: undefined };
    const link = await openLink(portOf(database.url));
    links.push(link);
    closers.push(link.close);
    return { url: withPort(database.url, link.port), link };
  };
  const { url } = await openWay();
  const ofServers = [];
  for (let n = 0; n < SERVERS; n += 1) ofServers.push(await openWay());
  const leadToPrimary = () => {
    for (const link of links) link.redirect(portOf(database.primary().url));
  };
  return { database, url, ofServers, leadToPrimary, lacksReplica: isLongEnough && program === undefined };
}

/** Gives a server links of its own to the mail server and to the card network. */
async function putBehindLinks(
  env: Env,
  { database, pushes }: { readonly database: Link; readonly pushes: OpenedLink },
  closers: Closers,
): Promise<{ env: Env; links: Readonly<Record<Target, Link>> }> {
  const mails = await openLinkTo(env.SMTP_URL, closers);
  const cards = await openLinkTo(env.SQUARE_BASE_URL, closers);
  return {
    env: { ...env, SMTP_URL: mails.url, SQUARE_BASE_URL: cards.url },
    links: { database, mails: mails.link, cards: cards.link, pushes: pushes.link },
  };
}

type OpenedLink = { readonly url: string; readonly link: Link };

/** Opens a link to the port of a URL. `url` leads through it. */
async function openLinkTo(target: string | undefined, closers: Closers): Promise<OpenedLink> {
  if (target === undefined) throw new Error('the stand-ins have not printed all their addresses');
  const link = await openLink(portOf(target));
  closers.push(link.close);
  return { url: withPort(target, link.port), link };
}

const portOf = (url: string): number => Number(new URL(url).port);

function withPort(url: string, port: number): string {
  const changed = new URL(url);
  changed.port = String(port);
  return changed.href;
}
