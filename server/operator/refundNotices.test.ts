import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOperator, type TestOperator } from '../../testing/operators.ts';
import {
  advanceDelivery,
  createOrderInStatus,
  createParticipants,
  type Participants,
} from '../../testing/orderSteps.ts';
import { openTestServer, RULE_DATABASES, type TestServer } from '../../testing/testServer.ts';
import { waitFor } from '../../testing/waits.ts';
import { queryRow } from '../db/database.ts';
import { findAuditProblems } from '../payments/ledger/audit.sql.ts';

const REASON = 'It came back a day late';

describe.each(RULE_DATABASES)('a refund that an operator makes without a case, on %s', (kind) => {
  let testServer: TestServer;
  let people: Participants;
  let olga: TestOperator;

  beforeAll(async () => {
    testServer = await openTestServer(kind);
    people = await createParticipants(testServer);
    olga = await createOperator(testServer);
    await olga.api.enterCode({ body: { code: olga.nextCode() } });
  });
  afterAll(() => testServer?.close());

  const db = () => testServer.server.db;
  const emailOf = (person: keyof Participants) => people[person].user.email;
  const settled = (id: string) =>
    waitFor(async () => {
      const open = sql`select id from refunds where order_id = ${id} and state <> 'refunded'`;
      expect(await queryRow(db(), open)).toBeUndefined();
    });
  const giveBack = async (liable: 'scrub' | 'platform', amount: number) => {
    const { id } = await createOrderInStatus(people, 'Completed');
    const { deliveries, number } = await people.scrub.api.readOrder({ params: { id } });
    for (const delivery of deliveries) await advanceDelivery(people.duber, delivery.id);
    await olga.api.refundOrder({ params: { id }, body: { amount, liable, reason: REASON } });
    await settled(id);
    return { id, number };
  };

  test('is told to the Bud with the amount and the reason, which the receipt has as well', async () => {
    const { id, number } = await giveBack('platform', 5);
    const { text } = await testServer.waitForMail(emailOf('bud'), '$5.00 goes back to your card');
    expect(text).toContain(`Order ${number}`);
    expect(text).toContain(`Why: ${REASON}`);
    const { movements } = await people.bud.api.readReceipt({ params: { id } });
    expect(movements.at(-1)).toMatchObject({ kind: 'refunded', amount: 5, reason: REASON });
    expect((await people.scrub.api.listCases({ query: { pageNumber: '1', pageSize: '10' } })).data.items).toEqual([]);
  });

  test('is told to the Scrub who bears it, who contests it and gets the money back', async () => {
    const { number } = await giveBack('scrub', 9.69);
    const { text } = await testServer.waitForMail(emailOf('scrub'), 'Money is taken from what you earned');
    for (const part of [
      `Order ${number}`,
      '$9.69 goes back to the card of the Bud. $9.29 of it is taken from what you earned.',
      `The town says: ${REASON}`,
      'can contest it once, within 7 days',
    ])
      expect(text).toContain(part);
    await testServer.waitForMail(emailOf('bud'), '$9.69 goes back to your card');

    const [found] = (await people.scrub.api.listCases({ query: { pageNumber: '1', pageSize: '10' } })).data.items;
    const caseId = found?.id ?? expect.unreachable();
    expect(found).toMatchObject({ kind: 'refund', status: 'decided', givenBack: 9.69 });
    const details = await people.scrub.api.readCase({ params: { id: caseId } });
    expect(details).toMatchObject({ callerPays: 9.29, actions: ['contest'] });
    expect(details.events).toMatchObject([{ action: 'decide', by: 'Operator', words: REASON, amount: 9.69 }]);
    await people.scrub.api.contest({ params: { id: caseId }, body: { words: 'I was on time' } });
    await olga.api.decideCase({
      params: { id: caseId },
      body: { items: [{ n: 1, amount: 0, liable: 'scrub' }], words: 'You were', reason: 'The photo shows it' },
    });
    const repaid = await testServer.waitForMail(emailOf('scrub'), '$9.29 is added to what you earned');
    expect(repaid.text).toContain(`Why: Correction: Case ${found?.no} was contested`);
    expect(await findAuditProblems(db())).toEqual([]);
  });
});
