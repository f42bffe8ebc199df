import { type RawBuilder, sql } from 'kysely';
import { expect } from 'vitest';
import type { DocumentKind, WorkerRole } from '../domain/admissions.ts';
import { DAY_MS } from '../domain/durations.ts';
import { returnAbandonedDocuments } from '../server/admissions/abandonedDocuments.ts';
import type { MailContext } from '../server/admissions/admissionMails.ts';
import { sweepAdmissions } from '../server/admissions/admissionSweep.ts';
import { ADMISSION_TIMERS } from '../server/admissions/admissionTimers.ts';
import { readConfig } from '../server/config/config.ts';
import type { Context } from '../server/context.ts';
import { queryRows } from '../server/db/database.ts';
import { eraseFiles } from '../server/files/eraseFiles.ts';
import { TIMER_LEASE_MS } from '../server/jobs/timers.sql.ts';
import { runTimers } from '../server/jobs/timers.ts';
import { sendDocument, setAdmission } from './documentCalls.ts';
import { createOperator, type TestOperator } from './operators.ts';
import { firstAddressId } from './orderSteps.ts';
import { openTestServer, PASSWORD, type TestServer, type TestUser } from './testServer.ts';
import { waitFor } from './waits.ts';

/** What the server's workers of admission need, to run them at a time of the test. */
export function contextOf({ server: { db }, now }: TestServer): MailContext & Pick<Context, 'log' | 'endStreamsOf'> {
  const config = readConfig({});
  const log = { error: () => {}, warn: () => {}, info: () => {} };
  return { db, now, newId: () => crypto.randomUUID(), config, log, wake: () => {}, endStreamsOf: () => {} };
}

/** The same person with a new session: theirs has ended. */
export async function signInAgain(testServer: TestServer, person: TestUser): Promise<TestUser> {
  const { authToken } = await testServer.api().login({ body: { email: person.user.email, password: PASSWORD } });
  return { ...person, token: authToken, api: testServer.api(authToken) };
}

/** A date some days from now. */
export const dayIn = ({ now }: TestServer, days: number): string =>
  new Date(now().getTime() + days * DAY_MS).toISOString().slice(0, 10);

/** Sends all that a Duber needs. `days` is how long the insurance is valid. */
export async function sendDuberDocuments(testServer: TestServer, duber: TestUser, days = 300) {
  await sendDocument(duber, 'identity');
  await sendDocument(duber, 'licence', dayIn(testServer, 1_000));
  return sendDocument(duber, 'insurance', dayIn(testServer, days));
}

export async function sendScrubDocuments(testServer: TestServer, scrub: TestUser) {
  await sendDocument(scrub, 'identity');
  return sendDocument(scrub, 'detergent-safety', dayIn(testServer, 300));
}

/** The ids of the Scrubs that a Bud finds. */
export async function searchAs(bud: TestUser): Promise<string[]> {
  const query = { addressId: firstAddressId(bud), maxDistanceMeters: '3000' };
  return (await bud.api.findScrubsNearby({ query })).map(({ scrub }) => scrub.id);
}

/** The ids of the deliveries that a Duber is offered. */
export async function offersTo(duber: TestUser): Promise<string[]> {
  const query = { addressId: firstAddressId(duber), maxDistanceMeters: '3000' };
  return (await duber.api.findDeliveriesNearby({ query })).map(({ delivery }) => delivery.id);
}

/** Runs a step of the server again until there is nothing more to do. */
async function repeat(step: () => Promise<boolean>): Promise<void> {
  for (let count = 0; await step(); count += 1)
    if (count === 1_000) throw new Error('a step of the server does not end');
}

/**
 * Runs the timers that are due, for a test whose clock is stopped. The server's own worker takes some of them: they are over,
 * too, before time goes on.
 */
export async function finishAdmissionTimers(testServer: TestServer): Promise<void> {
  const context = contextOf(testServer);
  const now = context.now();
  const leased = new Date(now.getTime() + TIMER_LEASE_MS);
  const waiting = testServer.server.db
    .selectFrom('timers')
    .select('action')
    .where('subject_kind', '=', 'admission')
    .where((where) => where.or([where('due_at', '<=', now), where('due_at', '=', leased)]));
  await waitFor(async () => {
    await runTimers(context, [ADMISSION_TIMERS]);
    expect(await waiting.execute()).toEqual([]);
  });
}

/** What happens to admissions while nobody decides, run at the times of a test whose clock is stopped. */
export function createAdmissionHarness(testServer: TestServer) {
  const context = contextOf(testServer);
  const run = (statement: RawBuilder<unknown>) => queryRows(testServer.server.db, statement);
  const idOf = ({ user }: TestUser) => ({ id: user.id });
  /** Operators' sessions end while days pass. */
  const operator = (): Promise<TestOperator> => createOperator(testServer, { caps: ['see', 'help'] });
  const view = async (person: TestUser) => (await operator()).api.readAdmission({ params: idOf(person) });
  const runTimers = () => finishAdmissionTimers(testServer);
  const admit = async (person: TestUser): Promise<void> => {
    const [ada, reason] = [await operator(), 'It is a test.'];
    const { documents } = await view(person);
    await ada.api.showDocuments({ params: idOf(person), body: { reason } });
    const waiting = documents.filter(({ state }) => state === 'waiting').map(({ id }) => id);
    await ada.api.admitWorker({ params: idOf(person), body: { documents: waiting, reason } });
  };
  return {
    ...{ run, operator, view, admit, runTimers },
    sweep: (batchSize?: number) => repeat(() => sweepAdmissions(context, batchSize)),
    /** Both workers, of which either may be the first. */
    erase: async () => {
      const eraseAll = () => repeat(() => eraseFiles({ ...context, storage: undefined }));
      await eraseAll();
      await repeat(() => returnAbandonedDocuments(context));
      await eraseAll();
    },
    /** Time passes at once, as while no server runs. */
    passAtOnce: async (days: number) => {
      testServer.advanceClock(days * DAY_MS);
      await runTimers();
    },
    /** `days` is how long the insurance is valid. */
    admitDuber: async (days?: number) => {
      const duber = await testServer.createUser('Duber', { east: 500 });
      await sendDuberDocuments(testServer, duber, days);
      await admit(duber);
      return duber;
    },
    statusOf: async (person: TestUser) => (await view(person)).status,
    stateOf: async (person: TestUser, kind: DocumentKind) =>
      (await view(person)).documents.find((one) => one.kind === kind)?.state,
    isHeld: async (person: TestUser) =>
      (await (await operator()).api.readPerson({ params: idOf(person) })).state === 'held',
    /** Whether the picture of each document of a kind is kept. */
    isKept: async (person: TestUser, kind: DocumentKind) =>
      (await view(person)).documents.filter((one) => one.kind === kind).map((one) => one.isKept),
    again: (person: TestUser) => signInAgain(testServer, person),
    askFor: (role: WorkerRole, kind: DocumentKind, needed: boolean) =>
      run(sql`insert into requirements (role, kind, needed, renew_days) values (${role}, ${kind}, ${needed}, 366)
        on conflict (role, kind) do update set needed = excluded.needed`),
    stopAskingFor: (role: WorkerRole, kind: DocumentKind) =>
      run(sql`delete from requirements where role = ${role} and kind = ${kind}`),
    /** The subjects of all mails to a person, once all are sent. */
    subjectsTo: async ({ user: { email } }: TestUser) => {
      // A mail of a sign-up wakes the worker, which would wait some seconds otherwise.
      await testServer.api().sendOtpForEmail({ body: { email: `${crypto.randomUUID()}@rubadub.test` } });
      await waitFor(async () =>
        expect(await run(sql`select from notifications where recipient = ${email} and state = 'due'`)).toEqual([]),
      );
      const inbox = `${testServer.sandboxUrl}/sandbox/mail/messages?to=${encodeURIComponent(email)}`;
      return ((await (await fetch(inbox)).json()) as { subject: string }[]).map(({ subject }) => subject);
    },
  };
}

export type AdmissionHarness = ReturnType<typeof createAdmissionHarness>;

/** A server of a town that asks workers for documents, with its harness. Close the server. */
export async function openAskingTown(kind: 'embedded' | 'postgres') {
  const testServer = await openTestServer(kind, { isClockStopped: true });
  const harness = createAdmissionHarness(testServer);
  await setAdmission(testServer, 'careful');
  await harness.sweep();
  return { testServer, harness };
}
