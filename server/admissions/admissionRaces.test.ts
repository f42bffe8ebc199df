import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { outcomeOf } from '../../testing/checkedClient.ts';
import { sendDocument, setAdmission } from '../../testing/documentCalls.ts';
import { holdTransaction } from '../../testing/holdTransaction.ts';
import { waitForLockWaits } from '../../testing/lockWaits.ts';
import { createOperator, type TestOperator } from '../../testing/operators.ts';
import { findDeliveryId, placeOrder } from '../../testing/orderSteps.ts';
import { openTestServer, type TestServer, type TestUser } from '../../testing/testServer.ts';
import { readConfig } from '../config/config.ts';
import type { Tx } from '../db/database.ts';
import type { MailContext } from './admissionMails.ts';
import { lockAdmission } from './admissions.sql.ts';
import { takeAdmissionStep, tryAdmissionStep } from './steps.ts';

const REASON = 'It is a test.';
const FAR = '2090-05-31';

// One session cannot race with itself.
describe('an admission that changes while something else happens', () => {
  let testServer: TestServer;
  let second: TestServer;
  let ada: TestOperator;
  let grace: TestOperator;
  let delivery: string;

  beforeAll(async () => {
    testServer = await openTestServer('postgres');
    second = await openTestServer('postgres', { beside: testServer });
    [ada, grace] = [await createOperator(testServer), await createOperator(testServer)];
    const [bud, scrub] = [
      await testServer.createUser('Bud', { north: 300 }),
      await testServer.createUser('Scrub', { north: 600 }),
    ];
    const { id } = await placeOrder({ bud, scrub });
    await scrub.api['accept-order']({ params: { id } });
    delivery = findDeliveryId(await bud.api.readOrder({ params: { id } }), 'Bud_To_Scrub');
    await setAdmission(testServer, 'careful');
  });
  afterAll(async () => {
    await second?.close();
    await testServer?.close();
  });

  const context = (db: Tx) => {
    const config = readConfig({});
    return {
      db,
      now: testServer.now,
      newId: () => crypto.randomUUID(),
      config,
      wake: () => {},
    } as unknown as MailContext;
  };
  const view = ({ user }: TestUser) => ada.api.readAdmission({ params: { id: user.id } });
  const waitingOf = async (person: TestUser) =>
    (await view(person)).documents.filter(({ state }) => state === 'waiting').map(({ id }) => id);
  const newDuber = async () => {
    const duber = await testServer.createUser('Duber', { east: 500 });
    await sendDocument(duber, 'identity');
    for (const kind of ['licence', 'insurance'] as const) await sendDocument(duber, kind, FAR);
    return { duber, documents: await waitingOf(duber) };
  };
  const waitUntilSomebodyWaits = () => waitForLockWaits(testServer.server.db);
  /** Decides, and lets others act before it commits. */
  const decideSlowly = (decide: (context: MailContext) => Promise<unknown>, meanwhile: () => Promise<unknown>) =>
    holdTransaction(testServer.server.db, async (db) => {
      await decide(context(db));
      const outcome = meanwhile();
      await waitUntilSomebodyWaits();
      return { outcome };
    }).then(({ outcome }) => outcome);
  const by = () => ada.session.operator.id;

  test('a Duber who accepts a delivery while their document expires waits, and is refused', async () => {
    const { duber, documents } = await newDuber();
    await ada.api.showDocuments({ params: { id: duber.user.id }, body: { reason: REASON } });
    await ada.api.admitWorker({ params: { id: duber.user.id }, body: { documents, reason: REASON } });
    const expire = async (inside: MailContext) => {
      const admission = await lockAdmission(inside.db, duber.user.id);
      const past = { last_day: '2020-01-01' };
      await inside.db.updateTable('documents').set(past).where('user_id', '=', duber.user.id).execute();
      if (admission) await tryAdmissionStep(inside, admission, 'lapse');
    };
    const accept = () => outcomeOf(second.api(duber.token)['accept-delivery']({ params: { id: delivery } }));
    expect(await decideSlowly(expire, accept)).toBe('newWorkHeld');
  });

  test('a document that comes while an operator admits waits for them, and then for an operator', async () => {
    const { duber, documents } = await newDuber();
    const admit = (inside: MailContext) =>
      takeAdmissionStep(
        inside,
        { role: 'Operator', id: by() },
        { id: duber.user.id, action: 'admit', seen: { documents, until: new Date('2090-01-01') } },
      );
    const again = () => outcomeOf(sendDocument({ api: second.api(duber.token) }, 'insurance', '2091-05-31'));
    expect(await decideSlowly(admit, again)).toBe('success');
    const { status, documents: sent } = await view(duber);
    expect([status, sent.map(({ state }) => state)]).toEqual([
      'active',
      ['waiting', 'accepted', 'accepted', 'accepted'],
    ]);
  });

  test('of two operators who decide at the same time, one does', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { duber, documents } = await newDuber();
      const params = { id: duber.user.id };
      await ada.api.showDocuments({ params, body: { reason: REASON } });
      const outcomes = await Promise.all([
        outcomeOf(ada.api.admitWorker({ params, body: { documents, reason: REASON } })),
        outcomeOf(grace.api.refuseWorker({ params, body: { reason: REASON } })),
        outcomeOf(sendDocument({ api: second.api(duber.token) }, 'insurance', '2091-05-31')),
      ]);
      const { status, documents: sent } = await view(duber);
      const { state } = await ada.api.readPerson({ params });
      // Admitted or refused, whichever came first; or neither, when a new document came before both.
      expect(['active held=false', 'refused held=true'], String(outcomes)).toContain(
        `${status} held=${state === 'held'}`,
      );
      expect(outcomes.slice(0, 2).filter((outcome) => outcome === 'success')).toHaveLength(1);
      const accepted = sent.filter((one) => one.state === 'accepted').map(({ kind }) => kind);
      expect(accepted).toHaveLength(status === 'active' ? 3 : 0);
      expect(new Set(accepted).size).toBe(accepted.length);
    }
  });
});
