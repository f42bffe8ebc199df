import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AdmissionHarness, dayIn, openAskingTown, sendDuberDocuments } from '../../testing/admissionHarness.ts';
import { sendDocument, setAdmission } from '../../testing/documentCalls.ts';
import { RULE_DATABASES, type TestServer, type TestUser } from '../../testing/testServer.ts';

const REASON = 'It is a test.';

/** How long the town keeps the pictures of documents. */
describe.each(RULE_DATABASES)('the pictures of documents, on %s', (kind) => {
  let testServer: TestServer;
  let harness: AdmissionHarness;
  beforeAll(async () => {
    ({ testServer, harness } = await openAskingTown(kind));
  });
  afterAll(() => testServer?.close());

  const newDuber = () => testServer.createUser('Duber');
  const idOf = ({ user }: TestUser) => ({ id: user.id });
  const askAgain = async (person: TestUser, ofKind: string) => {
    const ada = await harness.operator();
    const { documents } = await ada.api.readAdmission({ params: idOf(person) });
    const id = documents.find((one) => one.kind === ofKind)?.id ?? '';
    const body = { documents: [{ id, why: 'It is blurred' }], reason: REASON };
    await ada.api.askDocumentsAgain({ params: idOf(person), body });
  };

  test('are erased 30 days after they no longer count, for every state of the document', async () => {
    const { admitDuber, askFor, sweep, passAtOnce, erase, view, isKept, stateOf } = harness;
    const [asked, stopped] = [await newDuber(), await newDuber()];
    await sendDuberDocuments(testServer, asked);
    await askAgain(asked, 'insurance');
    // Somebody who never sends the rest.
    await sendDocument(stopped, 'identity');
    const active = await admitDuber();
    const expires = await admitDuber(20);
    await askFor('Duber', 'insurance', false);
    await sweep();
    await passAtOnce(29);
    await erase();
    for (const duber of [asked, stopped, active])
      expect((await view(duber)).documents.every((one) => one.isKept)).toBe(true);
    await passAtOnce(2);
    await erase();
    expect([await isKept(asked, 'insurance'), await isKept(stopped, 'identity')]).toEqual([[false], [false]]);
    expect(await stateOf(stopped, 'identity')).toBe('asked-again');
    expect(await isKept(active, 'insurance')).toEqual([false]);
    expect([await isKept(expires, 'insurance'), await isKept(expires, 'licence')]).toEqual([[false], [true]]);
    await askFor('Duber', 'insurance', true);
    await sweep();
  });

  test('of somebody who does nothing about what is missing are erased too, and what was accepted stays so', async () => {
    const { admit, admitDuber, passAtOnce, erase, isKept, stateOf, statusOf, again } = harness;
    const duber = await admitDuber(5);
    await passAtOnce(7);
    expect(await statusOf(duber)).toBe('lapsed');
    await passAtOnce(28);
    await erase();
    expect(await isKept(duber, 'identity')).toEqual([true]);
    await passAtOnce(3);
    await erase();
    expect([await isKept(duber, 'identity'), await stateOf(duber, 'identity')]).toEqual([[false], 'accepted']);
    await sendDocument(await again(duber), 'insurance', dayIn(testServer, 300));
    await admit(duber);
    expect(await statusOf(duber)).toBe('active');
  });

  test('are kept for 30 days from when an operator sends one of them back, however late that is', async () => {
    const duber = await newDuber();
    await sendDuberDocuments(testServer, duber);
    await harness.passAtOnce(40);
    await harness.erase();
    await askAgain(duber, 'insurance');
    await harness.passAtOnce(29);
    await harness.erase();
    expect(await harness.isKept(duber, 'identity')).toEqual([true]);
    await sendDocument(await harness.again(duber), 'insurance', dayIn(testServer, 300));
    await harness.passAtOnce(40);
    await harness.erase();
    expect(await harness.isKept(duber, 'identity')).toEqual([true]);
    await harness.admit(duber);
    const { documents } = await harness.view(duber);
    expect(documents.filter(({ state }) => state === 'accepted')).toHaveLength(3);
  });

  test('that were replaced before anybody saw them are erased after a day, and the open documents are listed first', async () => {
    const duber = await newDuber();
    await sendDocument(duber, 'identity');
    const ada = await harness.operator();
    await ada.api.showDocuments({ params: idOf(duber), body: { reason: REASON } });
    testServer.advanceClock(20 * 60_000);
    for (let count = 0; count < 2; count += 1) await sendDocument(duber, 'identity');
    await sendDocument(duber, 'licence', dayIn(testServer, 300));
    await sendDocument(duber, 'identity');
    await sendDocument(duber, 'insurance', dayIn(testServer, 300));
    expect((await harness.view(duber)).documents.map(({ state }) => state)).toEqual([
      ...['waiting', 'waiting', 'waiting'],
      ...['replaced', 'replaced', 'replaced'],
    ]);
    await harness.passAtOnce(1.1);
    await harness.erase();
    // Somebody may have seen the first one.
    expect(await harness.isKept(duber, 'identity')).toEqual([true, false, false, true]);
  });

  test('are erased 30 days after the town no longer asks, and what was decided stays', async () => {
    const { admitDuber, sweep, passAtOnce, erase, view, statusOf } = harness;
    const [admitted, sent] = [await admitDuber(), await newDuber()];
    await sendDuberDocuments(testServer, sent);
    await setAdmission(testServer, 'open');
    await sweep();
    await passAtOnce(31);
    await erase();
    for (const duber of [admitted, sent])
      expect((await view(duber)).documents.map((one) => one.isKept)).toEqual([false, false, false]);
    const kept = sql`select from documents d join files f on f.id = d.file_id where f.gone_at is null`;
    expect(await harness.run(kept)).toEqual([]);
    await setAdmission(testServer, 'careful');
    testServer.advanceClock(120_000);
    await sweep();
    expect([await statusOf(admitted), await statusOf(sent)]).toEqual(['active', 'asked']);
  });
});
