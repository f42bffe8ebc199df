import { sql } from 'kysely';
import { v7 as newUuid } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../domain/durations.ts';
import { bandOf, distanceInMeters } from '../../domain/places.ts';
import { expectFailure, sendRequest } from '../../testing/checkedClient.ts';
import {
  advanceDelivery,
  createOrderInStatus,
  createParticipants,
  findDeliveryId,
  firstAddressId,
  orderBody,
  type Participants,
  placeOrder,
  REVIEW,
} from '../../testing/orderSteps.ts';
import { DATABASE_KINDS, openTestServer, pointAt, type TestServer, type TestUser } from '../../testing/testServer.ts';
import { openServerDatabase, queryRows } from '../db/database.ts';

describe.each(DATABASE_KINDS)('searches nearby on %s', (kind) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await openTestServer(kind);
  });
  afterAll(() => server?.close());

  /** Moves a user's first address. Each test works in its own part of the map. */
  const moveTo = (user: TestUser, point: { latitude: number; longitude: number }) =>
    user.api.updateAddress({
      body: { label: 'Default', address: 'Somewhere', ...point, id: firstAddressId(user) },
    });
  const scrubsNear = (bud: TestUser, maxDistanceMeters?: string) =>
    bud.api.findScrubsNearby({
      query: { addressId: firstAddressId(bud), ...(maxDistanceMeters ? { maxDistanceMeters } : {}) },
    });

  test('Scrubs are listed nearest first, up to the given distance inclusive, or up to 5000 m', async () => {
    const bud = await server.createUser('Bud');
    const distances = [4999, 300, 5000, 5001, 1200, 0];
    const scrubs = await Promise.all(distances.map((north) => server.createUser('Scrub', { north })));
    const near = await scrubsNear(bud);
    expect(near.map(({ distanceMeters }) => distanceMeters)).toEqual([0, 300, 1200, 4999, 5000]);
    const nearest = near.map(({ scrub }) => distances[scrubs.findIndex(({ user }) => user.id === scrub.id)]);
    expect(nearest).toEqual([0, 300, 1200, 4999, 5000]);
    expect((await scrubsNear(bud, '1200')).map((one) => one.distanceMeters)).toEqual([0, 300, 1200]);
    expect((await scrubsNear(bud, '1199.5')).map((one) => one.distanceMeters)).toEqual([0, 300]);
    expect(await scrubsNear(bud, '50000')).toHaveLength(6);
    expect(await scrubsNear(bud, '1')).toHaveLength(1);
  });

  test('a hidden Scrub is not found and gets no new orders, until it is visible again', async () => {
    const [bud, scrub] = [await server.createUser('Bud'), await server.createUser('Scrub')];
    for (const user of [bud, scrub]) await moveTo(user, { latitude: -10, longitude: 10 });
    const found = async () => (await scrubsNear(bud)).map((one) => one.scrub.id);
    expect(await found()).toEqual([scrub.user.id]);
    expect(await scrub.api.changeVisibility({ body: { isActive: false } })).toEqual({ isActive: false });
    expect((await scrub.api.profile()).isActive).toBe(false);
    expect(await found()).toEqual([]);
    expect(await expectFailure(placeOrder({ bud, scrub }))).toEqual({
      status: 409,
      message: 'This scrub is no longer available',
    });
    // A new address does not make a Scrub visible again.
    await moveTo(scrub, { latitude: -10, longitude: 10.001 });
    expect(await found()).toEqual([]);
    await scrub.api.changeVisibility({ body: { isActive: true } });
    expect(await found()).toEqual([scrub.user.id]);
    expect((await placeOrder({ bud, scrub })).status).toBe('Requested');
  });

  test('a Scrub’s rating is rounded half up to one decimal', async () => {
    const [bud, scrub] = [await server.createUser('Bud'), await server.createUser('Scrub')];
    for (const user of [bud, scrub]) await moveTo(user, { latitude: -20, longitude: 20 });
    expect((await scrubsNear(bud))[0]?.rating).toBe(0);
    for (const rating of [5, 4, 4, 4]) {
      const { id } = await createOrderInStatus({ bud, scrub }, 'Completed');
      await bud.api.reviewToScrub({ params: { id }, body: { ...REVIEW, rating, scrubId: scrub.user.id } });
    }
    expect((await scrubsNear(bud))[0]?.rating).toBe(4.3);
    const query = {
      addressId: firstAddressId(bud),
      maxDistanceMeters: '5000',
      fields: ['rating', 'ratingCount'] as const,
    };
    expect(await bud.api.findScrubsNearby({ query })).toEqual([{ rating: 4.3, ratingCount: 4 }]);
    expect((await scrub.api.scrubDashboard()).averageScrubOrdersRating).toBe(4.3);
  });

  test('an order can be placed with a Scrub up to 5000 m away, and not further', async () => {
    const bud = await server.createUser('Bud');
    const [edge, beyond] = [
      await server.createUser('Scrub', { north: 5000 }),
      await server.createUser('Scrub', { north: 5001 }),
    ];
    expect((await placeOrder({ bud, scrub: edge })).status).toBe('Requested');
    expect((await expectFailure(placeOrder({ bud, scrub: beyond }))).status).toBe(409);
    const unknownScrub = orderBody({ bud, scrub: edge }, { scrubId: '0192f0c1-7a3b-7c4d-8e5f-0123456789ab' });
    expect((await expectFailure(bud.api.placeOrder({ body: unknownScrub }))).status).toBe(404);
    const notAScrub = orderBody({ bud, scrub: edge }, { scrubId: bud.user.id });
    expect((await expectFailure(bud.api.placeOrder({ body: notAScrub }))).status).toBe(404);
  });

  test.each([
    ['the antimeridian', { latitude: 0, longitude: 179.99 }, { latitude: 0, longitude: -179.99 }],
    ['the other side of it', { latitude: 0.5, longitude: -180 }, { latitude: 0.5, longitude: 180 }],
    ['the north pole', { latitude: 89.99, longitude: 10 }, { latitude: 89.99, longitude: -170 }],
    ['the south pole', { latitude: -90, longitude: 0 }, { latitude: -89.98, longitude: 123 }],
  ])('a Scrub is found across %s', async (_name, at, there) => {
    const [bud, scrub] = [await server.createUser('Bud'), await server.createUser('Scrub')];
    await moveTo(bud, at);
    await moveTo(scrub, there);
    expect(await scrubsNear(bud)).toEqual([
      expect.objectContaining({
        scrub: { id: scrub.user.id, fullname: 'Test Scrub' },
        distanceMeters: distanceInMeters(at, there),
      }),
    ]);
  });

  // Copies one Scrub's rows on PostgreSQL, because fifty sign-ups would be slow.
  test.runIf(kind === 'postgres')('a search returns no more than fifty Scrubs, the nearest ones', async () => {
    const [bud, scrub] = [await server.createUser('Bud'), await server.createUser('Scrub')];
    const middle = { latitude: 40, longitude: 40 };
    for (const user of [bud, scrub]) await moveTo(user, middle);
    const north = (meters: number) => ({ latitude: 40 + meters / 111_195, longitude: 40 });
    // At the edges of the searched rings and between them. With the one in the middle, three more than the limit.
    const edges = [35, 100, 250, 700, 2000].flatMap((edge) => [edge - 1, edge, edge + 1]);
    const between = Array.from({ length: 37 }, (_, index) => 5 + index * 120);
    const meters = [...edges, ...between].toSorted((a, b) => a - b);
    await copyScrub(
      scrub.user.id,
      meters.map((_, index) => north(meters[(index * 17) % 52] ?? 0)),
    );
    const near = await scrubsNear(bud);
    expect(near.map(({ distanceMeters }) => distanceMeters)).toEqual(
      [0, ...meters].slice(0, 50).map((distance) => distanceInMeters(middle, north(distance))),
    );
  });

  async function copyScrub(id: string, points: readonly { latitude: number; longitude: number }[]): Promise<void> {
    const { db, close } = openServerDatabase(server.databaseUrl ?? '', 1);
    for (const { latitude, longitude } of points) {
      const copy = newUuid();
      await queryRows(
        db,
        sql`with person as (insert into users (id, fullname, email, email_key, role, password_hash, created_at)
            select ${copy}, fullname, ${copy}::text, ${copy}::text, role, password_hash, created_at
            from users where id = ${id} returning id)
          insert into scrub_places (scrub_id, address, latitude, longitude, band, active)
            select id, 'Somewhere', ${latitude}, ${longitude}, ${bandOf(latitude)}, true from person`,
      );
    }
    await close();
  }

  describe('deliveries', () => {
    let participants: Participants;
    beforeAll(async () => {
      participants = await createParticipants(server);
    });
    const near = (duber: TestUser, query: object = {}) =>
      duber.api.findDeliveriesNearby({ query: { addressId: firstAddressId(duber), ...query } });

    test('pending deliveries are found by their pickup point', async () => {
      // The Bud is 300 m and the Scrub 1200 m to the north. The Duber is where the Scrub is.
      const order = await createOrderInStatus(participants, 'Completed');
      const duber = await server.createUser('Duber', { north: 1200 });
      const found = (await near(duber)).filter(({ delivery }) => delivery.orderId === order.id);
      expect(found.map((one) => [one.delivery.deliveryType, one.distanceMeters])).toEqual([
        ['Scrub_To_Bud', 0],
        ['Bud_To_Scrub', 900],
      ]);
      expect(found[0]).toMatchObject({ budId: participants.bud.user.id, scrubId: participants.scrub.user.id });
      const ids = async (query: object) => (await near(duber, query)).map(({ delivery }) => delivery.id);
      expect(await ids({ maxDistanceMeters: '899' })).toEqual([found[0]?.delivery.id]);
      expect(await ids({ maxDistanceMeters: '900' })).toHaveLength(2);
      await advanceDelivery(duber, findDeliveryId(order, 'Scrub_To_Bud'), 1);
      expect(await ids({})).not.toContain(findDeliveryId(order, 'Scrub_To_Bud'));
    });

    test('a given position replaces the address as the middle of the search', async () => {
      const order = await createOrderInStatus(participants, 'Accepted');
      const duber = await server.createUser('Duber', { north: 40_000 });
      expect(await near(duber)).toEqual([]);
      const { latitude, longitude } = pointAt(1300, 0);
      const around = await near(duber, { latitude: String(latitude), longitude: String(longitude) });
      expect(around.find(({ delivery }) => delivery.orderId === order.id)?.distanceMeters).toBe(1000);
    });

    test('a Duber who asks for fewer deliveries gets the nearest ones, in the search and on the dashboard', async () => {
      for (const status of ['Accepted', 'Completed'] as const) await createOrderInStatus(participants, status);
      const duber = await server.createUser('Duber', { north: 1200 });
      const all = await near(duber);
      expect(all.length).toBeGreaterThan(2);
      expect(await near(duber, { limit: '2' })).toEqual(all.slice(0, 2));
      const query = { pendingLimit: '2' };
      expect((await duber.api.duberDashboard({ query })).pendingDeliveries).toEqual(all.slice(0, 2));
    });

    test.each(['0', '51', '2.5', 'all'])('a limit of %s deliveries is refused with 400', async (limit) => {
      const { token } = participants.duber;
      const refused = await sendRequest(server.apiUrl, 'GET', `/dashboards/duber?pendingLimit=${limit}`, { token });
      expect([refused.status, refused.body]).toMatchObject([400, { message: [{ property: 'pendingLimit' }] }]);
    });

    test('what a Duber gave away a moment ago takes no place among the nearest deliveries', async () => {
      const order = await createOrderInStatus(participants, 'Accepted');
      const duber = await server.createUser('Duber');
      const [first, second] = await near(duber, { limit: '2' });
      const id = first?.delivery.id ?? expect.fail(`no delivery, although ${order.id} has one`);
      await advanceDelivery(duber, id, 1);
      await duber.api['drop-delivery']({ params: { id }, body: { reason: 'ill' } });
      expect(await near(duber, { limit: '1' })).toEqual([second]);
    });

    test('a search more than 50 km from the Duber’s own address is refused with 400', async () => {
      const duber = await server.createUser('Duber', { north: 1200 });
      const search = (north: number) => {
        const { latitude, longitude } = pointAt(north, 0);
        const query = `addressId=${firstAddressId(duber)}&latitude=${latitude}&longitude=${longitude}`;
        return sendRequest(server.apiUrl, 'GET', `/deliveries/find-deliveries-nearby?${query}`, duber);
      };
      expect((await search(51_190)).status).toBe(200);
      const property = 'latitude';
      const constraints = { isNear: 'Search within 50 km of your address' };
      expect(await search(51_210)).toMatchObject({ status: 400, body: { message: [{ property, constraints }] } });
      expect((await search(-9_000_000)).status).toBe(400);
    });

    test('latitude without longitude is refused with 400', async () => {
      const path = `/deliveries/find-deliveries-nearby?addressId=${firstAddressId(participants.duber)}&latitude=24`;
      const { status, body } = await sendRequest(server.apiUrl, 'GET', path, { token: participants.duber.token });
      expect([status, body]).toMatchObject([400, { message: [{ property: 'longitude' }] }]);
    });

    test('a search around another user’s address is refused with 404', async () => {
      const { token } = participants.duber;
      const path = `/deliveries/find-deliveries-nearby?addressId=${firstAddressId(participants.scrub)}&latitude=24&longitude=67`;
      expect((await sendRequest(server.apiUrl, 'GET', path, { token })).status).toBe(404);
    });

    // The last two tests, because they move the clock.
    test('a Duber who gave a delivery away is not offered it for half an hour, and others are at once', async () => {
      const order = await createOrderInStatus(participants, 'Accepted');
      const id = findDeliveryId(order, 'Bud_To_Scrub');
      const [duber, other] = [await server.createUser('Duber'), await server.createUser('Duber')];
      const isOffered = async (to: TestUser) => {
        const { pendingDeliveries } = await to.api.duberDashboard();
        const lists = [await near(to), pendingDeliveries];
        return lists.map((offers) => offers.some(({ delivery }) => delivery.id === id));
      };
      expect(await isOffered(duber)).toEqual([true, true]);
      await advanceDelivery(duber, id, 1);
      await duber.api['drop-delivery']({ params: { id }, body: { reason: 'ill' } });
      expect(await isOffered(duber)).toEqual([false, false]);
      expect(await isOffered(other)).toEqual([true, true]);
      server.advanceClock(30 * MINUTE_MS);
      expect(await isOffered(duber)).toEqual([true, true]);
      await advanceDelivery(duber, id, 1);
    });

    test('a Duber may move by more than 50 km three times in 30 days, however small the steps are', async () => {
      const duber = await server.createUser('Duber', { north: 20_000 });
      const move = (kilometers: number) => moveTo(duber, pointAt(kilometers * 1000, 20_000));
      // From 20 km: only the moves to 118, 200 and 120 km lead away by more than 50 km.
      for (const kilometers of [69, 118, 69, 118, 200, 120, 71]) await move(kilometers);
      const refused = await expectFailure(move(20));
      expect(refused.status).toBe(429);
      expect(refused.message).toMatch(
        /^You have moved your address by more than 50 km three times\. .+ from \w+ \d+, \d+\.$/,
      );
      expect((await duber.api.profile()).addresses[0]?.latitude).toBe(pointAt(71_000, 0).latitude);
      await move(169);
      server.advanceClock(20 * DAY_MS);
      expect((await expectFailure(move(20))).status).toBe(429);
      server.advanceClock(10 * DAY_MS);
      await move(20);
    });
  });
});
