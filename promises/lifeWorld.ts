// The two servers, each in a process of its own, the people and the operator of random lives, and how they send a step.

import { sql } from 'kysely';
import { v4 as newUuid } from 'uuid';
import { expect } from 'vitest';
import { type Client, createClient } from '../contract/client.ts';
import type { OperatorClient } from '../contract/operator/client.ts';
import { type Database, openServerDatabase, queryRow, queryRows } from '../server/db/database.ts';
import { setPrice } from '../server/payments/prices/prices.sql.ts';
import { createCheckedClient } from '../testing/checkedClient.ts';
import { createOperator, operatorClient, raiseLimits } from '../testing/operators.ts';
import { createPromo } from '../testing/promos.ts';
import { chooseWeighted, type Random } from '../testing/random.ts';
import { openTestServer, type TestServer, type TestUser } from '../testing/testServer.ts';
import { waitFor } from '../testing/waits.ts';
import { captureOutcome, throwIfOverloaded } from './callOutcome.ts';
import type { Verdict } from './exceptionModel.ts';
import { asLifeServer, type LifeServer, launchLifeServer, runTimersOfAll } from './lifeServers.ts';
import { type Actor, type Duber, type Life, type Person, PROMO } from './orderLife.ts';

export const PEOPLE: readonly Person[] = ['bud', 'scrub', 'otherScrub', 'duber', 'otherDuber'];
export const DUBERS: readonly Duber[] = ['duber', 'otherDuber'];
export const REFUSALS: readonly number[] = [403, 404, 409];

/** How a step is sent: by whom, and where. */
type Send = (clients: { readonly api: Client; readonly town: OperatorClient }, key: string) => Promise<unknown>;
type Step = {
  readonly actor: Actor;
  readonly verdict: Verdict;
  readonly what: string;
  /** Whether it may be taken any number of times. */
  readonly isRepeatable?: boolean;
  readonly send: Send;
};

export type World = {
  readonly database: Database;
  readonly people: Record<Person, TestUser>;
  /** All lives so far, of which some deliveries may still be with a Duber. */
  readonly lives: Life[];
  readonly counts: Record<string, number>;
  readonly random: Random;
  readonly now: () => number;
  readonly pick: <T>(list: readonly T[]) => T;
  /** Sends a step once, at both servers at once, or twice with one key as after a lost answer. How often it was taken. */
  readonly take: (life: Life, step: Step) => Promise<number>;
  readonly advanceClock: (ms: number) => Promise<void>;
  readonly runTimers: () => Promise<void>;
  /** Keeps sessions as new as the clock, which goes on by weeks. Claims of earlier lives do not count as many. */
  readonly keepSignedIn: () => Promise<void>;
  /** Another Bud orders from now on. Nobody may have many claims that wait for an answer. */
  readonly replaceBud: () => Promise<void>;
  /** Has new Dubers drive from now on. */
  readonly replaceDubers: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export async function openWorld(random: Random): Promise<World> {
  const first = await openTestServer('postgres', { isClockStopped: true });
  const second = await launchLifeServer(first);
  const database = openServerDatabase(first.databaseUrl ?? '', 2);
  await createPromo({ db: database.db, now: first.now }, PROMO);
  await setPrice(database.db, { item: 'size-XL', validFrom: first.now(), value: 15 });
  const people = await createPeople(first);
  await raiseLimits(first);
  const { token } = await createOperator(first, { caps: ['see', 'help', 'dispatch'] });
  const servers = [asLifeServer(first), second];
  const clients = servers.map((server) => ({ server, town: operatorClient(server, token) }));
  const parts = { database, people, lives: [], counts: {}, random };
  return {
    ...parts,
    pick: (list) => list[Math.floor(random() * list.length)] as (typeof list)[number],
    now: () => first.now().getTime(),
    take: (life, step) => takeStep(parts, clients, life, step),
    advanceClock: async (ms) => void (await Promise.all(servers.map(({ ask }) => ask({ advanceMs: ms })))),
    runTimers: () => runTimersOfAll(servers),
    keepSignedIn: () => keepSignedIn(database, people.bud.user.id, first.now()),
    replaceBud: async () => {
      people.bud = await createBud(first);
    },
    replaceDubers: async () => {
      for (const duber of DUBERS) people[duber] = await first.createUser('Duber');
    },
    close: async () => {
      await database.close();
      await second.close();
      await first.close();
    },
  };
}

type Clients = readonly { readonly server: LifeServer; readonly town: OperatorClient }[];

async function takeStep(
  { people, counts, random }: Pick<World, 'people' | 'counts' | 'random'>,
  clients: Clients,
  life: Life,
  { actor, verdict, what, isRepeatable = false, send }: Step,
): Promise<number> {
  const how = chooseWeighted(random, { once: 6, both: 2, again: 1 });
  const order = random() < 0.5 ? clients : clients.toReversed();
  const token = actor === 'operator' ? undefined : people[actor].token;
  const calls = order.map(
    ({ server, town }) =>
      (key: string) =>
        captureOutcome(() => send({ api: apiOf(server, token), town }, key)),
  );
  const results = await sendAs(how, calls);
  const statuses = results.map(({ status }) => status);
  const words = `${actor} ${what} (${how}): ${results.map(({ status, message }) => `${status} ${message}`).join(' | ')}`;
  life.trace.push(words);
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
  return countTaken(words, { how, verdict, isRepeatable, statuses });
}

const apiOf = ({ apiUrl }: LifeServer, token: string | undefined) =>
  createCheckedClient(createClient(apiUrl, () => token));

const createBud = ({ createUser }: TestServer) => createUser('Bud', { north: 100 });

async function createPeople(first: TestServer): Promise<Record<Person, TestUser>> {
  const { createUser } = first;
  const users = await Promise.all([
    createBud(first),
    createUser('Scrub', { north: 1_200 }),
    createUser('Scrub', { north: 900 }),
    createUser('Duber'),
    createUser('Duber'),
  ]);
  return Object.fromEntries(PEOPLE.map((person, index) => [person, users[index]])) as Record<Person, TestUser>;
}

type How = 'once' | 'both' | 'again';
type Outcome = Awaited<ReturnType<typeof captureOutcome>>;

async function sendAs(how: How, calls: readonly ((key: string) => Promise<Outcome>)[]): Promise<Outcome[]> {
  const [here, there] = calls;
  if (!here || !there) throw new Error('there are two servers');
  const key = newUuid();
  const outcomes = [here(key)];
  if (how === 'both') outcomes.push(there(newUuid()));
  const results = await Promise.all(outcomes);
  if (how === 'again') results.push(await there(key));
  throwIfOverloaded(results);
  return results;
}

type Answers = {
  readonly how: How;
  readonly verdict: Verdict;
  readonly isRepeatable: boolean;
  readonly statuses: readonly number[];
};

/** How often a step was taken. Fails when that is not what the model says. */
function countTaken(words: string, { how, verdict, isRepeatable, statuses }: Answers): number {
  const taken = statuses.filter((status) => status === 200).length;
  const refused = statuses.filter((status) => REFUSALS.includes(status)).length;
  expect(taken + refused, words).toBe(statuses.length);
  if (verdict === false) expect(taken, `must be refused: ${words}`).toBe(0);
  if (verdict === true && (how === 'again' || isRepeatable))
    expect(taken, `must be taken each time: ${words}`).toBe(statuses.length);
  else if (verdict === true) expect(taken, `must be taken once: ${words}`).toBe(1);
  if (isRepeatable) return taken;
  return Math.min(taken, 1);
}

// A log-in costs a password hash, so the people of the model stay signed in.
async function keepSignedIn({ db }: Database, budId: string, now: Date): Promise<void> {
  await queryRows(db, sql`update sessions set created_at = ${now}, last_used_at = ${now}`);
  await queryRows(db, sql`update operator_sessions set created_at = ${now}, last_used_at = ${now}, code_at = ${now}`);
  await queryRows(
    db,
    sql`update cases set created_at = created_at - interval '90 days' where opened_by = ${budId} and created_at > ${now}::timestamptz - interval '90 days'`,
  );
}

/** An operator signs in again every half hour. Their session stays as new as the clock. */
export async function keepOperatorSignedIn({ database: { db }, now }: World): Promise<void> {
  const at = new Date(now());
  await queryRows(db, sql`update operator_sessions set created_at = ${at}, last_used_at = ${at}, code_at = ${at}`);
}

/** Waits until the card network has been asked for everything that is due for an order. */
export const waitForCard = ({ database: { db }, now }: World, { id }: Life): Promise<void> =>
  waitFor(async () => {
    const due = await queryRow<{ what: string }>(
      db,
      sql`select 'its payment' as what from payments where order_id = ${id} and due_at <= ${new Date(now())}
        union all select 'a refund' from refunds
          where order_id = ${id} and state <> 'refunded' and due_at <= ${new Date(now())} limit 1`,
    );
    if (due) throw new Error(`${due.what} is due`);
  });
