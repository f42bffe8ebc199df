import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOperator, type TestOperator } from '../../testing/operators.ts';
import {
  advanceDelivery,
  createOrderInStatus,
  createParticipants,
  findLegId,
  type Participants,
} from '../../testing/orderSteps.ts';
import { openTestServer, pointAt, RULE_DATABASES, type TestServer } from '../../testing/testServer.ts';

const REASON = 'They have telephoned';

describe.each(RULE_DATABASES)('the place of laundry that is handed on, on %s', (kind) => {
  let testServer: TestServer;
  let people: Participants;
  let ada: TestOperator;

  beforeAll(async () => {
    testServer = await openTestServer(kind);
    people = await createParticipants(testServer);
    ada = await createOperator(testServer, { caps: ['see', 'dispatch'], fullname: 'Ada Operator' });
  });
  afterAll(() => testServer?.close());

  test('an operator sees where a Duber was who cannot go on, until the laundry is handed on', async () => {
    const order = await createOrderInStatus(people, 'Accepted');
    const legId = findLegId(order, 'Bud_To_Scrub');
    await advanceDelivery(people.duber, legId, 4);
    const params = { id: legId };
    const legOf = async () => (await ada.api.readTownOrder({ params: { id: order.id } })).deliveries[0];
    expect(await legOf()).toMatchObject({ askedPlace: null });
    const place = pointAt(600, 0);
    const asked = { kind: 'relay', deliveryId: legId, words: 'The chain broke', place } as const;
    const { id: caseId } = await people.duber.api.createCase({ body: asked });
    expect(await legOf()).toMatchObject({ askedPlace: place });
    expect((await ada.api.readTownCase({ params: { id: caseId } })).events).toMatchObject([{ action: 'ask', place }]);
    await ada.api['delivery-relay']({ params, body: { why: 'breakdown', reason: REASON, place } });
    // The laundry waits there, and the first Duber is not the one of the delivery any more.
    expect(await legOf()).toMatchObject({ duber: null, askedPlace: null, pickup: place });
  });
});
