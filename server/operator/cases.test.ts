import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClaimForTown, createOffer } from '../../testing/caseCalls.ts';
import { expectFailure } from '../../testing/checkedClient.ts';
import { createOperator, type TestOperator } from '../../testing/operators.ts';
import { createParticipants } from '../../testing/orderSteps.ts';
import { sendPhoto } from '../../testing/sentPhotos.ts';
import { openTestServer, RULE_DATABASES, type TestServer } from '../../testing/testServer.ts';
import type { Scenario } from '../../testing/validCall.ts';
import { waitFor } from '../../testing/waits.ts';
import { queryRows } from '../db/database.ts';
import { writeSetting } from '../town/settings.sql.ts';

const WORDS = 'The photo shows the stain.';
const REASON = 'Because of the test';

describe.each(RULE_DATABASES)('cases in the console, on %s', (kind) => {
  let testServer: TestServer;
  let scenario: Scenario;
  let ada: TestOperator;
  beforeAll(async () => {
    testServer = await openTestServer(kind);
    scenario = { testServer, participants: await createParticipants(testServer) };
    ada = await createOperator(testServer, { caps: ['see', 'help', 'admin'], fullname: 'Ada Operator' });
  });
  afterAll(() => testServer?.close());

  const read = (id: string) => ada.api.readTownCase({ params: { id } });
  /** A claim that waits for the town, on an order whose card was charged. */
  const openClaim = async () => {
    const id = await createClaimForTown(scenario);
    await waitFor(async () => expect((await read(id)).left).not.toBeNull());
    return id;
  };
  const decision = (amount: number, liable: 'platform' | 'scrub' | 'duber' = 'scrub') => ({
    ...{ items: [{ n: 1, amount, liable }], words: WORDS, reason: REASON },
  });
  const decide = (id: string, amount: number, liable?: 'platform' | 'scrub', by = ada) =>
    by.api.decideCase({ params: { id }, body: decision(amount, liable) });
  const auditOf = async (subjectId: string) =>
    (await ada.api.listAudit({ query: { subjectId } })).items.map(({ action }) => action);
  const setOrderLimit = (cents: number) =>
    writeSetting(testServer.server.db, {
      ...{ name: 'refundLimitOrder', value: cents, setBy: 'the test', from: testServer.now() },
    });

  test('the inbox shows what waits for the town first, and of that what is urgent', async () => {
    const asked = await createOffer(scenario);
    const [older, urgent] = [await createClaimForTown(scenario), await createClaimForTown(scenario)];
    await queryRows(testServer.server.db, sql`update cases set priority = 'high' where id = ${urgent}`);
    const { items, hasMore } = await ada.api.listTownCases({ query: {} });
    expect(items.map(({ id }) => id)).toEqual([urgent, older, asked]);
    expect(hasMore).toBe(false);
    expect(items[0]).toMatchObject({
      orderNumber: expect.stringMatching(/^R-\d+$/),
      openedByName: 'Ada Bud',
      aboutName: 'Grace Scrub',
      waitsFor: 'Operator',
    });
    await ada.api.closeCase({ params: { id: urgent }, body: { words: 'You have found it.', reason: REASON } });
    const idsOf = async (state: 'with-town' | 'with-bud' | 'closed') =>
      (await ada.api.listTownCases({ query: { state } })).items.map(({ id }) => id);
    expect([await idsOf('with-town'), await idsOf('with-bud'), await idsOf('closed')]).toEqual([
      [older],
      [asked],
      [urgent],
    ]);
    expect(
      (await expectFailure(ada.api.closeCase({ params: { id: urgent }, body: decision(1) as never }))).status,
    ).toBe(400);
    const again = ada.api.closeCase({ params: { id: urgent }, body: { words: WORDS, reason: REASON } });
    expect((await expectFailure(again)).message).toBe('It is closed: the town decides only what is with-town');
    expect(await auditOf(urgent)).toEqual(['closeCase']);
  });

  test('a case shows who did what, its photos, and what can still be refunded', async () => {
    const id = await openClaim();
    const found = await read(id);
    expect(found).toMatchObject({
      people: { bud: { name: 'Ada Bud' }, scrub: { name: 'Grace Scrub' }, duber: null },
      offer: { kind: 'give-back', amount: 10 },
      items: [{ what: 'Blue shirt', asked: 20, decided: null, liable: null }],
      caps: { garment: 50, order: 300 },
      trips: 0,
      limit: 30,
    });
    expect(found.left).toBeGreaterThan(20);
    expect(found.events.map(({ action, name }) => [action, name])).toEqual([
      ['open-claim', 'Ada Bud'],
      ['answer', 'Grace Scrub'],
      ['refuse-offer', 'Ada Bud'],
    ]);
    const photo = await ada.api.readTownFile({ params: { id: found.events[0]?.fileIds[0] ?? '' } });
    expect([photo.type, photo.size > 100]).toEqual(['image/jpeg', true]);
    const unused = await sendPhoto(scenario.participants.bud);
    expect((await expectFailure(ada.api.readTownFile({ params: { id: unused } }))).status).toBe(404);
  });

  test('a decision gives money back at the cost of a side, tells the people, and is one act', async () => {
    const id = await openClaim();
    const tooMuch = await expectFailure(decide(id, 50.01));
    expect(tooMuch.message).toBe('Item 1 can be given $50.00 at most');
    expect(await decide(id, 12.5)).toEqual({ approvalId: null });
    expect(await read(id)).toMatchObject({
      status: 'decided',
      givenBack: 12.5,
      items: [{ decided: 12.5, liable: 'scrub' }],
    });
    expect((await read(id)).events.at(-1)).toMatchObject({ by: 'Operator', name: 'Ada Operator', words: WORDS });
    const mine = await scenario.participants.bud.api.readCase({ params: { id } });
    expect(mine.events.at(-1)).toMatchObject({ action: 'decide', words: WORDS, amount: 12.5 });
    expect(JSON.stringify(mine)).not.toContain(REASON);
    expect((await testServer.waitForMail(scenario.participants.bud.user.email, 'has decided')).text).toContain('12.50');
    const { callerPays } = await scenario.participants.scrub.api.readCase({ params: { id } });
    expect(callerPays).toBeGreaterThan(0);
    expect((await testServer.waitForMail(scenario.participants.scrub.user.email, 'has decided')).text).toContain(
      `$${callerPays.toFixed(2)} of it is taken from what you earned.`,
    );
    expect((await expectFailure(decide(id, 1))).message).toContain('It is decided');
    expect(await auditOf(id)).toEqual(['decideCase']);
  });

  test('an amount above the limit of an order waits for a second operator, also in two parts', async () => {
    await setOrderLimit(1_000);
    const grace = await createOperator(testServer, { caps: ['help'], fullname: 'Grace Operator' });
    const id = await openClaim();
    expect(await decide(id, 9)).toEqual({ approvalId: null });
    await scenario.participants.bud.api.contest({ params: { id }, body: { words: 'It was new.' } });
    const { approvalId } = await decide(id, 12);
    expect((await read(id)).status).toBe('with-town');
    expect((await expectFailure(decide(id, 12, 'scrub', grace))).message).toBe(
      'This waits for another operator already',
    );
    const [waiting] = (await grace.api.listApprovals({ query: {} })).items;
    expect(waiting).toMatchObject({ id: approvalId, action: 'decideCase', amount: 3, canDecide: true });
    await grace.api.approve({ params: { id: approvalId ?? '' }, body: { reason: 'I see the stain, too' } });
    expect(await read(id)).toMatchObject({ status: 'decided', givenBack: 12 });
    const { items } = await ada.api.listAudit({ query: { subjectId: id } });
    expect(items.map(({ action, amount, approvedBy }) => [action, amount, approvedBy?.name])).toEqual([
      ['decideCase', 3, 'Grace Operator'],
      ['ask', 3, undefined],
      ['decideCase', 9, undefined],
    ]);
    await setOrderLimit(3_000);
  });

  test('an amount that another operator has approved counts for the limit of the next decision', async () => {
    await setOrderLimit(1_000);
    const hal = await createOperator(testServer, { caps: ['help'], fullname: 'Hal Operator' });
    const id = await openClaim();
    const { approvalId } = await decide(id, 12);
    await hal.api.approve({ params: { id: approvalId ?? '' }, body: { reason: 'I see the stain, too' } });
    await scenario.participants.bud.api.contest({ params: { id }, body: { words: 'It was new.' } });
    expect((await decide(id, 15)).approvalId).not.toBeNull();
    await setOrderLimit(3_000);
  });

  test('a refund of the order without a case counts, too', async () => {
    const operator = await createOperator(testServer, { caps: ['see', 'help', 'money'] });
    const id = await openClaim();
    const { orderId } = await read(id);
    const refund = { amount: 10, liable: 'platform' as const, reason: REASON };
    await setOrderLimit(1500);
    expect((await operator.api.refundOrder({ params: { id: orderId ?? '' }, body: refund })).approvalId).toBeNull();
    expect((await decide(id, 6, 'platform', operator)).approvalId).not.toBeNull();
    await setOrderLimit(3000);
  });

  test('an impossible decision is refused at once, and not only when a second operator approves', async () => {
    await setOrderLimit(0);
    const id = await openClaim();
    expect((await expectFailure(decide(id, 60))).message).toContain('at most');
    const body = { ...decision(5), items: [{ n: 7, amount: 5, liable: 'scrub' as const }] };
    expect((await expectFailure(ada.api.decideCase({ params: { id }, body }))).message).toBe('It has no item 7');
    // Any id of another delivery.
    const named = { ...decision(5), items: [{ n: 1, amount: 5, liable: 'duber' as const, deliveryId: id }] };
    expect((await expectFailure(ada.api.decideCase({ params: { id }, body: named }))).message).toBe(
      'No Duber carried laundry of this order in that delivery',
    );
    expect(await auditOf(id)).toEqual([]);
    expect((await decide(id, 0)).approvalId, 'nothing is given').toBeNull();
    await setOrderLimit(3_000);
  });
});
