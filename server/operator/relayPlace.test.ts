import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LET_OTHERS_FIRST_MS } from '../../domain/deliveries.ts';
import { approximatePoint } from '../../domain/places.ts';
import { createOperator, type TestOperator } from '../../testing/operators.ts';
import {
  advanceDelivery,
  createOrderInStatus,
  createParticipants,
  findDeliveryId,
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

  test('an operator sees where a Duber was who cannot go on, until the laundry is handed on, and once more when they cannot again', async () => {
    const order = await createOrderInStatus(people, 'Accepted');
    const deliveryId = findDeliveryId(order, 'Bud_To_Scrub');
    await advanceDelivery(people.duber, deliveryId, 4);
    const params = { id: deliveryId };
    const deliveryOf = async () => (await ada.api.readTownOrder({ params: { id: order.id } })).deliveries[0];
    expect(await deliveryOf()).toMatchObject({ askedPlace: null });
    const place = pointAt(600, 0);
    const asked = { kind: 'relay', deliveryId, words: 'The chain broke', place } as const;
    const { id: caseId } = await people.duber.api.createCase({ body: asked });
    const showPlaces = () =>
      ada.api.showPlaces({ params: { id: order.id }, body: { reason: 'The next Duber asks where it is' } });
    const near = approximatePoint(place);
    const placeOfCase = async () => (await ada.api.readTownCase({ params: { id: caseId } })).events[0]?.place;
    for (const hidden of [(await deliveryOf())?.askedPlace, await placeOfCase()]) {
      expect(hidden?.latitude).toBeCloseTo(near.latitude, 6);
      expect(hidden?.longitude).toBeCloseTo(near.longitude, 6);
    }
    await showPlaces();
    expect(await deliveryOf()).toMatchObject({ askedPlace: place });
    expect((await ada.api.readTownCase({ params: { id: caseId } })).events).toMatchObject([{ action: 'ask', place }]);
    await ada.api['delivery-relay']({ params, body: { why: 'breakdown', reason: REASON, place } });
    // The laundry waits there, and the first Duber is not the one of the delivery any more.
    expect(await deliveryOf()).toMatchObject({ duber: null, askedPlace: null, pickup: place });
    // They go on after all, and cannot once more: somewhere else, while the town has not closed the problem.
    testServer.advanceClock(LET_OTHERS_FIRST_MS);
    // Their session is over by then.
    ada = await createOperator(testServer, { caps: ['see', 'dispatch'], fullname: 'Bob Operator' });
    await showPlaces();
    for (const action of ['accept-delivery', 'way-to-pickup', 'collected', 'way-to-drop'] as const)
      await people.duber.api[action]({ params });
    expect(await deliveryOf()).toMatchObject({ askedPlace: null });
    const elsewhere = pointAt(900, 0);
    const again = { ...asked, words: 'The chain broke again', place: elsewhere };
    const idempotencyKey = newId();
    for (let times = 0; times < 2; times += 1)
      expect(await people.duber.api.createCase({ body: again, idempotencyKey })).toMatchObject({ id: caseId });
    await expect(people.duber.api.createCase({ body: again })).rejects.toThrow('You have already reported this');
    expect(await deliveryOf()).toMatchObject({ askedPlace: elsewhere });
    const { events } = await ada.api.readTownCase({ params: { id: caseId } });
    expect(events.map(({ action, words }) => [action, words])).toEqual([
      ['ask', 'The chain broke'],
      ['ask', 'The chain broke again'],
    ]);
  });
});
