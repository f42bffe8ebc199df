import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../domain/durations.ts';
import { dayOf } from '../../domain/reconciledDays.ts';
import { QUEUE_LATE_AFTER_MS, WORK_QUEUES } from '../../domain/workQueues.ts';
import { createOperator, type TestOperator } from '../../testing/operators.ts';
import {
  advanceDelivery,
  createOrderInStatus,
  createParticipants,
  findDeliveryId,
  type Participants,
  placeOrder,
} from '../../testing/orderSteps.ts';
import { openTestServer, RULE_DATABASES, type TestServer } from '../../testing/testServer.ts';
import { writeSetting } from '../town/settings.sql.ts';
import { readTerms } from './search.ts';

const REASON = 'They have telephoned';

describe.each(RULE_DATABASES)('what the console finds, on %s', (kind) => {
  let testServer: TestServer;
  let people: Participants;
  const operator = (): Promise<TestOperator> => createOperator(testServer, { caps: ['see', 'dispatch'] });

  beforeAll(async () => {
    testServer = await openTestServer(kind, { isClockStopped: true });
    people = await createParticipants(testServer);
  });
  afterAll(() => testServer?.close());

  test('Today says what the server does in time, what is late since when, and what the books said last', async () => {
    const { api } = await operator();
    const { db } = testServer.server;
    const now = testServer.now();
    const dueAt = new Date(now.getTime() - QUEUE_LATE_AFTER_MS - MINUTE_MS);
    // A timer of a newer release: this one leaves it alone.
    const timer = { subject_kind: 'order', subject_id: people.bud.user.id, action: 'of-a-newer-release' } as const;
    await db
      .insertInto('timers')
      .values({ ...timer, due_at: dueAt, armed_by_step: 0 })
      .execute();
    const day = { day: dayOf(new Date(now.getTime() - DAY_MS)), state: 'equal' } as const;
    await db
      .insertInto('reconciled_days')
      .values({ ...day, checked_at: dueAt })
      .execute();
    const today = await api.readToday();
    expect(today.queues.map(({ queue }) => queue)).toEqual(WORK_QUEUES);
    expect(today.queues).toContainEqual({ queue: 'timers', length: 1, lateSince: dueAt.toISOString() });
    expect(today.queues).toContainEqual({ queue: 'refunds', length: 0, lateSince: null });
    expect(today.books).toEqual({ ...day, checkedAt: dueAt.toISOString() });
    expect(today.backupAt).toBeNull();
    await db.deleteFrom('timers').where('action', '=', timer.action).execute();
    expect((await api.readToday()).queues).toContainEqual({ queue: 'timers', length: 0, lateSince: null });
  });

  test('Today lists what waits for somebody, once it has waited long enough', async () => {
    const asked = await placeOrder(people);
    const { id, number, deliveries } = await createOrderInStatus(people, 'Accepted');
    const deliveryId = deliveries[0]?.id ?? '';
    const fresh = await (await operator()).api.readToday();
    for (const list of [
      'unanswered',
      'unclaimed',
      'silent',
      'stopped',
      'notStarted',
      'atRisk',
      'givenBack',
      'cases',
      'approvals',
    ] as const)
      expect(fresh[list], list).toEqual({ count: 0, items: [] });
    expect(fresh.counters).toMatchObject({ placed: 2, completed: 0, cancelled: 0, inProgress: 1 });
    expect(fresh.counters.money).toBeCloseTo(asked.price.totalPrice * 2);

    testServer.advanceClock(16 * MINUTE_MS);
    const [waiting] = (await (await operator()).api.readToday()).unclaimed.items;
    expect(waiting).toMatchObject({
      orderId: id,
      orderNumber: number,
      deliveryId,
      status: 'Pending',
      duber: null,
    });

    await advanceDelivery(people.duber, deliveryId, 1);
    testServer.advanceClock(21 * MINUTE_MS);
    const grace = await operator();
    expect(await grace.api.readToday()).toMatchObject({
      unclaimed: { count: 0 },
      silent: { count: 1, items: [{ deliveryId, status: 'Accepted', duber: 'Alan Duber' }] },
    });
    const map = await grace.api.readTownMap();
    expect(map.deliveries).toMatchObject([{ deliveryId, isShared: false }]);
    expect(map.scrubs).toMatchObject([{ id: people.scrub.user.id, fullname: 'Grace Scrub' }]);

    // The laundry comes to the Scrub, who does not start.
    for (const action of ['way-to-pickup', 'collected', 'way-to-drop', 'delivered'] as const)
      await people.duber.api[action]({ params: { id: deliveryId } });
    const started = await createOrderInStatus(people, 'Accepted');
    await advanceDelivery(people.duber, findDeliveryId(started, 'Bud_To_Scrub'));
    await people.scrub.api['start-order']({ params: { id: started.id } });
    testServer.advanceClock(4 * 60 * MINUTE_MS + MINUTE_MS);
    const late = await operator();
    expect(await late.api.readToday()).toMatchObject({
      silent: { count: 0 },
      unanswered: { count: 1, items: [{ orderId: asked.id, bud: 'Ada Bud', scrub: 'Grace Scrub' }] },
      notStarted: { count: 1, items: [{ orderId: id }] },
    });
    const cancel = { why: 'nobody-can', wayHome: 'fetch', reason: REASON } as const;
    for (const orderId of [asked.id, id]) {
      await late.api['order-cancel-by-operator']({ params: { id: orderId }, body: cancel });
    }
    expect(await late.api.readToday()).toMatchObject({ unanswered: { count: 0 }, notStarted: { count: 0 } });
  });

  test('Today lists deliveries that failed, with their case', async () => {
    const order = await createOrderInStatus(people, 'Accepted');
    const deliveryId = findDeliveryId(order, 'Bud_To_Scrub');
    await advanceDelivery(people.duber, deliveryId, 2);
    await people.duber.api['pickup-failed']({ params: { id: deliveryId }, body: { reason: 'unsafe' } });
    const { api } = await operator();
    expect(await api.readToday()).toMatchObject({
      stopped: { count: 1, items: [{ deliveryId, status: 'Failed' }] },
      cases: { count: 1, items: [{ kind: 'failed-pickup', orderId: order.id, orderNumber: order.number }] },
    });
    await api['delivery-re-offer']({ params: { id: deliveryId }, body: { why: 'asked', reason: REASON } });
    expect((await api.readToday()).stopped.count).toBe(0);
  });

  test("the figures begin with the town's local day", async () => {
    const grace = await createOperator(testServer);
    const before = (await grace.api.readToday()).counters;
    // Somewhere it is another day by now: one of these two days began less than 12 hours ago.
    const days = [];
    for (const timeZone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      const { server, now } = testServer;
      await writeSetting(server.db, { name: 'timeZone', value: timeZone, setBy: 'test', from: now() });
      days.push((await grace.api.readToday()).counters.since);
    }
    expect(new Set([...days, before.since]).size).toBeGreaterThanOrEqual(2);
    for (const since of days) {
      const age = testServer.now().getTime() - Date.parse(since);
      expect(age).toBeGreaterThanOrEqual(0);
      expect(age).toBeLessThan(24 * 60 * MINUTE_MS);
    }
    expect(days[0]).toMatch(/T10:00:00/);
    expect(days[1]).toMatch(/T11:00:00/);
  });

  test('one box finds an order, a case, a person and what belongs to them', async () => {
    const olga = await testServer.createUser('Bud', { fullname: 'Olga Vasquez-Smith', north: 400 });
    const order = await placeOrder({ bud: olga, scrub: people.scrub });
    const { api } = await operator();
    const search = async (q: string) =>
      (await api.searchTown({ query: { q } })).items.map(({ kind: what, title, by, words }) => ({
        what,
        title,
        by,
        words,
      }));
    const found = { what: 'order', title: order.number, words: order.number };
    const olgaFound = (by: string, words: string) => ({ what: 'person', title: 'Olga Vasquez-Smith', by, words });
    expect(await search(order.number)).toEqual([{ ...found, by: 'number' }]);
    expect(await search(order.number.toLowerCase().replace('-', ' '))).toMatchObject([
      { ...found, by: 'number', words: expect.anything() },
    ]);
    expect(await search(order.id.slice(-8).toUpperCase())).toMatchObject([
      { what: 'order', title: order.number, by: 'id' },
    ]);
    expect(await search(olga.user.id)).toMatchObject([
      { ...olgaFound('id', olga.user.id) },
      { what: 'order', by: 'person' },
    ]);
    // Each of the name's words, and several of them in any order, with the newest orders of who was found.
    for (const q of ['vasq', 'olga', 'SMITH olg'])
      expect(await search(q), q).toEqual([
        olgaFound('name', 'Olga Vasquez-Smith'),
        { what: 'order', title: order.number, by: 'person', words: 'Olga Vasquez-Smith' },
      ]);
    // How to reach somebody is not told, only what was typed.
    const { email } = olga.user;
    expect(await search(email.toUpperCase())).toContainEqual(olgaFound('e-mail', email.toUpperCase()));
    for (let length = 2; length < email.length; length += 1)
      expect((await search(email.slice(0, length))).filter(({ by }) => by === 'e-mail')).toEqual([]);
    const phone = olga.user.phone ?? '';
    const byPhone = async (q: string) => (await search(q)).filter(({ by }) => by === 'phone').length;
    for (const whole of [phone, phone.slice(1), phone.slice(-10)])
      expect(await byPhone(whole), whole).toBeGreaterThan(0);
    for (let length = 2; length < 8; length += 1) expect(await byPhone(phone.slice(-length))).toBe(0);
    expect(JSON.stringify(await api.searchTown({ query: { q: phone.slice(-6) } }))).not.toContain(phone);
    const street = olga.user.addresses[0]?.address ?? '';
    const byAddress = async (q: string) => (await search(q)).some(({ by }) => by === 'address');
    for (const whole of [street, street.split(',')[0]?.toUpperCase() ?? '']) expect(await byAddress(whole)).toBe(true);
    for (const part of ['heron', '12 heron', 'heron street', 'soapwick']) expect(await byAddress(part)).toBe(false);
    const { card } = (await api.readTownOrder({ params: { id: order.id } })).payment ?? {};
    expect(await search(card?.slice(-4) ?? '')).toContainEqual({ ...found, by: 'card', words: card?.slice(-4) });
    const [first] = (await api.readToday()).cases.items;
    expect(await search(first?.number ?? 'C-1')).toMatchObject([{ what: 'case', by: 'number', title: first?.number }]);
    for (const nothing of ['C-999999', 'R-99999999', 'zzzzqq', "'; drop", '%%', '__', '00000000'])
      expect(await search(nothing), nothing).toEqual([]);
  });

  test('a text that could be several things is looked for as each of them', () => {
    const terms = (text: string) =>
      Object.keys(Object.fromEntries(Object.entries(readTerms(text)).filter(([, term]) => term)));
    expect(terms('1042')).toEqual(['text', 'orderNumber', 'card']);
    expect(terms('12 Mason Ave')).toEqual(['text', 'street', 'words']);
    expect(terms('ada@ex')).toEqual(['text', 'email', 'words']);
    expect(terms('ada@')).toEqual(['text', 'words']);
    expect(terms("O'Neil & :* | !")).toEqual(['text', 'words']);
    expect(readTerms("O'Neil & :* | !").words).toBe("'o':* & 'neil':*");
    expect(readTerms('+1 (202) 555-0123').phone).toBe('12025550123');
    expect(readTerms('0202 5550123').phone).toBe('2025550123');
  });
});
