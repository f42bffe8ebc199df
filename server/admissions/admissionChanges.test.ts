import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS } from '../../domain/durations.ts';
import { type AdmissionHarness, dayIn, openAskingTown, sendDuberDocuments } from '../../testing/admissionHarness.ts';
import { outcomeOf } from '../../testing/checkedClient.ts';
import { sendDocument, setAdmission } from '../../testing/documentCalls.ts';
import { RULE_DATABASES, type TestServer } from '../../testing/testServer.ts';

const MORE = 'We need another document from you';

/** What changes about workers while nobody decides: time, and what the town asks for. */
describe.each(RULE_DATABASES)('an admission over time, on %s', (kind) => {
  let testServer: TestServer;
  let harness: AdmissionHarness;
  beforeAll(async () => {
    ({ testServer, harness } = await openAskingTown(kind));
  });
  afterAll(() => testServer?.close());

  const inDays = (days: number) => new Date(testServer.now().getTime() + days * DAY_MS).toISOString();
  const newDuber = () => testServer.createUser('Duber', { east: 500 });

  test('a timer that is older than the documents ends nothing', async () => {
    const { admitDuber, again, run, runTimers } = harness;
    const duber = await again(await admitDuber(20));
    const isLapse = sql`subject_id = ${duber.user.id} and action = 'lapse'`;
    await run(sql`update timers set due_at = ${testServer.now()} where ${isLapse}`);
    await runTimers();
    expect((await duber.api.readDocuments()).status).toBe('active');
    expect(await harness.isHeld(duber)).toBe(false);
    const later = await run(sql`select from timers where ${isLapse} and due_at > ${inDays(19)}::timestamptz`);
    expect(later).toHaveLength(1);
  });

  test('an admitted worker without work so far needs what their role is asked for later, too', async () => {
    const { admitDuber, askFor, stopAskingFor, sweep, passAtOnce, view, statusOf, isHeld, run } = harness;
    const duber = await admitDuber();
    const rows = await run(sql`delete from requirements where role = 'Duber' returning *`);
    await sweep();
    // The role was asked for nothing, and is asked for something new now.
    await askFor('Duber', 'detergent-safety', true);
    await sweep();
    expect(await view(duber)).toMatchObject({ status: 'active', worksUntil: inDays(30) });
    await passAtOnce(31);
    expect([await statusOf(duber), await isHeld(duber)]).toEqual(['lapsed', true]);
    await stopAskingFor('Duber', 'detergent-safety');
    for (const row of rows as { kind: string; needed: boolean; renew_days: number | null }[])
      await run(sql`insert into requirements (role, kind, needed, renew_days)
        values ('Duber', ${row.kind}, ${row.needed}, ${row.renew_days})`);
    await sweep();
    expect([await statusOf(duber), await isHeld(duber)]).toEqual(['active', false]);
  });

  test('an admitted worker without work so far waits at once when the town asks again, for more', async () => {
    const { admitDuber, askFor, stopAskingFor, sweep, statusOf, isHeld } = harness;
    const duber = await admitDuber();
    await setAdmission(testServer, 'open');
    await sweep();
    await askFor('Duber', 'detergent-safety', true);
    testServer.advanceClock(1_000);
    await setAdmission(testServer, 'careful');
    testServer.advanceClock(120_000);
    await sweep();
    expect([await statusOf(duber), await isHeld(duber)]).toEqual(['lapsed', true]);
    await stopAskingFor('Duber', 'detergent-safety');
    await sweep();
    expect([await statusOf(duber), await isHeld(duber)]).toEqual(['active', false]);
  });

  test('a document that is sent back although nobody needs it keeps nobody from accepting the rest', async () => {
    const { admit, askFor, sweep, operator, view, statusOf } = harness;
    await askFor('Duber', 'detergent-safety', false);
    await sweep();
    const duber = await newDuber();
    await sendDocument(duber, 'detergent-safety', dayIn(testServer, 300));
    await sendDuberDocuments(testServer, duber);
    const { documents } = await view(duber);
    const id = documents.find((one) => one.kind === 'detergent-safety')?.id ?? '';
    const ada = await operator();
    const body = { documents: [{ id, why: 'It is blurred' }], reason: 'It is a test.' };
    await ada.api.askDocumentsAgain({ params: { id: duber.user.id }, body });
    expect(await statusOf(duber)).toBe('waiting');
    await admit(duber);
    expect(await statusOf(duber)).toBe('active');
    await harness.stopAskingFor('Duber', 'detergent-safety');
    await sweep();
  });

  test('a document that is no longer needed expires, and its owner works on', async () => {
    const { admitDuber, askFor, sweep, passAtOnce, statusOf, isHeld, subjectsTo } = harness;
    const duber = await admitDuber(5);
    await askFor('Duber', 'insurance', false);
    await passAtOnce(7);
    expect([await statusOf(duber), await isHeld(duber)]).toEqual(['active', false]);
    expect(await subjectsTo(duber)).not.toContain('We still need your documents');
    await sweep();

    // Needed again, while theirs is over: they have 30 days for it.
    await askFor('Duber', 'insurance', true);
    await sweep();
    expect(await harness.view(duber)).toMatchObject({ status: 'lapsed', worksUntil: inDays(30) });
    expect(await isHeld(duber)).toBe(false);
    const { text } = await testServer.waitForMail(duber.user.email, 'A document of yours has expired');
    expect(text).toContain('You can work on until');
    await passAtOnce(31);
    expect(await isHeld(duber)).toBe(true);
  });

  test('a further document is asked of working workers too, once, and they have 30 days', async () => {
    const { admitDuber, askFor, stopAskingFor, sweep, passAtOnce, view, statusOf, isHeld, subjectsTo } = harness;
    const [sends, waits] = [await admitDuber(), await admitDuber()];
    await askFor('Duber', 'detergent-safety', true);
    await sweep();
    expect(await view(sends)).toMatchObject({ status: 'active', worksUntil: inDays(30) });
    await harness.run(sql`update admission_sweeps set target = null, done_target = null`);
    await sweep();
    const mails = (await subjectsTo(sends)).filter((subject) => subject === MORE);
    expect(mails).toHaveLength(1);
    const { text } = await testServer.waitForMail(sends.user.email, MORE);
    expect(text).toContain('the safety sheet of your detergent');
    await sendDocument(sends, 'detergent-safety', dayIn(testServer, 300));
    await passAtOnce(31);
    // While an operator looks at it, nobody stands still.
    expect([await statusOf(sends), await statusOf(waits)]).toEqual(['active', 'lapsed']);
    expect([await isHeld(sends), await isHeld(waits)]).toEqual([false, true]);
    expect(await subjectsTo(waits)).toContain('We still need your documents');
    await harness.admit(sends);
    expect(await view(sends)).toMatchObject({ status: 'active', worksUntil: null });
    // No longer asked for: who has the rest works again.
    await stopAskingFor('Duber', 'detergent-safety');
    await sweep();
    expect([await statusOf(waits), await isHeld(waits)]).toEqual(['active', false]);
    expect(await subjectsTo(waits)).toContain('You can work with Rubadub now');
  });

  test('each document that is asked for besides has its own 30 days, however slow the town is', async () => {
    const { admitDuber, askFor, stopAskingFor, sweep, passAtOnce, view, isHeld, subjectsTo, again, run } = harness;
    const duber = await admitDuber();
    await run(sql`delete from requirements where role = 'Duber' and kind = 'licence'`);
    await sweep();
    await askFor('Duber', 'detergent-safety', true);
    await sweep();
    await sendDocument(await again(duber), 'detergent-safety', dayIn(testServer, 300));
    await passAtOnce(40);
    await run(sql`update documents set state = 'replaced' where user_id = ${duber.user.id} and kind = 'licence'`);
    await askFor('Duber', 'licence', true);
    await sweep();
    expect(await view(duber)).toMatchObject({ status: 'active', worksUntil: inDays(30) });
    await passAtOnce(29);
    expect(await isHeld(duber)).toBe(false);
    expect((await subjectsTo(duber)).filter((subject) => subject === MORE)).toHaveLength(2);
    await passAtOnce(2);
    expect(await isHeld(duber)).toBe(true);
    await stopAskingFor('Duber', 'detergent-safety');
    await sweep();
  });

  test('a worker with all needed documents works again, also while an operator has not looked at the rest', async () => {
    const { admitDuber, askFor, sweep, passAtOnce, statusOf, isHeld, again } = harness;
    const duber = await admitDuber(5);
    await passAtOnce(7);
    await sendDocument(await again(duber), 'insurance', dayIn(testServer, 300));
    expect([await statusOf(duber), await isHeld(duber)]).toEqual(['waiting', true]);
    await askFor('Duber', 'insurance', false);
    await sweep();
    expect([await statusOf(duber), await isHeld(duber)]).toEqual(['active', false]);
    await askFor('Duber', 'insurance', true);
    await sweep();
    expect([await statusOf(duber), await isHeld(duber)]).toEqual(['active', false]);
  });

  test('a role that is asked for nothing reads nothing about documents', async () => {
    const { run, sweep, passAtOnce, isHeld, subjectsTo, again } = harness;
    const [before] = [await testServer.createUser('Scrub', { north: 700 })];
    expect(await isHeld(before)).toBe(true);
    const rows = await run(sql`delete from requirements where role = 'Scrub' returning *`);
    await sweep();
    expect(await isHeld(before)).toBe(false);
    const scrub = await testServer.createUser('Scrub', { north: 900 });
    expect(await scrub.api.readDocuments()).toMatchObject({ isAsked: false, items: [] });
    await sweep();
    await passAtOnce(31);
    expect(await subjectsTo(scrub)).not.toContainEqual(expect.stringMatching(/documents|Before you get work/));
    expect(await isHeld(scrub)).toBe(false);
    for (const row of rows as { role: string; kind: string; needed: boolean; renew_days: number | null }[])
      await run(sql`insert into requirements (role, kind, needed, renew_days)
        values (${row.role}, ${row.kind}, ${row.needed}, ${row.renew_days})`);
    await sweep();
    for (const one of [before, scrub]) {
      expect(await subjectsTo(one)).toContain('We need your documents');
      expect(await isHeld(one)).toBe(true);
      expect((await (await again(one)).api.readDocuments()).isAsked).toBe(true);
    }
  });

  test('a second document that expires is missing too, while the first is missing or waits for an operator', async () => {
    const { admit, passAtOnce, stateOf, statusOf, subjectsTo, again } = harness;
    let [lapsed, waiting] = [await newDuber(), await newDuber()];
    for (const duber of [lapsed, waiting]) {
      await sendDocument(duber, 'identity');
      await sendDocument(duber, 'licence', dayIn(testServer, 10));
      await sendDocument(duber, 'insurance', dayIn(testServer, 5));
      await admit(duber);
    }
    await passAtOnce(7);
    expect(await stateOf(lapsed, 'insurance')).toBe('expired');
    [lapsed, waiting] = [await again(lapsed), await again(waiting)];
    expect((await sendDocument(waiting, 'insurance', dayIn(testServer, 300))).status).toBe('waiting');
    await passAtOnce(7);
    expect([await stateOf(lapsed, 'licence'), await stateOf(waiting, 'licence')]).toEqual(['expired', 'expired']);
    expect([await statusOf(lapsed), await statusOf(waiting)]).toEqual(['lapsed', 'asked']);
    for (const duber of [lapsed, waiting])
      expect((await subjectsTo(duber)).filter((subject) => subject.includes('has expired'))).toHaveLength(2);
    waiting = await again(waiting);
    expect((await sendDocument(waiting, 'licence', dayIn(testServer, 300))).status).toBe('waiting');
    await admit(waiting);
    expect(await statusOf(waiting)).toBe('active');
  });

  test('after a time without a server one warning is sent, and it says how much time is left', async () => {
    const duber = await harness.admitDuber(40);
    await harness.passAtOnce(36);
    const warnings = (await harness.subjectsTo(duber)).filter((subject) => subject.includes('expires'));
    expect(warnings).toEqual(['A document of yours expires in 5 days']);
  });

  test('nobody sends more than 20 documents a day, times RATE_LIMIT_SCALE', async () => {
    const duber = await newDuber();
    await sendDuberDocuments(testServer, duber);
    const send = async () => outcomeOf(sendDocument(await harness.again(duber), 'identity'));
    await harness.run(
      sql`update rate_limits set count = 19999 where kind = 'documents' and network = ${duber.user.id}`,
    );
    expect([await send(), await send()]).toEqual(['success', 'tooManyDocuments']);
    testServer.advanceClock(DAY_MS + 1000);
    expect(await send()).toBe('success');
  });
});
