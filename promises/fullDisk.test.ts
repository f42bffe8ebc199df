import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestUser } from '../testing/testServer.ts';
import { type CallOutcome, captureOutcome } from './callOutcome.ts';
import { LaunchFailed, launchServer, launchStandIns, type ServerProcess, type StandIns } from './processes.ts';
import { describePromise, TEST_TIMEOUT_MS } from './promiseSuite.ts';
import { createTestUserAt } from './serverPair.ts';
import { openSmallDisk } from './smallDisk.ts';
import { createWritingClients, type WritingClients } from './writingClients.ts';

/** A request that takes longer than this counts as hanging. The answers take milliseconds; a busy machine is slower. */
const REQUEST_TIMEOUT_MS = 30_000;
const REFUSALS = 5;
const MEGABYTES = 96;
const MAX_TRIES = 3_000;

/** A place for data where a server can be kept from writing. */
type Place = {
  readonly folder: string;
  /** Keeps the process, and where `isFull` every other one, from writing. */
  fill(pid: number): void;
  clear(pid: number): void;
  readonly isFull: boolean;
  close(): void;
};

/** A mounted file system that is really full. Mounting needs root. */
function openFullDisk(): Place | undefined {
  const disk = openSmallDisk(MEGABYTES);
  return disk && { ...disk, fill: () => disk.fill(), clear: () => disk.clear(), isFull: true };
}

/** A limit of 4 kB on the files that the process writes, so that every write beyond fails: for machines without root. */
function openFileLimit(): Place | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'rubadub-limit-'));
  const limit = (pid: number, bytes: string) => execFileSync('prlimit', ['--pid', `${pid}`, `--fsize=${bytes}:`]);
  try {
    limit(process.pid, 'unlimited');
  } catch {
    rmSync(folder, { recursive: true, force: true });
    return undefined;
  }
  return {
    folder,
    fill: (pid) => void limit(pid, '4096'),
    clear: (pid) => void limit(pid, 'unlimited'),
    isFull: false,
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

type Town = { readonly place: Place; server: ServerProcess; bud: TestUser; scrub: TestUser; clients: WritingClients };

const WAYS = { 'a full disk': openFullDisk, 'a limit on file sizes': openFileLimit };

describePromise('full-disk', (suite) => {
  const places: (readonly [string, Place])[] = [];
  const towns = new Map<Place, Town>();
  const ran = new Map<string, number>();
  let standIns: StandIns;
  let slowestMs = 0;

  beforeAll(async () => {
    for (const [way, open] of Object.entries(WAYS)) {
      const place = open();
      if (place) places.push([way, place]);
      else suite.skipCases(`${way}, which this process may not make`, 0);
    }
    standIns = await launchStandIns();
  }, TEST_TIMEOUT_MS);
  afterAll(async () => {
    for (const { server } of towns.values()) await server.end('SIGKILL');
    for (const [, place] of places) place.close();
    await standIns?.close();
  });

  const launchAt = ({ folder }: Place) => launchServer({ DATA_DIR: join(folder, 'data'), ...standIns.env });
  const apisOf = ({ server, bud, scrub }: Town) => ({ bud: server.api(bud.token), scrub: server.api(scrub.token) });

  async function openTown(place: Place): Promise<Town> {
    const server = await launchAt(place);
    const createUser = (role: 'Bud' | 'Scrub') => createTestUserAt(server, standIns.url, role);
    const [bud, scrub] = await Promise.all([createUser('Bud'), createUser('Scrub')]);
    const clients = createWritingClients({ bud, scrub, random: suite.random });
    const town = { place, server, bud, scrub, clients };
    towns.set(place, town);
    return town;
  }

  /** Makes a write and a read. */
  async function callBoth(town: Town, outcomes: CallOutcome<unknown>[]): Promise<void> {
    const { scrub } = apisOf(town);
    const options = () => ({ signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
    const body = { fullname: `Scrub ${'x'.repeat(60)} ${outcomes.length}` };
    outcomes.push(await captureOutcome(() => scrub.updateProfile({ body }, options())));
    outcomes.push(await captureOutcome(() => scrub.profile(undefined, options())));
  }

  async function readReadiness({ server }: Town): Promise<{ status: number; message: string | undefined }> {
    const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
    const response = await fetch(`${server.url}/api/health/ready`, { signal });
    const { message } = (await response.json()) as { message?: string };
    return { status: response.status, message };
  }

  async function surviveFullDisk(town: Town): Promise<void> {
    const { place, clients, server } = town;
    const outcomes: CallOutcome<unknown>[] = [];
    const before = clients.acknowledged();
    while (clients.acknowledged() < before + REFUSALS) await clients.writeOnce(apisOf(town));
    place.fill(server.pid);
    const isRefused = ({ status }: CallOutcome<unknown>) => status === 503;
    for (let tries = 0; outcomes.filter(isRefused).length < REFUSALS && tries < MAX_TRIES; tries += 1) {
      await Promise.all([callBoth(town, outcomes), clients.writeOnce(apisOf(town))]);
    }
    expect(await readReadiness(town)).toMatchObject({
      status: 503,
      message: expect.stringMatching(/(No space left on device|File too large)\. Make room where DATA_DIR is/),
    });
    place.clear(server.pid);
    await expect.poll(async () => (await readReadiness(town)).status).toBe(200);
    const unexpected = outcomes.filter(({ status, retryAfter }) => status !== 200 && !(status === 503 && retryAfter));
    expect(unexpected.slice(0, 3), 'answers without room').toEqual([]);
    slowestMs = Math.max(slowestMs, ...outcomes.map(({ ms }) => ms));
    expect(outcomes.filter(isRefused).length).toBeGreaterThanOrEqual(REFUSALS);
    expect(await clients.writeOnce(apisOf(town)), 'a write after there is room again').toBe(true);
    expect(await clients.findLost(apisOf(town))).toEqual([]);
  }

  /** Stops a server whose disk is full. It starts again only when there is room. */
  async function restartWithoutRoom(town: Town): Promise<void> {
    const { place, clients } = town;
    place.fill(town.server.pid);
    await town.server.end(suite.random() < 0.5 ? 'SIGTERM' : 'SIGKILL');
    if (place.isFull) {
      const failure = await launchAt(place).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(LaunchFailed);
      expect((failure as LaunchFailed).message).toMatch(/^rubadub: DATA_DIR .*no space left on device[^\n]*$/i);
    }
    place.clear(process.pid);
    town.server = await launchAt(place);
    expect(await clients.findLost(apisOf(town))).toEqual([]);
  }

  test('a server without room refuses within seconds, loses nothing, and works again when there is room', {
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    for (let run = 0; run < suite.cases; run += 1) {
      const [way, place] = places[run % places.length] ?? expect.fail('no way to keep a server from writing');
      const town = towns.get(place) ?? (await openTown(place));
      await surviveFullDisk(town);
      await restartWithoutRoom(town);
      suite.countCases();
      ran.set(way, (ran.get(way) ?? 0) + 1);
    }
    suite.recordFigure('slowest answer, ms', slowestMs);
    for (const [way, count] of ran) suite.recordFigure(way, count);
  });
});
