import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CONTACTS_LIFETIME_MS } from '../../domain/deliveries.ts';
import { outcomeOf } from '../../testing/checkedClient.ts';
import {
  advanceDelivery,
  createOrderInStatus,
  createParticipants,
  findDeliveryId,
  type Participants,
} from '../../testing/orderSteps.ts';
import { sendPhoto } from '../../testing/sentPhotos.ts';
import { openTestServer, RULE_DATABASES, type TestServer, type TestUser } from '../../testing/testServer.ts';
import { setPolicy } from '../town/policies.sql.ts';

const GIVEN_BACK = { reason: 'other', words: 'I am ill' } as const;
const AT_THE_DOOR = { latitude: 24, longitude: 67 };

describe.each(RULE_DATABASES)('photos of hand-overs and of what went wrong, on %s', (kind) => {
  let server: TestServer;
  let participants: Participants;
  beforeAll(async () => {
    server = await openTestServer(kind);
    participants = await createParticipants(server);
  });
  afterAll(() => server?.close());

  const decide = (value: 'open' | 'careful') =>
    setPolicy(server.server.db, { name: 'privacy', value, setBy: 'a test' }, server.now());

  /** A Duber could not drop the laundry off, and has photographed it at the door of the Bud. */
  const bringBack = async () => {
    const order = await createOrderInStatus(participants, 'Accepted');
    const duber = await server.createUser('Duber', { east: 300 });
    const delivery = { params: { id: findDeliveryId(order, 'Bud_To_Scrub') } };
    await advanceDelivery(duber, delivery.params.id, 4);
    await duber.api['drop-failed']({ ...delivery, body: { reason: 'unsafe' } });
    await duber.api['bring-back']({ ...delivery, body: {} });
    const photo = await sendPhoto(duber);
    await duber.api['brought-back']({ ...delivery, body: { fileIds: [photo], place: AT_THE_DOOR } });
    return { params: { id: order.id }, duber, delivery, photo };
  };
  const isReadable = ({ api }: TestUser, photo: string) =>
    api.readFile({ params: { id: photo } }).then(
      () => true,
      () => false,
    );
  /** A photo as a person sees it: named in an answer, and readable. */
  const describeSeen = async (person: TestUser, photo: string, isNamed: boolean) => [
    ...(isNamed ? ['named'] : []),
    ...((await isReadable(person, photo)) ? ['readable'] : []),
  ];
  type Door = Pick<Awaited<ReturnType<typeof bringBack>>, 'params' | 'photo'>;
  /** The photo of a hand-over, which custody names. */
  const seenBy = async (person: TestUser, { params, photo }: Door) => {
    const isNamed = await person.api.readCustody({ params }).then(
      ({ handovers }) => handovers.some(({ fileIds }) => fileIds.includes(photo)),
      () => false,
    );
    return describeSeen(person, photo, isNamed);
  };
  const SEEN = ['named', 'readable'];

  test('a second tap of "Brought back" with the same photo is too late, and says nothing of a lost photo', async () => {
    const { duber, delivery, photo } = await bringBack();
    const again = duber.api['brought-back']({ ...delivery, body: { fileIds: [photo], place: AT_THE_DOOR } });
    expect(await outcomeOf(again)).toBe('wrongStatus');
  });

  test.each(['open', 'careful'] as const)(
    'are seen by a Scrub only of the rounds since they were chosen, and not once they have given the order back (%s)',
    async (privacy) => {
      await decide(privacy);
      const { bud, scrub } = participants;
      const door = await bringBack();
      const { params } = door;
      expect(await seenBy(scrub, door)).toEqual(SEEN);
      await scrub.api['give-back']({ params, body: GIVEN_BACK });
      expect(await seenBy(scrub, door)).toEqual([]);
      const next = await server.createUser('Scrub', { north: 900 });
      await bud.api['choose-scrub']({ params, body: { scrubId: next.user.id } });
      expect(await seenBy(next, door)).toEqual([]);
      await next.api['accept-order']({ params });
      expect(await seenBy(next, door)).toEqual([]);
      expect(await seenBy(scrub, door)).toEqual([]);
      expect(await seenBy(bud, door)).toEqual(SEEN);

      const duber = await server.createUser('Duber', { east: 300 });
      const delivery = { id: findDeliveryId(await next.api.readOrder({ params }), 'Bud_To_Scrub') };
      await advanceDelivery(duber, delivery.id, 2);
      const photo = await sendPhoto(duber);
      await duber.api.collectWithProof({ params: delivery, body: { fileIds: [photo] } });
      expect(await seenBy(next, { params, photo })).toEqual(SEEN);
    },
  );

  test.each(['open', 'careful'] as const)(
    'of a pickup that failed are not seen by a Scrub who has given the order back, nor by the next one (%s)',
    async (privacy) => {
      await decide(privacy);
      const { bud, scrub } = participants;
      const order = await createOrderInStatus(participants, 'Accepted');
      const params = { id: order.id };
      const duber = await server.createUser('Duber', { east: 300 });
      const delivery = { params: { id: findDeliveryId(order, 'Bud_To_Scrub') } };
      await advanceDelivery(duber, delivery.params.id, 2);
      const photo = await sendPhoto(duber);
      await duber.api['pickup-failed']({ ...delivery, body: { reason: 'unsafe', words: 'A dog', fileIds: [photo] } });
      const seenBy = async (person: TestUser) => {
        const { deliveries } = await person.api.readOrder({ params });
        return describeSeen(person, photo, JSON.stringify(deliveries).includes(photo));
      };
      expect(await seenBy(scrub)).toEqual(SEEN);
      await scrub.api['give-back']({ params, body: GIVEN_BACK });
      expect(await seenBy(scrub)).toEqual([]);
      const next = await server.createUser('Scrub', { north: 900 });
      await bud.api['choose-scrub']({ params, body: { scrubId: next.user.id } });
      await next.api['accept-order']({ params });
      expect(await seenBy(next)).toEqual([]);
      expect(await seenBy(bud)).toEqual(SEEN);
    },
  );

  test('are seen by the Scrub of a careful town as long as the place of the Bud', async () => {
    await decide('careful');
    const { bud, scrub, duber } = participants;
    const door = await bringBack();
    const { params } = door;
    await scrub.api['start-order']({ params });
    await scrub.api['complete-order']({ params });
    for (const { id, status } of (await bud.api.readOrder({ params })).deliveries)
      if (status === 'Pending') await advanceDelivery(duber, id);
    server.advanceClock(CONTACTS_LIFETIME_MS - 60_000);
    expect(await seenBy(scrub, door)).toEqual(SEEN);
    server.advanceClock(61_000);
    expect(await seenBy(scrub, door)).toEqual([]);
    expect(await seenBy(bud, door)).toEqual(SEEN);
  });
});
