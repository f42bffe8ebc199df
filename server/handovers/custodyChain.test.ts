import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CallFailed } from '../../contract/callClient.ts';
import type { Custody } from '../../contract/handovers.ts';
import type { Order } from '../../contract/orders.ts';
import type { Role } from '../../domain/accounts.ts';
import { explained } from '../../testing/explained.ts';
import { createOperator } from '../../testing/operators.ts';
import {
  advanceDelivery,
  createOrderInStatus,
  createParticipants,
  DELIVERY_STEPS,
  findDeliveryId,
  type Participants,
} from '../../testing/orderSteps.ts';
import { traceOrder, withTraces } from '../../testing/orderTrace.ts';
import { createRandom } from '../../testing/random.ts';
import { openTestServer, RULE_DATABASES, type TestServer, type TestUser } from '../../testing/testServer.ts';
import { queryRows, transact } from '../db/database.ts';
import { takeBackHandover } from './recordHandover.ts';

const LIVES = 2;
const STEPS_OF_A_LIFE = 32;
const RACES = 4;

type Life = {
  readonly id: string;
  readonly dubers: readonly TestUser[];
  readonly isSelf: { selfDelivery: boolean; selfPickup: boolean };
};
type Seen = { readonly order: Order; readonly holder: Custody['holder'] };
/** What somebody tries, and who has the laundry after it succeeded; undefined when it says nothing about that. */
type Attempt = { readonly run: () => Promise<unknown>; readonly holder: string | undefined };

describe.each(RULE_DATABASES)('the chain of hand-overs on %s', (kind) => {
  let server: TestServer;
  let participants: Participants;

  beforeAll(async () => {
    server = await openTestServer(kind);
    participants = await createParticipants(server);
  });
  afterAll(() => server?.close());

  const tryTo = (run: () => Promise<unknown>) =>
    run().then(
      () => 'success' as const,
      (error: unknown) => {
        if (error instanceof CallFailed && error.statusCode < 500) return error.code ?? String(error.statusCode);
        throw error;
      },
    );

  /** Every hand-over whose giver is not the one who took before, on the whole server. */
  const findBrokenLinks = async () => {
    const { db } = server.server;
    const broken = await queryRows<{ what: string }>(
      db,
      sql`select format('hand-over %s of order %s', position, order_id) as what from (select h.*, coalesce(lag(h.taker_id) over w, o.bud_id) as holder,
          coalesce(lag(h.position) over w, 0) + 1 as expected
        from handovers h join orders o on o.id = h.order_id window w as (partition by h.order_id order by h.position)) h
        where h.giver_id <> h.holder or h.taker_id = h.giver_id or h.position <> h.expected`,
    );
    return withTraces(
      db,
      broken.map(({ what }) => what),
    );
  };

  async function beginLife(random: () => number): Promise<Life> {
    const isSelf = { selfDelivery: random() < 0.3, selfPickup: random() < 0.3 };
    const { id } = await createOrderInStatus(participants, 'Accepted', isSelf);
    const dubers = await Promise.all([1, 2].map(() => server.createUser('Duber', { east: 300 })));
    return { id, dubers, isSelf };
  }

  /** A random step by a random person. Most Dubers go on with what they have, so that laundry really moves. */
  function pickAttempt({ id, dubers, isSelf }: Life, { order, holder: before }: Seen, random: () => number): Attempt {
    const { bud, scrub } = participants;
    const params = { id };
    const choice = random();
    if (choice < 0.1) {
      const holder = isSelf.selfDelivery && before.role === 'Bud' ? scrub.user.id : undefined;
      return { run: () => scrub.api['start-order']({ params }), holder };
    }
    if (choice < 0.2) {
      const holder = isSelf.selfPickup && before.role === 'Scrub' ? bud.user.id : undefined;
      return { run: () => scrub.api['complete-order']({ params }), holder };
    }
    if (choice < 0.35) {
      const person = random() < 0.5 ? bud : scrub;
      return { run: () => person.api.confirmReceived({ params, body: { bags: 1 } }), holder: person.user.id };
    }
    const delivery = order.deliveries[Math.floor(random() * order.deliveries.length)];
    const duber = dubers.find(({ user }) => user.id === delivery?.duberId) ?? dubers[random() < 0.5 ? 0 : 1];
    if (!delivery || !duber) return { run: async () => {}, holder: undefined };
    const action = DELIVERY_STEPS[(delivery.statusHistory.length - 1) % DELIVERY_STEPS.length] ?? 'collected';
    const ends = { Bud_To_Scrub: scrub, Scrub_To_Bud: bud }[delivery.deliveryType];
    // Of laundry that has come to somebody in another way, it is only said late that it was delivered.
    const receiver = before.role === 'Duber' ? ends.user.id : undefined;
    const holders = { collected: duber.user.id, delivered: receiver } as Partial<
      Record<typeof action, string | undefined>
    >;
    return { run: () => duber.api[action]({ params: { id: delivery.id } }), holder: holders[action] };
  }

  /** Lives one life, `atOnce` steps at a time. Returns the roles that had the laundry. */
  async function live(random: () => number, atOnce: number): Promise<Set<Role>> {
    const lived = await beginLife(random);
    return explained(
      () => traceOrder(server.server.db, lived.id),
      () => takeSteps(lived, random, atOnce),
    );
  }

  async function takeSteps(lived: Life, random: () => number, atOnce: number): Promise<Set<Role>> {
    const params = { id: lived.id };
    const roles = new Set<Role>();
    let { holder } = await participants.bud.api.readCustody({ params });
    for (let step = 0; step < STEPS_OF_A_LIFE; step += atOnce) {
      const order = await participants.bud.api.readOrder({ params });
      const attempts = Array.from({ length: atOnce }, () => pickAttempt(lived, { order, holder }, random));
      const outcomes = await Promise.all(attempts.map(({ run }) => tryTo(run)));
      const claimed = attempts.filter((_, index) => outcomes[index] === 'success').flatMap((one) => one.holder ?? []);
      const custody = await participants.bud.api.readCustody({ params });
      expect(custody.holder.id).toBe(custody.handovers.at(-1)?.taker.id ?? participants.bud.user.id);
      if (atOnce === 1) expect(custody.holder.id).toBe(claimed[0] ?? holder.id);
      holder = custody.holder;
      roles.add(holder.role);
    }
    return roles;
  }

  test('leads to exactly one person at any time in random lives', async () => {
    const random = createRandom(20_260_611);
    const roles = new Set<Role>();
    for (let life = 0; life < LIVES; life += 1) for (const role of await live(random, 1)) roles.add(role);
    expect([...roles].toSorted()).toEqual(['Bud', 'Duber', 'Scrub']);
    expect(await findBrokenLinks()).toEqual([]);
  });

  test('leads to exactly one person at any time when several people step at once', async () => {
    const random = createRandom(20_260_612);
    for (let life = 0; life < LIVES; life += 1) await live(random, 4);
    expect(await findBrokenLinks()).toEqual([]);
  });

  test('has one link when the Duber and the Scrub press at once, and the Scrub has the laundry', async () => {
    const { duber, scrub } = participants;
    for (let race = 0; race < RACES; race += 1) {
      const order = await createOrderInStatus(participants, 'Accepted');
      const [params, delivery] = [{ id: order.id }, { id: findDeliveryId(order, 'Bud_To_Scrub') }];
      await advanceDelivery(duber, delivery.id, 4);
      const press = () => scrub.api.confirmReceived({ params, body: { bags: 2 } });
      const outcomes = await Promise.all([
        tryTo(() => duber.api.delivered({ params: delivery })),
        tryTo(press),
        tryTo(press),
      ]);
      expect(outcomes).toEqual(['success', 'success', 'success']);
      const { handovers, holder } = await scrub.api.readCustody({ params });
      expect(handovers.map(({ taker }) => taker.role)).toEqual(['Duber', 'Scrub']);
      expect(holder.role).toBe('Scrub');
    }
    expect(await findBrokenLinks()).toEqual([]);
  });

  test('has a link for each when two Dubers of one order take laundry at once', async () => {
    const { scrub } = participants;
    for (let race = 0; race < RACES; race += 1) {
      const params = { id: (await createOrderInStatus(participants, 'Completed')).id };
      const order = await scrub.api.readOrder({ params });
      const deliveries = [findDeliveryId(order, 'Bud_To_Scrub'), findDeliveryId(order, 'Scrub_To_Bud')];
      const dubers = await Promise.all(deliveries.map(() => server.createUser('Duber', { east: 300 })));
      await Promise.all(dubers.map((duber, index) => advanceDelivery(duber, deliveries[index] ?? '', 2)));
      const collect = dubers.map((duber, index) =>
        tryTo(() => duber.api.collected({ params: { id: deliveries[index] ?? '' } })),
      );
      expect(await Promise.all(collect)).toEqual(['success', 'success']);
      const { handovers } = await scrub.api.readCustody({ params });
      expect(handovers.map(({ position, giver }) => [position, giver.role])).toEqual([
        [1, 'Bud'],
        [2, 'Duber'],
      ]);
    }
    expect(await findBrokenLinks()).toEqual([]);
  });

  test('takes five wrong PINs and no more, also when they come at once', async () => {
    const order = await createOrderInStatus(participants, 'Accepted');
    const params = { id: findDeliveryId(order, 'Bud_To_Scrub') };
    const duber = await server.createUser('Duber', { east: 300 });
    await advanceDelivery(duber, params.id, 4);
    const { pin } = await participants.scrub.api.readCustody({ params: { id: order.id } });
    const wrong = `${(Number(pin?.[0]) + 1) % 10}${pin?.slice(1)}`;
    const tries = Array.from({ length: 12 }, () =>
      tryTo(() => duber.api.deliverWithProof({ params, body: { pin: wrong } })),
    );
    const outcomes = (await Promise.all(tries)).toSorted();
    expect(outcomes).toEqual([...Array(8).fill('pinBlocked'), ...Array(4).fill('wrongPin')]);
  });

  test('leads back when a step is taken back, unless the laundry has moved on', async () => {
    const { duber, scrub } = participants;
    const order = await createOrderInStatus(participants, 'Accepted');
    const delivery = { orderId: order.id, deliveryId: findDeliveryId(order, 'Bud_To_Scrub') };
    await advanceDelivery(duber, delivery.deliveryId);
    const takeBack = () => transact(server.server.db, (tx) => takeBackHandover(tx, delivery, server.now()));
    expect(await takeBack()).toMatchObject({ position: 3 });
    expect(await takeBack()).toBeUndefined();
    const { handovers, holder } = await scrub.api.readCustody({ params: { id: order.id } });
    expect(holder).toMatchObject({ role: 'Duber', id: duber.user.id });
    expect(handovers.at(-1)).toMatchObject({ takesBack: 2, giver: { role: 'Scrub' } });
    expect(await findBrokenLinks()).toEqual([]);
  });

  test('does not lead to the Bud when a Duber who accepted their own relayed delivery again takes “collected” back', async () => {
    const { scrub, bud } = participants;
    const duber = await server.createUser('Duber', { east: 300 });
    const { api: operator } = await createOperator(server);
    const order = await createOrderInStatus(participants, 'Accepted');
    const params = { id: findDeliveryId(order, 'Bud_To_Scrub') };
    await advanceDelivery(duber, params.id, 4);
    const place = { latitude: 24, longitude: 67.001 };
    await operator['delivery-relay']({ params, body: { why: 'breakdown', reason: 'A flat tyre', place } });
    await sql`update deliveries set left_by = null where id = ${params.id}`.execute(server.server.db);
    await advanceDelivery(duber, params.id, 3);
    await duber.api.correct({ params, body: {} });
    const { holder } = await bud.api.readCustody({ params: { id: order.id } });
    expect(holder).toMatchObject({ role: 'Duber', id: duber.user.id });
    await duber.api.collected({ params });
    await duber.api['way-to-drop']({ params });
    await duber.api.delivered({ params });
    expect((await scrub.api.readCustody({ params: { id: order.id } })).holder.role).toBe('Scrub');
    expect(await findBrokenLinks()).toEqual([]);
  });

  test('ends at the holder in the order, or nothing is stored', async () => {
    const { db } = server.server;
    const { bud, scrub } = participants;
    const { id } = await createOrderInStatus(participants, 'Accepted', { selfDelivery: true });
    const setHolder = (person: TestUser) =>
      sql`update orders set holder_role = ${person.user.role}, holder_id = ${person.user.id} where id = ${id}`.execute(
        db,
      );
    const addHandover = () =>
      sql`insert into handovers (order_id, position, round, giver_role, giver_id, taker_role, taker_id, proof, at)
        values (${id}, 1, 1, 'Bud', ${bud.user.id}, 'Scrub', ${scrub.user.id}, 'none', now())`.execute(db);
    await expect(setHolder(scrub)).rejects.toThrow(`order ${id} is held by Scrub`);
    await expect(addHandover()).rejects.toThrow(`order ${id} is held by Bud`);
    await scrub.api['start-order']({ params: { id } });
    await expect(setHolder(bud)).rejects.toThrow(/but was handed over last to Scrub/);
  });

  test('is never changed: a mistake is taken back by a link in the other direction', async () => {
    const { db } = server.server;
    for (const change of [
      sql`update handovers set bags = 1`,
      sql`delete from handovers`,
      sql`delete from handover_confirmations`,
    ]) {
      await expect(change.execute(db)).rejects.toThrow(/is never changed/);
    }
  });

  test('has a link from the Duber who has the laundry when two come to the Bud at once', async () => {
    const { bud, scrub } = participants;
    const order = await createOrderInStatus(participants, 'Accepted');
    const params = { id: order.id };
    const [finder, second] = await Promise.all([1, 2].map(() => server.createUser('Duber', { east: 300 })));
    if (!finder || !second) throw new Error('there are two Dubers');
    const there = { params: { id: findDeliveryId(order, 'Bud_To_Scrub') } };
    await advanceDelivery(finder, there.params.id, 3);
    await finder.api['report-lost']({ ...there, body: { words: 'The bag is gone.' } });
    await scrub.api['start-order']({ params });
    await scrub.api['complete-order']({ params });
    const back = { params: { id: findDeliveryId(await scrub.api.readOrder({ params }), 'Scrub_To_Bud') } };
    await advanceDelivery(second, back.params.id, 2);
    await finder.api['bring-back']({ ...there, body: {} });
    await second.api.collected(back);
    await second.api['way-to-drop'](back);
    expect((await bud.api.readCustody({ params })).canConfirm).toBe(true);
    const { holder, handovers } = await bud.api.confirmReceived({ params, body: { bags: 1 } });
    expect(holder.role).toBe('Bud');
    expect(handovers.at(-1)?.giver.id).toBe(second.user.id);
    expect(handovers.at(-1)?.deliveryId).toBe(back.params.id);
  });
});
