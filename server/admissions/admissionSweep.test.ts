import { expect, test } from 'vitest';
import { GRACE_MS } from '../../domain/admissions.ts';
import { contextOf, searchAs, signInAgain } from '../../testing/admissionHarness.ts';
import { outcomeOf } from '../../testing/checkedClient.ts';
import { sendDocument, setAdmission } from '../../testing/documentCalls.ts';
import { createOperator } from '../../testing/operators.ts';
import { createOrderInStatus } from '../../testing/orderSteps.ts';
import { DATABASE_KINDS, openTestServer, type TestServer, type TestUser } from '../../testing/testServer.ts';
import { waitFor } from '../../testing/waits.ts';
import { sweepAdmissions } from './admissionSweep.ts';
import { runAdmissionTimers } from './admissionTimers.ts';

const DAY_MS = 24 * 60 * 60_000;

test.each(DATABASE_KINDS)(
  'of a town that begins to ask, who has worked works on for 30 days, who has not waits, and nobody is kept afterwards: %s',
  async (kind) => {
    const testServer = await openTestServer(kind, { isClockStopped: true });
    await changeTown(testServer).finally(testServer.close);
  },
);

async function changeTown(testServer: TestServer): Promise<void> {
  // In batches of one, so that it goes on where it was.
  const sweep = async () => {
    while (await sweepAdmissions(contextOf(testServer), 1)) {
      // More of them.
    }
  };
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
  await runAdmissionTimers(contextOf(testServer));
  await mailTo(scrub.user.email, 'We need your documents in 7 days');
  testServer.advanceClock(7 * DAY_MS);
  await runAdmissionTimers(contextOf(testServer));
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
