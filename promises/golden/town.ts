// The town that every life begins in: its people have signed up, at the same time in every recording.

import { setPrice } from '../../server/payments/prices/prices.sql.ts';
import { createOperator, raiseLimits } from '../../testing/operators.ts';
import { createPromo } from '../../testing/promos.ts';
import { createTestUser, openTestServer, type TestServer, type TestUser } from '../../testing/testServer.ts';
import { PEOPLE } from '../lifeWorld.ts';
import { type Person, PROMO } from '../orderLife.ts';
import { createJobs } from './jobs.ts';

/** What the servers of all lives have in common. */
export const ENV = { SEALING_KEY: Buffer.alloc(32, 1).toString('base64url') };
/** A Wednesday at noon, long ago: a time of the wall clock in a recording would be seen. */
export const START = new Date('2026-05-06T12:00:00Z');

const HOMES = {
  bud: { role: 'Bud', north: 100 },
  scrub: { role: 'Scrub', north: 1_200 },
  otherScrub: { role: 'Scrub', north: 900 },
  duber: { role: 'Duber' },
  otherDuber: { role: 'Duber' },
} as const;

type SignedUp = Pick<TestUser, 'user' | 'token'>;

export type Town = {
  /** The database that each life has a copy of. */
  readonly databaseUrl: string;
  readonly people: Readonly<Record<Person, SignedUp>>;
  /** The token of the operator who takes the steps, and of the one who reads everything. */
  readonly operators: Readonly<Record<'operator' | 'reader', string>>;
};

async function signUp(server: TestServer, sendMails: () => Promise<void>): Promise<Record<Person, SignedUp>> {
  const people: Partial<Record<Person, SignedUp>> = {};
  const waitForMail: TestServer['waitForMail'] = async (...args) => {
    await sendMails();
    return server.waitForMail(...args);
  };
  for (const [index, person] of PEOPLE.entries()) {
    const { role, ...home } = { north: 0, ...HOMES[person] };
    const account = { email: `${person}@rubadub.test`, fullname: `Test ${person}`, phone: `+1202555010${index}` };
    const { user, token } = await createTestUser(server.api, waitForMail, role, { ...account, ...home });
    people[person] = { user, token };
  }
  return people as Record<Person, SignedUp>;
}

/** Makes the town in a new database. */
export async function createTown(): Promise<Town> {
  const jobs = createJobs();
  const server = await openTestServer('postgres', { env: ENV, stoppedAt: START, startWorker: jobs.start });
  try {
    await createPromo({ db: server.server.db, now: server.now }, PROMO);
    await setPrice(server.server.db, { item: 'size-XL', validFrom: server.now(), value: 15 });
    const people = await signUp(server, jobs.runAll);
    await raiseLimits(server);
    const operator = await createOperator(server, { caps: ['see', 'help', 'dispatch'], fullname: 'Olive Operator' });
    const reader = await createOperator(server, { fullname: 'Rita Reader' });
    await jobs.runAll();
    const operators = { operator: operator.token, reader: reader.token };
    return { databaseUrl: server.databaseUrl ?? '', people, operators };
  } finally {
    await server.close();
  }
}
