// A life of its own: one server whose jobs run when they are told, a copy of the town, and everything that is answered is recorded.

import { sql } from 'kysely';
import pino from 'pino';
import { v4 as newUuid } from 'uuid';
import type { OperatorClient } from '../../contract/operator/client.ts';
import { openServerDatabase, queryRows } from '../../server/db/database.ts';
import { queryAt } from '../../testing/databaseConnection.ts';
import { chooseWeighted, createRandom } from '../../testing/random.ts';
import { createTestDatabase, openTestServer, type TestServer, type TestUser } from '../../testing/testServer.ts';
import { captureOutcome } from '../callOutcome.ts';
import { PEOPLE, type World } from '../lifeWorld.ts';
import type { Life, Person } from '../orderLife.ts';
import { recordedClient, recordedOperator } from './clients.ts';
import { createJobs, type Jobs } from './jobs.ts';
import { createMessages, type Messages } from './messages.ts';
import { createRecorder, type Recorder } from './recorder.ts';
import { createRows, type Rows } from './rows.ts';
import { ENV, START, type Town } from './town.ts';

export type GoldenWorld = World & {
  readonly recorder: Recorder;
  /** The operator who may read everything. */
  readonly reader: OperatorClient;
  /** How often something may have changed. */
  readonly changes: () => number;
  /** Does what is due, and records what came of it. */
  readonly settle: () => Promise<void>;
};

type Parts = {
  readonly server: TestServer;
  readonly jobs: Jobs;
  readonly recorder: Recorder;
  readonly messages: Messages;
  readonly rows: Rows;
};

function peopleOf({ server, recorder }: Pick<Parts, 'server' | 'recorder'>, town: Town): Record<Person, TestUser> {
  const people = PEOPLE.map((who) => {
    const { user, token } = town.people[who];
    recorder.names.give(user.id, who);
    for (const { id } of user.addresses) recorder.names.give(id, `home-of-${who}`);
    return [who, { user, token, api: recordedClient(recorder, { host: server.apiUrl, who, token }) }];
  });
  return Object.fromEntries(people);
}

/** Opens the world of the life with this seed. */
export async function openGoldenWorld(town: Town, seed: number): Promise<GoldenWorld> {
  const databaseUrl = await createTestDatabase(new URL(town.databaseUrl).pathname.slice(1));
  const [jobs, recorder, random] = [createJobs(), createRecorder(), createRandom(seed)];
  const logger = pino({ level: 'warn' }, { write: (line) => recorder.noteTrouble(JSON.parse(line).msg) });
  const times = { stoppedAt: START, startWorker: jobs.start };
  const server = await openTestServer('postgres', { env: ENV, databaseUrl, logger, ...times });
  const people = peopleOf({ server, recorder }, town);
  const operator = (who: 'operator' | 'reader') =>
    recordedOperator(recorder, { host: server.apiUrl, who, token: town.operators[who] });
  const messages = await createMessages(server, town, recorder);
  const database = openServerDatabase(databaseUrl, 2);
  const rows = createRows(database.db, recorder);
  const parts = { server, jobs, recorder, messages, rows };
  const settle = () => record(parts, jobs.runWoken);
  let changes = 0;
  const runTimers = () => {
    changes += 1;
    return record(parts, jobs.runAll);
  };
  const steps = { people, town: operator('operator'), random, recorder, settle };
  return {
    ...{ database, people, lives: [], counts: {}, random, recorder, settle, runTimers },
    reader: operator('reader'),
    now: () => server.now().getTime(),
    pick: (list) => list[Math.floor(random() * list.length)] as (typeof list)[number],
    take: async (life, step) => {
      const taken = await takeStep(steps, life, step);
      changes += taken;
      return taken;
    },
    changes: () => changes,
    advanceClock: async (ms) => {
      server.advanceClock(ms);
      recorder.note(`it is ${server.now().toISOString()}`);
      await keepSignedIn(database.db, server.now());
    },
    keepSignedIn: () => keepSignedIn(database.db, server.now()),
    replaceBud: async () => {},
    replaceDubers: async () => {},
    close: async () => {
      await database.close();
      await server.close();
      await queryAt(town.databaseUrl, `drop database if exists ${new URL(databaseUrl).pathname.slice(1)}`);
    },
  };
}

async function record({ jobs, messages, rows }: Parts, run: () => Promise<void>): Promise<void> {
  await run();
  if (jobs.takeHasSent()) await messages.noteNew();
  await rows.noteNew();
}

type Steps = Pick<GoldenWorld, 'people' | 'random' | 'recorder' | 'settle'> & { readonly town: OperatorClient };

/** Sends a step once, twice as two presses, or twice with one key as after a lost answer. How often it was taken. */
async function takeStep(
  { people, town, random, recorder, settle }: Steps,
  life: Life,
  { actor, what, isRepeatable = false, send }: Parameters<World['take']>[1],
): Promise<number> {
  const how = chooseWeighted(random, { once: 7, twice: 1, again: 1 });
  const api = (actor === 'operator' ? people.bud : people[actor]).api;
  life.trace.push(`${actor} ${what} (${how})`);
  let taken = 0;
  let key = newUuid();
  for (const time of how === 'once' ? [1] : [1, 2]) {
    if (time === 2) recorder.note(how === 'again' ? 'the same request again' : 'another press');
    if (time === 2 && how === 'twice') key = newUuid();
    const { status } = await captureOutcome(() => send({ api, town }, key));
    if (status === 200) taken += 1;
    await settle();
  }
  return isRepeatable ? taken : Math.min(taken, 1);
}

/** Sessions and second factors stay as new as the clock, which goes on by weeks. */
async function keepSignedIn(db: Parameters<typeof queryRows>[0], now: Date): Promise<void> {
  await queryRows(db, sql`update sessions set created_at = ${now}, last_used_at = ${now}`);
  await queryRows(db, sql`update operator_sessions set created_at = ${now}, last_used_at = ${now}, code_at = ${now}`);
}
