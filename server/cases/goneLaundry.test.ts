import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ALL_IS_MISSING, ENDED_UNDONE, FAILURES } from '../../contract/failures.ts';
import { DAY_MS } from '../../domain/durations.ts';
import { expectFailure } from '../../testing/checkedClient.ts';
import { createOperator, raiseLimits, type TestOperator } from '../../testing/operators.ts';
import {
  advanceDelivery,
  createOrderInStatus,
  createParticipants,
  findDeliveryId,
  type Participants,
} from '../../testing/orderSteps.ts';
import { openTestServer, RULE_DATABASES, type TestServer } from '../../testing/testServer.ts';

describe.each(RULE_DATABASES)('laundry that is gone, on %s', (kind) => {
  let testServer: TestServer;
  let people: Participants;
  let ada: TestOperator;
  beforeAll(async () => {
    testServer = await openTestServer(kind);
    people = await createParticipants(testServer);
    ada = await createOperator(testServer, { caps: ['see', 'dispatch'], fullname: 'Ada Operator' });
    await raiseLimits(testServer);
  });
  afterAll(() => testServer?.close());

  const carried = async (steps: number) => {
    const order = await createOrderInStatus(people, 'Accepted');
    const deliveryId = findDeliveryId(order, 'Bud_To_Scrub');
    // One who has lost laundry has it still, as far as anybody knows.
    const duber = await testServer.createUser('Duber', { east: 500 });
    await advanceDelivery(duber, deliveryId, steps);
    return { id: order.id, deliveryId, duber };
  };
  const claim = (orderId: string, itemKind = 'missing') => {
    const items = [{ what: 'All of it', kind: itemKind, worth: 40, ageMonths: 2, asked: 5 }];
    return people.bud.api.createCase({ body: { kind: 'claim', orderId, items } as never });
  };
  const cancelLost = (id: string) =>
    ada.api['order-cancel-by-operator']({
      params: { id },
      body: { why: 'lost', wayHome: 'lost', reason: 'They have telephoned' },
    });

  test('can be claimed while the order is open, from the Duber who lost it, and the town decides at once', async () => {
    const { id, deliveryId, duber } = await carried(4);
    expect((await expectFailure(claim(id))).message).toBe(FAILURES.orderNotCompleted[1]);
    await duber.api['report-lost']({ params: { id: deliveryId }, body: { words: 'It was stolen' } });
    expect((await expectFailure(claim(id, 'smell'))).message).toBe(ALL_IS_MISSING);
    const { id: caseId } = await claim(id);
    expect(await people.bud.api.readCase({ params: { id: caseId } })).toMatchObject({ status: 'with-town' });
    const about = testServer.server.db
      .selectFrom('cases')
      .select(['about_user', 'delivery_id'])
      .where('id', '=', caseId);
    expect(await about.execute()).toEqual([{ about_user: duber.user.id, delivery_id: deliveryId }]);
    await ada.api['delivery-call-off']({ params: { id: deliveryId }, body: { why: 'lost', reason: 'It is gone' } });
    await cancelLost(id);
  });

  test('can be claimed for a week after the order was cancelled, also when its Scrub lost it', async () => {
    const { id } = await carried(5);
    await cancelLost(id);
    const { id: caseId } = await claim(id);
    const about = testServer.server.db.selectFrom('cases').select('about_user').where('id', '=', caseId);
    expect(await about.execute()).toEqual([{ about_user: people.scrub.user.id }]);
    const { id: late } = await carried(5);
    await cancelLost(late);
    testServer.advanceClock(8 * DAY_MS);
    expect((await expectFailure(claim(late))).message).toBe(FAILURES.claimOver[1]);
    testServer.advanceClock(-8 * DAY_MS);
  });

  test('cannot be claimed any more once its Bud has it', async () => {
    const { id } = await carried(5);
    await cancelLost(id);
    await people.bud.api.confirmReceived({ params: { id }, body: { bags: 2 } });
    expect((await expectFailure(claim(id))).message).toBe(ENDED_UNDONE);
  });
});
