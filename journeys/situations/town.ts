import { v7 as newId } from 'uuid';
import type { ItemDecision } from '../../domain/decisions.ts';
import type { Point } from '../../domain/places.ts';
import type { Preset } from '../../domain/policies.ts';
import { buildWeb } from '../../scripts/build.ts';
import { decideCase } from '../../server/cases/decideCase.ts';
import { setPreset } from '../../server/town/policies.sql.ts';
import { takeOperatorStep } from '../../testing/operatorStep.ts';
import { setPresetForAdmitted } from '../../testing/policies.ts';
import { findTestPort } from '../../testing/ports.ts';
import { CHEAPEST_DATABASE, openTestServer, type TestServer } from '../../testing/testServer.ts';
import type { TestUser } from '../accounts.ts';
import { test as base } from '../journey.ts';
import type { ProductServer } from '../productServer.ts';

/** The product of a town under one preset, whose clock a journey moves, and whose operator it is. */
export type Town = ProductServer & {
  readonly preset: Preset;
  readonly testServer: TestServer;
  readonly signUp: (role: TestUser['role'], fullname: string, at: { north: number }) => Promise<TestUser>;
  /** Moves the clock of the server. Phones follow with `advanceClocks` of a day. */
  readonly advanceClock: (ms: number) => void;
  /** How far the clock of the town is ahead of this machine's. */
  readonly msAhead: () => number;
  readonly takeStep: (id: string, action: string, reason: string, place?: Point) => Promise<unknown>;
  readonly decide: (caseId: string, items: readonly ItemDecision[], reason: string) => Promise<void>;
};

type TownOptions = {
  readonly asksDocuments?: boolean;
  /** Whether the server knows its own address, and serves it as localhost: passkeys belong to a name. */
  readonly isAtLocalhost?: boolean;
  /** Whether there is a map, and addresses that can be searched for. Drawing the city takes a second. */
  readonly hasCity?: boolean;
};

// CI has a PostgreSQL, which the night leaves out: it opens the towns on the embedded database (decision 119).
const DATABASE = process.env.TEST_DATABASE_URL ? CHEAPEST_DATABASE : 'embedded';

async function addressOfLocalhost() {
  const port = await findTestPort();
  return { PORT: String(port), PUBLIC_URL: `http://localhost:${port}` };
}

async function openTown(preset: Preset, options: TownOptions): Promise<Town> {
  const { asksDocuments = false, isAtLocalhost = false, hasCity = false } = options;
  const webDir = await buildWeb({ log: console.log });
  const env = isAtLocalhost ? await addressOfLocalhost() : undefined;
  const server = await openTestServer(DATABASE, { webDir, hasCity, ...(env ? { env } : {}) });
  if (asksDocuments) await setPreset(server.server.db, preset, 'journeys', server.now());
  else await setPresetForAdmitted(server.server.db, preset, server.now());
  const context = { db: server.server.db, now: server.now, newId: () => newId() };
  return {
    preset,
    testServer: server,
    url: env?.PUBLIC_URL ?? new URL(server.apiUrl).origin,
    close: server.close,
    signUp: (role, fullname, { north }) => signUp(server, role, fullname, north),
    advanceClock: server.advanceClock,
    msAhead: () => server.now().getTime() - Date.now(),
    takeStep: (id, action, reason, place) => takeOperatorStep(context, { id, action, reason, place }),
    decide: async (caseId, items, reason) => {
      const result = await decideCase(context, { caseId, items, reason, name: 'Olga' });
      if (!result.ok) throw new Error(result.why);
    },
  };
}

async function signUp(server: TestServer, role: TestUser['role'], fullname: string, north: number): Promise<TestUser> {
  const { user, token, api } = await server.createUser(role, { fullname, north });
  const { id, email, addresses } = user;
  return { role, fullname, email, id, addressId: addresses[0]?.id ?? '', token, api };
}

/** Journeys of a preset, whose workers send documents first only where it is asked for. Each file has one town, which its journeys share: each has people and a neighbourhood of its own. */
export const testUnderPreset = (preset: Preset, options: TownOptions = {}) =>
  base.extend<object, { town: Town }>({
    town: [
      // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures that are needed from the pattern
      async ({}, use) => {
        const town = await openTown(preset, options);
        await use(town);
        await town.close();
      },
      { scope: 'worker', timeout: 480_000 },
    ],
    server: [async ({ town }, use) => use(town), { scope: 'worker' }],
  });

export type SituationTest = ReturnType<typeof testUnderPreset>;
