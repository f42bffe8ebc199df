import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { approximatePoint } from '../../domain/places.ts';
import { createOperator, type TestOperator } from '../../testing/operators.ts';
import { createOrderInStatus, createParticipants, type Participants } from '../../testing/orderSteps.ts';
import { openTestServer, RULE_DATABASES, type TestServer } from '../../testing/testServer.ts';

describe.each(RULE_DATABASES)('the places that operators read, on %s', (kind) => {
  let testServer: TestServer;
  let people: Participants;
  let ada: TestOperator;
  beforeAll(async () => {
    testServer = await openTestServer(kind);
    people = await createParticipants(testServer);
    ada = await createOperator(testServer, { caps: ['see'], fullname: 'Ada Operator' });
  });
  afterAll(() => testServer?.close());

  test('are rounded, also on the map and in the lists of today, until who needs them has said why', async () => {
    const { id } = await createOrderInStatus(people, 'Accepted');
    const { latitude = 0, longitude = 0, address = '' } = people.bud.user.addresses[0] ?? {};
    const near = approximatePoint({ latitude, longitude });
    const read = ({ api }: TestOperator) => api.readTownOrder({ params: { id } });
    const hidden = await read(ada);
    expect([hidden.placesUntil, hidden.budPlace.address]).toEqual([null, expect.not.stringMatching(/\d/)]);
    for (const point of [hidden.budPlace, hidden.deliveries[0]?.pickup]) {
      expect(point?.latitude).toBeCloseTo(near.latitude, 6);
      expect(point?.longitude).toBeCloseTo(near.longitude, 6);
    }
    const seen = JSON.stringify([hidden, await ada.api.readTownMap({}), await ada.api.readToday()]);
    for (const exact of [latitude, people.scrub.user.addresses[0]?.latitude, address.split(',')[0]])
      expect(seen).not.toContain(String(exact));
    await ada.api.showPlaces({ params: { id }, body: { reason: 'The Duber does not find the door' } });
    const shown = await read(ada);
    expect(shown.budPlace).toEqual({ address, latitude, longitude });
    expect(shown.audit[0]).toMatchObject({ action: 'showPlaces', reason: 'The Duber does not find the door' });
    const bob = await createOperator(testServer, { caps: ['see'], fullname: 'Bob Operator' });
    expect((await read(bob)).budPlace.address).toBe(hidden.budPlace.address);
  });
});
