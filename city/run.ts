import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE_MS } from '../domain/durations.ts';
import type { Database } from '../server/db/database.ts';
import { createRandom } from '../testing/random.ts';
import { countRepeatingFaults, injectFaults } from './chaos/chaos.ts';
import { checkCardNetwork, checkDatabase, findUnfinishedWork, makeRetriesDue } from './checks/database.ts';
import {
  checkEvents,
  EVENT_MAY_TAKE_MS,
  EVERY_EVENT,
  findMissedEvents,
  type Listener,
  startListening,
} from './checks/events.ts';
import { checkMails } from './checks/mails.ts';
import { rehearsePayouts } from './checks/payouts.ts';
import { checkPromises } from './checks/promises.ts';
import { checkKnownUses, checkPromotions, checkUses } from './checks/promos.ts';
import { checkPushes } from './checks/pushes.ts';
import { checkServers } from './checks/servers.ts';
import { checkTotals } from './checks/totals.ts';
import { checkWindows } from './checks/windows.ts';
import { createRunLog, type Finding, type RunLog } from './findings.ts';
import { creditOf, type Installation, openInstallation } from './installation.ts';
import type { CityOptions } from './options.ts';
import { actAsBud } from './people/bud.ts';
import { createCityClock } from './people/cityClock.ts';
import { type CityContext, type Crowd, createCrowd, simulateDay } from './people/crowd.ts';
import { createPromoBoard } from './people/promoBoard.ts';
import { createTouchedBoard } from './people/touchedBoard.ts';
import { createFigures, type Figures } from './report/figures.ts';
import { type Measures, measureDay, readOnTimePercent, readWindowUse, type WindowUse } from './report/measures.ts';

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
  readonly log: RunLog;
  /** How many orders have each status. */
  readonly orders: Readonly<Record<string, number>>;
  readonly people: number;
  /** Undefined without the database. */
  readonly measures: Measures | undefined;
  readonly windows: readonly WindowUse[];
};

const CHECK_EVERY_MS = 10_000;
/** What takes longer to check is checked every so many times. */
const CHECKS_BETWEEN_LONG_ONES = 6;
const SETTLE_TRIES = 600;
const SETTLE_MS = 200;
/** Longer than a worker needs for one try. */
const HURRY_EVERY = 25;

/** Opens an installation, runs the simulated people in it, and checks what they saw and what is stored. */
export async function runCity(
  options: CityOptions,
  onProgress: (progress: Progress) => unknown = () => {},
  onFinding: (finding: Finding) => void = () => {},
): Promise<CityResult> {
  const startedAt = performance.now();
  onProgress({ stage: 'opening', context: undefined, crowd: undefined });
  const installation = await openInstallation(options);
  const log = createRunLog(() => performance.now(), onFinding);
  const figures = createFigures();
  const clock = createCityClock(options.speed, installation.calendar.now);
  const context: CityContext = {
    options,
    installation,
    clock,
    log,
    figures,
    promos: createPromoBoard(),
    touched: createTouchedBoard(),
  };
  try {
    onProgress({ stage: 'signing up', context, crowd: undefined });
    const crowd = await createCrowd(context);
    const listeners = crowd.people.map((person) => startListening(person, installation.hosts));
    await Promise.all(listeners.map(({ stream }) => stream.connected));
    let measures: Measures | undefined;
    let windows: readonly WindowUse[] = [];
    try {
      onProgress({ stage: 'day', context, crowd });
      await runDay(context, crowd, listeners);
      // Before the Buds cancel what nobody has answered.
      measures =
        installation.database &&
        (await measureDay(installation.database, { options, calendar: installation.calendar, figures }));
      windows = installation.database ? await readWindowUse(installation.database) : [];
      onProgress({ stage: 'evening', context, crowd });
      await checkFinalState(context, crowd, listeners);
      if (measures && installation.database)
        measures = { ...measures, onTimePercent: await readOnTimePercent(installation.database) };
    } finally {
      await Promise.all(listeners.map(({ stream }) => stream.stop()));
    }
    // Before the installation is gone: a caller may have to read what is stored.
    await onProgress({ stage: 'done', context, crowd });
    const seconds = (performance.now() - startedAt) / 1000;
    return {
      options,
      seconds,
      figures,
      log,
      orders: countOrders(crowd),
      people: crowd.people.length,
      measures,
      windows,
    };
  } finally {
    await installation.close();
  }
}

async function runDay(context: CityContext, crowd: Crowd, listeners: readonly Listener[]): Promise<void> {
  const { options, installation, clock, log, figures } = context;
  const { minutes } = options;
  const random = createRandom(options.seed);
  const evening = setTimeout(clock.startEvening, minutes * MINUTE_MS);
  try {
    await Promise.all([
      simulateDay(crowd),
      checkMeanwhile(context, crowd, listeners),
      skipHours(context),
      ...(options.chaos && installation.own
        ? [injectFaults(installation.own, { random, clock, log, figures, minutes })]
        : []),
    ]);
  } finally {
    clearTimeout(evening);
    clock.startEvening();
  }
}

/** So long is a window and the wash, nearly: each time something else is due. */
export const HOURS_AT_ONCE = 5;
/** After the day, until it is certain who had the laundry of each order that was late by then. */
const HOURS_OF_NIGHT = [20, 20, 20];

/** Lets hours pass at once, again and again, so that windows come and go in a short day. */
async function skipHours(context: CityContext): Promise<void> {
  const { options, clock } = context;
  const { minutes, speed, leaps } = options;
  for (let n = 0; n < leaps; n += 1) {
    await clock.wait((minutes * speed) / (leaps + 1));
    if (!clock.isEvening) await passHours(context, HOURS_AT_ONCE);
  }
}

async function passHours({ installation: { own }, log, figures }: CityContext, hours: number): Promise<void> {
  const pass = own?.passHours;
  if (!own || !pass) return;
  await own.alone(async () => {
    checkServers(own, log);
    await pass(hours);
  });
  figures.count('hours passed at once', hours);
  log.note('the clock', `${hours} hours pass`);
}

/**
 * Checks again and again, so that what is wrong only for a while is found too, and an hour need not pass before a finding. The
 * day ends with the first one.
 */
async function checkMeanwhile(context: CityContext, crowd: Crowd, listeners: readonly Listener[]): Promise<void> {
  const { installation, clock, log, options } = context;
  const { database } = installation;
  for (let checks = 1; database && !clock.isEvening; checks += 1) {
    await clock.wait((CHECK_EVERY_MS / MINUTE_MS) * options.speed);
    const isLong = checks % CHECKS_BETWEEN_LONG_ONES === 0;
    // A database that is broken on purpose cannot be read now; the next time will do.
    await checkNow(context, database, { crowd, listeners, isLong }).catch((error: unknown) => {
      if (!options.chaos) throw error;
    });
    if (log.findings.length > 0 && !options.goOn) clock.startEvening();
  }
}

type Check = { readonly crowd: Crowd; readonly listeners: readonly Listener[]; readonly isLong: boolean };

async function checkNow(context: CityContext, database: Database, check: Check): Promise<void> {
  const { log } = context;
  if (!check.isLong) return checkDatabase(database, log);
  const until = context.installation.calendar.now(EVENT_MAY_TAKE_MS);
  for (const listener of check.listeners) {
    checkEvents(listener, log, until);
    for (const what of await findMissedEvents(database, listener, until)) log.report(EVERY_EVENT, what);
  }
  await checkStored(context, database, check.crowd);
}

/** Checks everything that is stored, and the mails and pushes that were sent. Returns how many pushes came. */
async function checkStored(context: CityContext, database: Database, crowd: Crowd): Promise<number> {
  const { installation, log, figures, options, promos } = context;
  await checkDatabase(database, log);
  await checkUses(database, log);
  if (options.windows > 0) await checkWindows(database, { places: options.windows, touched: context.touched.all }, log);
  if (options.policy === 'open') await checkPromotions(database, promos, log);
  await rehearsePayouts(database, log, installation.calendar.now());
  const { standInsUrl } = installation;
  await checkMails(database, crowd.people, { standInsUrl, log, faults: countRepeatingFaults(figures) });
  return checkPushes(database, crowd.people, { standInsUrl, log });
}

/** Lets people finish open work, and compares what they know with what is stored. */
async function checkFinalState(context: CityContext, crowd: Crowd, listeners: readonly Listener[]): Promise<void> {
  const { installation, log, figures, promos, options } = context;
  await installation.own?.cardNetwork?.stopFailing();
  // In the evening Buds cancel unanswered orders, and everyone acts once more.
  for (const person of crowd.people) if (person.role === 'Bud') await actAsBud(person);
  await settle(installation, log);
  if (options.windows > 0)
    for (const hours of HOURS_OF_NIGHT) {
      await waitForEvents(installation, listeners, log);
      // Events are kept for a day, and a stream that comes back later cannot be resumed.
      await Promise.all(listeners.map(({ stream }) => stream.startOver()));
      await passHours(context, hours);
      await settle(installation, log);
    }
  if (options.windows > 0 && installation.database)
    await checkPromises(installation.database, creditOf(options), { log, figures });
  for (const person of crowd.people) await checkTotals(person, log);
  if (installation.own) checkServers(installation.own, log);
  // Where laundry is weighed, an order may cost nothing in the end, and gives its use back.
  if (options.policy === 'open') checkKnownUses(crowd.people, promos, log);
  await waitForEvents(installation, listeners, log);
  for (const listener of listeners) checkEvents(listener, log);
  figures.count('promo codes made', promos.codes.length);
  figures.count(
    'orders with a promo code',
    crowd.people.reduce((sum, { knowledge }) => sum + knowledge.promos.size, 0),
  );
  figures.count(
    'events received',
    listeners.reduce((sum, { stream }) => sum + stream.events.length, 0),
  );
  const { database, cardNetworkUrl } = installation;
  if (!database) return;
  figures.count('pushes received', await checkStored(context, database, crowd));
  if (cardNetworkUrl !== undefined) await checkCardNetwork(database, cardNetworkUrl, log);
}

/** Waits until the workers have nothing to do. */
async function settle({ database, own }: Installation, log: RunLog): Promise<void> {
  if (!database) return;
  let left: string[] = [];
  for (let tries = 0; tries < SETTLE_TRIES; tries += 1) {
    left = await findUnfinishedWork(database);
    if (left.length === 0) return;
    await sleep(SETTLE_MS);
    if (tries % HURRY_EVERY === 0 && own) await makeRetriesDue(database);
  }
  for (const what of left) log.report('what is due gets done', what);
}

/** Waits until everyone has received all events that are stored for them, as long as some still come. */
async function waitForEvents({ database }: Installation, listeners: readonly Listener[], log: RunLog): Promise<void> {
  if (!database) return sleep(SETTLE_MS * 10).then(() => undefined);
  let missed: string[] = [];
  let before = Number.POSITIVE_INFINITY;
  let triesInVain = 0;
  for (let tries = 0; tries < SETTLE_TRIES && triesInVain < SETTLE_TRIES / 4; tries += 1) {
    missed = (await Promise.all(listeners.map((listener) => findMissedEvents(database, listener)))).flat();
    if (missed.length === 0) return;
    triesInVain = missed.length < before ? 0 : triesInVain + 1;
    before = missed.length;
    await sleep(SETTLE_MS);
  }
  for (const what of missed) log.report(EVERY_EVENT, what);
}

function countOrders({ people }: Crowd): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { knowledge, role } of people) {
    if (role !== 'Bud') continue;
    for (const status of knowledge.orders.values()) counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}
