import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GRACE_MS } from '../../domain/admissions.ts';
import { DAY_MS } from '../../domain/durations.ts';
import {
  contextOf,
  createAdmissionHarness,
  dayIn,
  finishAdmissionTimers,
  searchAs,
  sendScrubDocuments,
  signInAgain,
} from '../../testing/admissionHarness.ts';
import { outcomeOf } from '../../testing/checkedClient.ts';
import { sendDocument, setAdmission } from '../../testing/documentCalls.ts';
import { createOperator } from '../../testing/operators.ts';
import { createOrderInStatus } from '../../testing/orderSteps.ts';
import { openTestServer, RULE_DATABASES, type TestServer, type TestUser } from '../../testing/testServer.ts';
import { waitFor } from '../../testing/waits.ts';
import { applyScrubVisibility } from '../auth/restrictions.sql.ts';
import { queryRows } from '../db/database.ts';
import { writeSetting } from '../town/settings.sql.ts';
import { queueAskedMail } from './admissionMails.ts';
import { sweepAdmissions } from './admissionSweep.ts';

const REASON = 'It is a test.';

describe.each(RULE_DATABASES)('a town that begins to ask, on %s', (kind) => {
  let testServer: TestServer;
  beforeAll(async () => {
    testServer = await openTestServer(kind, { isClockStopped: true });
  });
  afterAll(() => testServer?.close());

  test('workers who have worked get 30 days, others are held at once, and all restrictions end with the policy', () =>
    changeTown(testServer));

  const run = (statement: RawBuilder<unknown>) => queryRows(testServer.server.db, statement);
  const sweep = () => createAdmissionHarness(testServer).sweep(1);
  const isHeld = async ({ user: { id } }: TestUser) =>
    (await run(sql`select from holds where user_id = ${id} and of_admission and lifted_at is null`)).length > 0;
  /** The town stops asking, and `meanwhile` it will ask again. Ends when it does, before anybody is swept. */
  const beginAgain = async (meanwhile: () => Promise<unknown> = async () => {}) => {
    await setAdmission(testServer, 'open');
    await sweep();
    await setAdmission(testServer, 'careful', 1);
    await meanwhile();
    testServer.advanceClock(DAY_MS);
  };

  test('a sign-up that began before and commits late is found', async () => {
    await beginAgain();
    const scrub = await testServer.createUser('Scrub', { north: 700 });
    // What a server has written that read the policy of before.
    const { id } = scrub.user;
    await run(sql`delete from holds where user_id = ${id}`);
    await run(sql`delete from timers where subject_id = ${id}`);
    const [row] = await run(sql`delete from admissions where id = ${id} returning id`);
    expect(row).toBeDefined();
    await run(sql`update users set role = 'Bud' where id = ${id}`);
    // Somebody whose id is a later one.
    await testServer.createUser('Duber');
    await sweep();
    await run(sql`update users set role = 'Scrub' where id = ${id}`);
    testServer.advanceClock(120_000);
    await sweep();
    expect(await isHeld(scrub)).toBe(true);
  });

  test('a sign-up that began under the policy and commits after its end has no restriction', async () => {
    await beginAgain();
    const scrub = await testServer.createUser('Scrub', { north: 700 });
    expect(await isHeld(scrub)).toBe(true);
    await setAdmission(testServer, 'open');
    await sweep();
    expect(await isHeld(scrub)).toBe(false);
    // What a server has written that read the policy of before.
    await run(
      sql`update holds set lifted_at = null, lifted_by = null where user_id = ${scrub.user.id} and of_admission`,
    );
    testServer.advanceClock(120_000);
    await sweep();
    expect(await isHeld(scrub)).toBe(false);
  });

  test('two servers that sweep, or one that begins again, ask everybody once', async () => {
    await beginAgain();
    const before = await testServer.createUser('Duber');
    await beginAgain();
    testServer.advanceClock(120_000);
    const context = contextOf(testServer);
    await Promise.all([sweepAdmissions(context), sweepAdmissions(context)]);
    await run(sql`update admission_sweeps set target = null, done_target = null`);
    await sweep();
    const subjects = await createAdmissionHarness(testServer).subjectsTo(before);
    expect(subjects.filter((subject) => subject === 'We need your documents')).toHaveLength(1);
  });

  test('a worker who has worked has a grace period, also when they or an operator act before the sweep', async () => {
    const [scrub, bud] = [await testServer.createUser('Scrub', { north: 700 }), await testServer.createUser('Bud')];
    await sendScrubDocuments(testServer, scrub);
    const ada = await createOperator(testServer);
    const { documents } = await ada.api.readAdmission({ params: { id: scrub.user.id } });
    await ada.api.showDocuments({ params: { id: scrub.user.id }, body: { reason: REASON } });
    const ids = documents.map(({ id }) => id);
    await ada.api.admitWorker({ params: { id: scrub.user.id }, body: { documents: ids, reason: REASON } });
    await createOrderInStatus({ bud, scrub }, 'Completed');
    await run(sql`update documents set state = 'replaced' where user_id = ${scrub.user.id}`);
    await run(sql`update admissions set status = 'new' where id = ${scrub.user.id}`);
    await beginAgain(() => sendDocument(scrub, 'identity'));
    const again = await signInAgain(testServer, scrub);
    await sendDocument(again, 'detergent-safety', dayIn(testServer, 300));
    testServer.advanceClock(120_000);
    await sweep();
    expect(await again.api.readDocuments()).toMatchObject({ status: 'waiting', worksUntil: expect.any(String) });
    expect(await searchAs(bud)).toContain(scrub.user.id);
    expect(await isHeld(scrub)).toBe(false);
  });

  test('a worker who sends the missing document after the grace period is held, and hidden from the search', async () => {
    let [scrub, bud] = [await testServer.createUser('Scrub', { north: 700 }), await testServer.createUser('Bud')];
    await sendScrubDocuments(testServer, scrub);
    // They have worked before, and their time ends while no timer runs.
    await run(sql`delete from holds where user_id = ${scrub.user.id}`);
    const over = new Date(testServer.now().getTime() - DAY_MS);
    await run(sql`update admissions set status = 'asked', works_until = ${over} where id = ${scrub.user.id}`);
    await applyScrubVisibility(testServer.server.db, scrub.user.id);
    [scrub, bud] = [await signInAgain(testServer, scrub), await signInAgain(testServer, bud)];
    expect(await searchAs(bud)).toContain(scrub.user.id);
    expect((await sendDocument(scrub, 'identity')).status).toBe('waiting');
    expect(await searchAs(bud)).not.toContain(scrub.user.id);
  });

  test('a change that is taken back before its day is none', async () => {
    await setAdmission(testServer, 'open');
    await setAdmission(testServer, 'careful', 1);
    expect(await testServer.api().readConfig()).toMatchObject({ asksDocuments: true });
    const duber = await testServer.createUser('Duber');
    await sendDocument(duber, 'identity');
    await sweep();
    await setAdmission(testServer, 'open', 1);
    expect(await testServer.api().readConfig()).not.toHaveProperty('asksDocuments');
    expect((await duber.api.readDocuments()).isAsked).toBe(false);
    expect(await outcomeOf(sendDocument(duber, 'identity'))).toBe('documentsNotAsked');
    await sweep();
    const [document] = await run(sql`select erase_at from documents where user_id = ${duber.user.id}`);
    expect(document).toEqual({ erase_at: new Date(testServer.now().getTime() + 30 * DAY_MS) });
  });

  test('a mail names the day that it is where the town is', async () => {
    const { db } = testServer.server;
    await writeSetting(db, { name: 'timeZone', value: 'America/New_York', setBy: 'test', from: testServer.now() });
    const duber = await testServer.createUser('Duber');
    await queueAskedMail(contextOf(testServer), duber.user.id, new Date('2026-12-24T03:00:00Z'));
    await testServer.api().sendOtpForEmail({ body: { email: `${crypto.randomUUID()}@rubadub.test` } });
    const { text } = await testServer.waitForMail(duber.user.email, 'We need your documents');
    expect(text).toContain('until December 23, 2026');
  });
});

async function changeTown(testServer: TestServer): Promise<void> {
  // In batches of one, so that it goes on where it was.
  const sweep = () => createAdmissionHarness(testServer).sweep(1);
  // A mail of a sign-up wakes the worker, which would wait some seconds otherwise.
  const mailTo = async (email: string, subject: string) => {
    await testServer.api().sendOtpForEmail({ body: { email: `${crypto.randomUUID()}@rubadub.test` } });
    return testServer.waitForMail(email, subject);
  };
  const stateOf = async ({ user }: TestUser) =>
    (await (await createOperator(testServer, { caps: ['see'] })).api.readPerson({ params: { id: user.id } })).state;
  const [scrub, newScrub] = [
    await testServer.createUser('Scrub', { north: 700 }),
    await testServer.createUser('Scrub', { north: 900 }),
  ];
  let bud = await testServer.createUser('Bud', { north: 300 });
  await createOrderInStatus({ bud: bud, scrub }, 'Completed');
  const { db } = testServer.server;
  const both = [scrub.user.id, newScrub.user.id].toSorted();

  // Nothing is asked before, and a policy that is to come lets people send.
  expect(await scrub.api.readDocuments()).toEqual({
    isAsked: false,
    from: null,
    status: null,
    worksUntil: null,
    items: [],
  });
  expect(await outcomeOf(sendDocument(scrub, 'identity'))).toBe('documentsNotAsked');
  expect(await testServer.api().readConfig()).not.toHaveProperty('asksDocuments');
  await setAdmission(testServer, 'careful', 1);
  expect(await sendDocument(newScrub, 'identity')).toMatchObject({ status: 'new', worksUntil: null });
  expect((await scrub.api.readDocuments()).from).toBe(new Date(testServer.now().getTime() + DAY_MS).toISOString());
  expect(await testServer.api().readConfig()).toMatchObject({ asksDocuments: true });
  await sweep();
  expect((await searchAs(bud)).toSorted()).toEqual(both);

  testServer.advanceClock(DAY_MS + 120_000);
  await sweep();
  expect(await searchAs(bud)).toEqual([scrub.user.id]);
  const { worksUntil } = await scrub.api.readDocuments();
  expect(worksUntil).toBe(new Date(testServer.now().getTime() + GRACE_MS).toISOString());
  expect((await mailTo(scrub.user.email, 'We need your documents')).text).toContain('You can work on until');
  await mailTo(newScrub.user.email, 'We need your documents');
  // The next sweep changes nothing and mails nobody.
  await sweep();
  expect((await scrub.api.readDocuments()).worksUntil).toBe(worksUntil);

  testServer.advanceClock(23.5 * DAY_MS);
  await finishAdmissionTimers(testServer);
  await mailTo(scrub.user.email, 'We need your documents in 7 days');
  testServer.advanceClock(7 * DAY_MS);
  await finishAdmissionTimers(testServer);
  await mailTo(scrub.user.email, 'We still need your documents');
  bud = await signInAgain(testServer, bud);
  expect(await searchAs(bud)).toEqual([]);
  expect(await stateOf(scrub)).toBe('held');

  await setAdmission(testServer, 'open');
  await sweep();
  expect((await searchAs(bud)).toSorted()).toEqual(both);
  expect(await stateOf(scrub)).toBe('active');
  const armed = db.selectFrom('timers').select('action').where('subject_kind', '=', 'admission');
  await waitFor(async () => expect(await armed.execute()).toEqual([]));
  testServer.advanceClock(61_000);
  await sweep();

  // Asked again: time once more for who has worked.
  await setAdmission(testServer, 'careful');
  testServer.advanceClock(120_000);
  await sweep();
  expect(await searchAs(bud)).toEqual([scrub.user.id]);
}
