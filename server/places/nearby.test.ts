import { sql } from 'kysely';
import { v7 as newUuid } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bandOf, distanceInMeters } from '../../domain/places.ts';
import { expectFailure, sendRequest } from '../../testing/checkedClient.ts';
import {
  advanceDelivery,
  createOrderInStatus,
  createParticipants,
  findLegId,
  firstAddressId,
  orderBody,
  type Participants,
  placeOrder,
  REVIEW,
} from '../../testing/orderSteps.ts';
import { DATABASE_KINDS, openTestServer, pointAt, type TestServer, type TestUser } from '../../testing/testServer.ts';
import { openServerDatabase, queryRows } from '../db/database.ts';

describe.each(DATABASE_KINDS)('what is near, on %s', (kind) => {
  let world: TestServer;
  beforeAll(async () => {
    world = await openTestServer(kind);
  });
  afterAll(() => world?.close());

  /** Moves somebody's first address; every test has a part of the world of its own. */
  const moveTo = (someone: TestUser, point: { latitude: number; longitude: number }) =>
    someone.api.updateAddress({
      body: { label: 'Default', address: 'Somewhere', ...point, id: firstAddressId(someone) },
    });
  const scrubsNear = (bud: TestUser, maxDistanceMeters?: string) =>
    bud.api.findScrubsNearby({
      query: { addressId: firstAddressId(bud), ...(maxDistanceMeters ? { maxDistanceMeters } : {}) },
    });

  test('scrubs are found nearest first, up to and with the distance that was asked, 5000 m if none was', async () => {
    const bud = await world.createUser('Bud');
    const distances = [4999, 300, 5000, 5001, 1200, 0];
    const scrubs = await Promise.all(distances.map((north) => world.createUser('Scrub', { north })));
    const near = await scrubsNear(bud);
    expect(near.map(({ distanceMeters }) => distanceMeters)).toEqual([0, 300, 1200, 4999, 5000]);
    const nearest = near.map(({ scrub }) => distances[scrubs.findIndex(({ user }) => user.id === scrub.id)]);
    expect(nearest).toEqual([0, 300, 1200, 4999, 5000]);
    expect((await scrubsNear(bud, '1200')).map((one) => one.distanceMeters)).toEqual([0, 300, 1200]);
    expect((await scrubsNear(bud, '1199.5')).map((one) => one.distanceMeters)).toEqual([0, 300]);
    expect(await scrubsNear(bud, '50000')).toHaveLength(6);
    expect(await scrubsNear(bud, '1')).toHaveLength(1);
  });

  test('a scrub that is not visible is not found and gets no new order, and comes back as it was', async () => {
    const [bud, scrub] = [await world.createUser('Bud'), await world.createUser('Scrub')];
    for (const someone of [bud, scrub]) await moveTo(someone, { latitude: -10, longitude: 10 });
    const found = async () => (await scrubsNear(bud)).map((one) => one.scrub.id);
    expect(await found()).toEqual([scrub.user.id]);
    expect(await scrub.api.changeVisibility({ body: { isActive: false } })).toEqual({ isActive: false });
    expect((await scrub.api.profile()).isActive).toBe(false);
    expect(await found()).toEqual([]);
    expect(await expectFailure(placeOrder({ bud, scrub }))).toEqual({
      status: 409,
      message: 'This scrub is no longer available',
    });
    // Moving house does not make one visible again.
    await moveTo(scrub, { latitude: -10, longitude: 10.001 });
    expect(await found()).toEqual([]);
    await scrub.api.changeVisibility({ body: { isActive: true } });
    expect(await found()).toEqual([scrub.user.id]);
    expect((await placeOrder({ bud, scrub })).status).toBe('Requested');
  });

  test('a scrub is found with its rating to one decimal, a half up', async () => {
    const [bud, scrub] = [await world.createUser('Bud'), await world.createUser('Scrub')];
    for (const someone of [bud, scrub]) await moveTo(someone, { latitude: -20, longitude: 20 });
    expect((await scrubsNear(bud))[0]?.rating).toBe(0);
    for (const rating of [5, 4, 4, 4]) {
      const { id } = await createOrderInStatus({ bud, scrub }, 'Completed');
      await bud.api.reviewToScrub({ params: { id }, body: { ...REVIEW, rating, scrubId: scrub.user.id } });
    }
    expect((await scrubsNear(bud))[0]?.rating).toBe(4.3);
    expect((await scrub.api.scrubDashboard()).averageScrubOrdersRating).toBe(4.3);
  });

  test('an order is placed with a scrub up to 5000 m away and no further', async () => {
    const bud = await world.createUser('Bud');
    const [edge, beyond] = [
      await world.createUser('Scrub', { north: 5000 }),
      await world.createUser('Scrub', { north: 5001 }),
    ];
    expect((await placeOrder({ bud, scrub: edge })).status).toBe('Requested');
    expect((await expectFailure(placeOrder({ bud, scrub: beyond }))).status).toBe(409);
    const nobody = orderBody({ bud, scrub: edge }, { scrubId: '0192f0c1-7a3b-7c4d-8e5f-0123456789ab' });
    expect((await expectFailure(bud.api.placeOrder({ body: nobody }))).status).toBe(404);
    const aDuber = orderBody({ bud, scrub: edge }, { scrubId: bud.user.id });
    expect((await expectFailure(bud.api.placeOrder({ body: aDuber }))).status).toBe(404);
  });

  test.each([
    ['the antimeridian', { latitude: 0, longitude: 179.99 }, { latitude: 0, longitude: -179.99 }],
    ['the other side of it', { latitude: 0.5, longitude: -180 }, { latitude: 0.5, longitude: 180 }],
    ['the north pole', { latitude: 89.99, longitude: 10 }, { latitude: 89.99, longitude: -170 }],
    ['the south pole', { latitude: -90, longitude: 0 }, { latitude: -89.98, longitude: 123 }],
  ])('a scrub is found across %s', async (_name, at, there) => {
    const [bud, scrub] = [await world.createUser('Bud'), await world.createUser('Scrub')];
    await moveTo(bud, at);
    await moveTo(scrub, there);
    expect(await scrubsNear(bud)).toEqual([
      expect.objectContaining({
        scrub: { id: scrub.user.id, fullname: 'Test Scrub' },
        distanceMeters: distanceInMeters(at, there),
      }),
    ]);
  });

  // Fifty sign-ups cost more than they show: on PostgreSQL the rows of one are written again and again.
  test.runIf(kind === 'postgres')('at most fifty are found, and they are the nearest', async () => {
    const [bud, scrub] = [await world.createUser('Bud'), await world.createUser('Scrub')];
    const middle = { latitude: 40, longitude: 40 };
    for (const someone of [bud, scrub]) await moveTo(someone, middle);
    const north = (meters: number) => ({ latitude: 40 + meters / 111_195, longitude: 40 });
    // Around the edges of the rings that are searched, and between them; with the one in the middle, three too many.
    const edges = [35, 100, 250, 700, 2000].flatMap((edge) => [edge - 1, edge, edge + 1]);
    const between = Array.from({ length: 37 }, (_, index) => 5 + index * 120);
    const meters = [...edges, ...between].toSorted((a, b) => a - b);
    await copyScrub(
      scrub.user.id,
      meters.map((_, index) => north(meters[(index * 17) % 52] ?? 0)),
    );
    const near = await scrubsNear(bud);
    expect(near.map(({ distanceMeters }) => distanceMeters)).toEqual(
      [0, ...meters].slice(0, 50).map((each) => distanceInMeters(middle, north(each))),
    );
  });

  async function copyScrub(id: string, points: readonly { latitude: number; longitude: number }[]): Promise<void> {
    const { db, close } = openServerDatabase(world.databaseUrl ?? '', 1);
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
    let cast: Participants;
    beforeAll(async () => {
      cast = await createParticipants(world);
    });
    const near = (duber: TestUser, query: object = {}) =>
      duber.api.findDeliveriesNearby({ query: { addressId: firstAddressId(duber), ...query } });

    test('are found by where they are picked up, while they are pending', async () => {
      // The Bud is 300 m and the Scrub 1200 m to the north; the Duber stands on the Scrub.
      const order = await createOrderInStatus(cast, 'Completed');
      const duber = await world.createUser('Duber', { north: 1200 });
      const found = (await near(duber)).filter(({ delivery }) => delivery.orderId === order.id);
      expect(found.map((one) => [one.delivery.deliveryType, one.distanceMeters])).toEqual([
        ['Scrub_To_Bud', 0],
        ['Bud_To_Scrub', 900],
      ]);
      expect(found[0]).toMatchObject({ budId: cast.bud.user.id, scrubId: cast.scrub.user.id });
      const ids = async (query: object) => (await near(duber, query)).map(({ delivery }) => delivery.id);
      expect(await ids({ maxDistanceMeters: '899' })).toEqual([found[0]?.delivery.id]);
      expect(await ids({ maxDistanceMeters: '900' })).toHaveLength(2);
      await advanceDelivery(duber, findLegId(order, 'Scrub_To_Bud'), 1);
      expect(await ids({})).not.toContain(findLegId(order, 'Scrub_To_Bud'));
    });

    test('are looked for around the phone when it says where it is', async () => {
      const order = await createOrderInStatus(cast, 'Accepted');
      const duber = await world.createUser('Duber', { north: 40_000 });
      expect(await near(duber)).toEqual([]);
      const { latitude, longitude } = pointAt(1300, 0);
      const around = await near(duber, { latitude: String(latitude), longitude: String(longitude) });
      expect(around.find(({ delivery }) => delivery.orderId === order.id)?.distanceMeters).toBe(1000);
    });

    test('half a position is refused instead of being ignored', async () => {
      const path = `/deliveries/find-deliveries-nearby?addressId=${firstAddressId(cast.duber)}&latitude=24`;
      const { status, body } = await sendRequest(world.apiUrl, 'GET', path, { token: cast.duber.token });
      expect([status, body]).toMatchObject([400, { message: [{ property: 'longitude' }] }]);
    });

    test('and scrubs are looked for around one’s own address only', async () => {
      const { token } = cast.duber;
      const path = `/deliveries/find-deliveries-nearby?addressId=${firstAddressId(cast.scrub)}&latitude=24&longitude=67`;
      expect((await sendRequest(world.apiUrl, 'GET', path, { token })).status).toBe(404);
    });
  });
});

describe.each(DATABASE_KINDS)('dashboards on %s', (kind) => {
  let world: TestServer;
  let cast: Participants;
  beforeAll(async () => {
    world = await openTestServer(kind);
    cast = await createParticipants(world);
  });
  afterAll(() => world?.close());

  test('of new people are noughts, with exactly the fields of the spec', async () => {
    expect(await cast.bud.api.budDashboard()).toStrictEqual({
      totalScrubOrders: 0,
      totalSpent: 0,
      totalActiveScrubOrders: 0,
      totalCompletedScrubOrders: 0,
      latestScrubOrders: [],
    });
    expect(await cast.scrub.api.scrubDashboard()).toStrictEqual({
      totalEarning: 0,
      todayEarning: 0,
      totalActiveScrubOrders: 0,
      totalCompletedScrubOrders: 0,
      averageScrubOrdersRating: 0,
      latestJobs: [],
    });
    expect(await cast.duber.api.duberDashboard()).toStrictEqual({
      stats: { totalEarning: 0, totalDeliveries: 0, totalDelivered: 0, totalDistanceTraveled: 0 },
      latestDeliveries: [],
      pendingDeliveries: [],
      activeDelivery: null,
    });
  });

  test('count what happened', async () => {
    // From noon on, so that the day does not end in between.
    const now = world.now();
    world.advanceClock(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1, 12) - now.getTime());
    await createOrderInStatus(cast, 'Requested');
    await createOrderInStatus(cast, 'Cancelled');
    await createOrderInStatus(cast, 'Rejected');
    await createOrderInStatus(cast, 'Accepted', { loadSize: 'Small', selfDelivery: true });
    await createOrderInStatus(cast, 'In_Progress', { loadSize: 'Large', selfDelivery: true });
    const done = await createOrderInStatus(cast, 'Completed');
    await advanceDelivery(cast.duber, findLegId(done, 'Bud_To_Scrub'));
    await advanceDelivery(cast.duber, findLegId(done, 'Scrub_To_Bud'), 3);

    const bud = await cast.bud.api.budDashboard();
    expect(bud).toMatchObject({ totalScrubOrders: 6, totalActiveScrubOrders: 1, totalCompletedScrubOrders: 1 });
    // What was captured: a Small (11.93) and a Large (29.75) without the fetching, and a Medium.
    expect(bud.totalSpent).toBe(Math.round((11.93 + 29.75 + 26.83) * 100) / 100);
    expect(await cast.bud.api.totalSpending()).toEqual({ totalSpending: bud.totalSpent });
    expect(bud.latestScrubOrders[0]?.id).toBe(done.id);
    for (const latest of bud.latestScrubOrders) {
      expect(Object.keys(latest)).toEqual(['id', 'scrub', 'status', 'loadSize', 'createdAt', 'price']);
    }

    const scrub = await cast.scrub.api.scrubDashboard();
    expect(scrub).toMatchObject({ totalEarning: 12.5, todayEarning: 12.5 });
    expect(scrub).toMatchObject({ totalActiveScrubOrders: 1, totalCompletedScrubOrders: 1 });
    for (const latest of scrub.latestJobs) {
      expect(Object.keys(latest)).toEqual(['id', 'bud', 'status', 'loadSize', 'createdAt', 'scrubEarning']);
    }

    const duber = await cast.duber.api.duberDashboard();
    expect(duber.stats).toEqual({
      totalEarning: 5.99,
      totalDeliveries: 2,
      totalDelivered: 1,
      totalDistanceTraveled: 900,
    });
    expect(duber.activeDelivery).toMatchObject({ id: findLegId(done, 'Scrub_To_Bud'), status: 'Collected' });
    expect(duber.latestDeliveries).toHaveLength(2);

    world.advanceClock(24 * 60 * 60 * 1000);
    expect(await cast.scrub.api.scrubDashboard()).toMatchObject({ totalEarning: 12.5, todayEarning: 0 });
  });

  test('show the ten latest', async () => {
    for (let index = 0; index < 11; index += 1) await placeOrder(cast);
    expect((await cast.bud.api.budDashboard()).latestScrubOrders).toHaveLength(10);
    expect((await cast.scrub.api.scrubDashboard()).latestJobs).toHaveLength(10);
  });
});
