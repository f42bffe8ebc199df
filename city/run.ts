import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../server/db/database.ts';
import { createRandom } from '../testing/random.ts';
import { causeTrouble, countKills } from './chaos/chaos.ts';
import { createDiary, type Diary, type Finding } from './findings.ts';
import { type Installation, openInstallation } from './installation.ts';
import { checkCardNetwork, checkDatabase, findWorkLeft, hurryRetries } from './judge/database.ts';
import {
  checkEvents,
  EVENT_MAY_TAKE_MS,
  EVERY_EVENT,
  findUnheard,
  type Listener,
  startListening,
} from './judge/listening.ts';
import { checkMails } from './judge/mails.ts';
import { rehearsePayouts } from './judge/payouts.ts';
import { checkTotals } from './judge/totals.ts';
import type { CityOptions } from './options.ts';
import { lookAsBud } from './people/bud.ts';
import { type CityContext, type Crowd, gatherCrowd, liveADay } from './people/crowd.ts';
import { createPace } from './people/pace.ts';
import { createFigures, type Figures } from './report/figures.ts';
import { type Measures, measureDay } from './report/measures.ts';

/** What a run is doing now, for the terminal. */
export type Progress = {
  readonly stage: 'opening' | 'signing up' | 'day' | 'evening' | 'done';
  readonly context: CityContext | undefined;
  readonly crowd: Crowd | undefined;
};

export type CityResult = {
  readonly options: CityOptions;
  readonly seconds: number;
  readonly figures: Figures;
  readonly diary: Diary;
  /** How many orders have each status. */
  readonly orders: Readonly<Record<string, number>>;
  readonly people: number;
  /** Undefined without the database. */
  readonly measures: Measures | undefined;
};

const CHECK_EVERY_MS = 10_000;
/** What takes longer to check is checked every so many times. */
const CHECKS_BETWEEN_LONG_ONES = 6;
const MINUTE_MS = 60_000;
const SETTLE_TRIES = 600;
const SETTLE_MS = 200;
/** Longer than a worker needs for one try. */
const HURRY_EVERY = 25;

/** Opens an installation, lets the crowd live in it, and judges everything that they saw and what is stored. */
export async function runCity(
  options: CityOptions,
  onProgress: (progress: Progress) => void = () => {},
  onFinding: (finding: Finding) => void = () => {},
): Promise<CityResult> {
  const startedAt = performance.now();
  onProgress({ stage: 'opening', context: undefined, crowd: undefined });
  const installation = await openInstallation(options);
  const diary = createDiary(() => performance.now(), onFinding);
  const figures = createFigures();
  const context: CityContext = { options, installation, pace: createPace(options.speed), diary, figures };
  try {
    onProgress({ stage: 'signing up', context, crowd: undefined });
    const crowd = await gatherCrowd(context);
    const listeners = crowd.people.map((person) => startListening(person, installation.hosts));
    await Promise.all(listeners.map(({ stream }) => stream.connected));
    let measures: Measures | undefined;
    try {
      onProgress({ stage: 'day', context, crowd });
      await spendTheDay(context, crowd, listeners);
      // Before the Buds cancel what nobody has answered.
      measures = installation.database && (await measureDay(installation.database, options));
      onProgress({ stage: 'evening', context, crowd });
      await judgeTheDay(context, crowd, listeners);
    } finally {
      await Promise.all(listeners.map(({ stream }) => stream.stop()));
    }
    onProgress({ stage: 'done', context, crowd });
    const seconds = (performance.now() - startedAt) / 1000;
    return { options, seconds, figures, diary, orders: countOrders(crowd), people: crowd.people.length, measures };
  } finally {
    await installation.close();
  }
}

async function spendTheDay(context: CityContext, crowd: Crowd, listeners: readonly Listener[]): Promise<void> {
  const { options, installation, pace, diary, figures } = context;
  const random = createRandom(options.seed);
  const evening = setTimeout(pace.bringEvening, options.minutes * MINUTE_MS);
  try {
    await Promise.all([
      liveADay(crowd),
      checkMeanwhile(context, crowd, listeners),
      ...(options.chaos && installation.own ? [causeTrouble(installation.own, { random, pace, diary, figures })] : []),
    ]);
  } finally {
    clearTimeout(evening);
    pace.bringEvening();
  }
}

/**
 * Checks again and again, so that what is wrong only for a while is found too, and an hour need not pass before a finding. The
 * day ends with the first one.
 */
async function checkMeanwhile(context: CityContext, crowd: Crowd, listeners: readonly Listener[]): Promise<void> {
  const { installation, pace, diary, options } = context;
  const { database } = installation;
  for (let checks = 1; database && !pace.isEvening; checks += 1) {
    await pace.wait((CHECK_EVERY_MS / MINUTE_MS) * options.speed);
    const isLong = checks % CHECKS_BETWEEN_LONG_ONES === 0;
    // A database that is broken on purpose cannot be read now; the next time will do.
    await checkNow(context, database, { crowd, listeners, isLong }).catch((error: unknown) => {
      if (!options.chaos) throw error;
    });
    if (diary.findings.length > 0 && !options.goOn) pace.bringEvening();
  }
}

type Check = { readonly crowd: Crowd; readonly listeners: readonly Listener[]; readonly isLong: boolean };

async function checkNow(
  { installation, diary, figures }: CityContext,
  database: Database,
  check: Check,
): Promise<void> {
  await checkDatabase(database, diary);
  if (!check.isLong) return;
  const until = new Date(Date.now() - EVENT_MAY_TAKE_MS);
  for (const listener of check.listeners) {
    checkEvents(listener, diary, until);
    for (const what of await findUnheard(database, listener, until)) diary.report(EVERY_EVENT, what);
  }
  await rehearsePayouts(database, diary);
  const { standInsUrl } = installation;
  await checkMails(database, check.crowd.people, { standInsUrl, diary, kills: countKills(figures) });
}

/** Finishes what is open and compares what everybody knows with what is stored. */
async function judgeTheDay(context: CityContext, crowd: Crowd, listeners: readonly Listener[]): Promise<void> {
  const { installation, diary, figures } = context;
  await installation.own?.cardNetwork?.stopFailing();
  // In the evening a Bud cancels what nobody has answered, and everybody looks once more.
  for (const person of crowd.people) if (person.role === 'Bud') await lookAsBud(person);
  await settle(installation, diary);
  for (const person of crowd.people) await checkTotals(person, diary);
  await hearEverything(installation, listeners, diary);
  for (const listener of listeners) checkEvents(listener, diary);
  figures.count(
    'events received',
    listeners.reduce((sum, { stream }) => sum + stream.events.length, 0),
  );
  const { database, cardNetworkUrl, standInsUrl } = installation;
  if (!database) return;
  await checkDatabase(database, diary);
  await rehearsePayouts(database, diary);
  if (cardNetworkUrl !== undefined) await checkCardNetwork(database, cardNetworkUrl, diary);
  await checkMails(database, crowd.people, { standInsUrl, diary, kills: countKills(figures) });
}

/** Waits until the workers have nothing to do. */
async function settle({ database, own }: Installation, diary: Diary): Promise<void> {
  if (!database) return;
  let left: string[] = [];
  for (let tries = 0; tries < SETTLE_TRIES; tries += 1) {
    left = await findWorkLeft(database);
    if (left.length === 0) return;
    await sleep(SETTLE_MS);
    if (tries % HURRY_EVERY === 0 && own) await hurryRetries(database);
  }
  for (const what of left) diary.report('what is due gets done', what);
}

/** Waits until everybody has heard of everything that is stored for them. */
async function hearEverything({ database }: Installation, listeners: readonly Listener[], diary: Diary): Promise<void> {
  if (!database) return sleep(SETTLE_MS * 10).then(() => undefined);
  let unheard: string[] = [];
  for (let tries = 0; tries < SETTLE_TRIES / 4; tries += 1) {
    unheard = (await Promise.all(listeners.map((listener) => findUnheard(database, listener)))).flat();
    if (unheard.length === 0) return;
    await sleep(SETTLE_MS);
  }
  for (const what of unheard) diary.report(EVERY_EVENT, what);
}

function countOrders({ people }: Crowd): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { memory, role } of people) {
    if (role !== 'Bud') continue;
    for (const status of memory.orders.values()) counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}
