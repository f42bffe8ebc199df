import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { MINUTE_MS } from '../../domain/durations.ts';
import { listenToEvents } from '../../testing/eventListener.ts';
import { openTestServer, type TestServer, type TestUser } from '../../testing/testServer.ts';
import { waitUntil } from '../../testing/waits.ts';
import { createMaintenance } from './maintenance.ts';
import { createVisits, PLAYED_MS, type Visits } from './visits.ts';

/** How much longer accounts are played after a restart, which does not know the exact times of the last requests. */
const LONGER_MS = 10_000;

let dataDir: string;
let testServer: TestServer;
let visits: Visits;
let scrub: TestUser;
/** The server exists only after its visits. */
let clock = () => 0;

const maintenance = createMaintenance(false);
const open = () => createVisits({ isOwn: maintenance.isOwn, now: () => clock(), dataDir });

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'rubadub-visits-'));
  visits = open();
  testServer = await openTestServer('embedded', {
    isClockStopped: true,
    extend: async (app) => visits.register(app),
  });
  clock = () => testServer.now().getTime();
  scrub = await testServer.createUser('Scrub');
  testServer.advanceClock(PLAYED_MS);
});

afterEach(async () => {
  await testServer.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const isHere = (seen = visits) => seen.isHere(scrub.user.id);

it('an account is played by a visitor until ten minutes after its last request', async () => {
  expect(isHere()).toBe(false);
  await scrub.api.listOrders();
  await waitUntil(isHere);
  testServer.advanceClock(PLAYED_MS - 1);
  expect(isHere()).toBe(true);
  testServer.advanceClock(1);
  expect(isHere()).toBe(false);
});

it('a visitor who signs out still plays the account for that time, and signing in as somebody else changes nothing', async () => {
  const bud = await testServer.createUser('Bud');
  await scrub.api.logout();
  await waitUntil(isHere);
  testServer.advanceClock(9 * MINUTE_MS);
  await bud.api.session();
  expect(isHere()).toBe(true);
  testServer.advanceClock(MINUTE_MS);
  expect(isHere()).toBe(false);
  await waitUntil(() => visits.isHere(bud.user.id));
});

it('an app that is open is a visit, however long nobody touches it, and ten minutes begin when it is closed', async () => {
  const stream = await listenToEvents(testServer.apiUrl, scrub.token);
  await waitUntil(isHere);
  testServer.advanceClock(3 * PLAYED_MS);
  expect(isHere()).toBe(true);
  stream.disconnect();
  await stream.ended;
  testServer.advanceClock(PLAYED_MS - 1);
  expect(isHere()).toBe(true);
});

it('a restart forgets nobody, and a start with a broken file begins with nobody', async () => {
  await scrub.api.logout();
  await waitUntil(isHere);
  const file = join(dataDir, 'visits.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  testServer.advanceClock(PLAYED_MS - 1);
  expect(isHere(open())).toBe(true);
  testServer.advanceClock(1 + LONGER_MS);
  expect(isHere(open())).toBe(false);
  writeFileSync(file, '{');
  expect(isHere(open())).toBe(false);
});

it('what the demo itself sends is no visit', async () => {
  const url = `${testServer.apiUrl}/auth/session`;
  const response = await maintenance.send(url, { headers: { authorization: `Bearer ${scrub.token}` } });
  expect(response.status).toBe(200);
  await scrub.api.listOrders().then(() => waitUntil(isHere));
  testServer.advanceClock(PLAYED_MS);
  await maintenance.send(url, { headers: { authorization: `Bearer ${scrub.token}` } });
  expect(isHere()).toBe(false);
});
