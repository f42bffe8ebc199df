import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Role } from '../../domain/accounts.ts';
import { HOUR_MS } from '../../domain/durations.ts';
import { MAX_PIN_TRIES } from '../../domain/handovers.ts';
import { type ChangedOrders, openChangedOrders } from '../../testing/changedOrders.ts';
import { RULE_DATABASES } from '../../testing/testServer.ts';
import { queryRow, queryRows, transact } from '../db/database.ts';
import { checkPin } from '../handovers/pins.ts';
import { runTimers } from '../jobs/timers.ts';
import { composeNotification } from '../notifications/composeNotification.ts';
import { CLEANING_AGAIN } from '../orders/reopenOrder.ts';
import { caseTimers } from './caseTimers.ts';
import { openCase } from './openCase.ts';

const DELIVERY = ['accept-delivery', 'way-to-pickup', 'collected', 'way-to-drop', 'delivered'] as const;

describe.each(RULE_DATABASES)('what nobody does is a case for the town, on %s', (kind) => {
  let orders: ChangedOrders;
  beforeAll(async () => {
    orders = await openChangedOrders(kind);
  });
  afterAll(() => orders?.close());

  const casesOf = (orderId: string) =>
    queryRows<{ id: string; kind: string; status: string; priority: string }>(
      orders.context.db,
      sql`select id, kind, status, priority from cases where order_id = ${orderId} order by no`,
    );
  /** Who gets a mail about a case, and its title. */
  const mailsAbout = async (orderId: string) => {
    const { db, now } = orders.context;
    const rows = await queryRows<{ role: Role; userId: string; about: string; createdAt: Date }>(
      db,
      sql`select u.role, u.id as "userId", n.about, n.created_at as "createdAt" from notifications n join users u on u.id = n.user_id
          join steps e on e.id = n.about join cases c on c.id = e.subject_id
        where c.order_id = ${orderId} and n.channel = 'mail' order by u.role`,
    );
    return Promise.all(
      rows.map(async ({ role, ...row }) => {
        const composed = await composeNotification(db, { kind: 'case', ...row } as never, role, now());
        return `${role}: ${'title' in composed ? composed.title : 'nothing'}`;
      }),
    );
  };
  const atScrub = async () => {
    const id = await orders.harness.createOrder('Accepted');
    await orders.carry(id, DELIVERY);
    return id;
  };
  const passAndRun = async (ms: number) => {
    orders.pass(ms);
    await orders.runTimers();
  };

  test('a Scrub who has not started is asked after 8 hours, once, and the town is reminded until it decides', async () => {
    const [id, started] = [await atScrub(), await atScrub()];
    await passAndRun(4 * HOUR_MS);
    await orders.press('start-order', started);
    await passAndRun(4 * HOUR_MS - 1_000);
    expect(await casesOf(id)).toEqual([]);
    await passAndRun(1_000);
    await passAndRun(HOUR_MS);
    expect(await casesOf(id)).toMatchObject([{ kind: 'scrub-silent', status: 'with-town', priority: 'normal' }]);
    expect(await casesOf(started)).toEqual([]);
    const title = 'The laundry is not started yet';
    expect(await mailsAbout(id)).toEqual([`Bud: ${title}`, `Scrub: ${title}`]);
    orders.pass(48 * HOUR_MS);
    await runTimers(orders.context, [caseTimers(CLEANING_AGAIN)]);
    expect(await casesOf(id)).toMatchObject([{ status: 'with-town', priority: 'high' }]);
    const timers = sql`select action from timers where subject_kind = 'case' and subject_id = ${(await casesOf(id))[0]?.id}`;
    expect(await queryRows(orders.context.db, timers)).toEqual([{ action: 'stale' }]);
    await orders.press('start-order', id);
    orders.pass(48 * HOUR_MS);
    await runTimers(orders.context, [caseTimers(CLEANING_AGAIN)]);
    expect(await casesOf(id)).toMatchObject([{ status: 'closed' }]);
  });

  test('a case whose matter is over is closed when it would become urgent, and one that needs a person becomes urgent', async () => {
    const [started, silent] = [await atScrub(), await atScrub()];
    await passAndRun(8 * HOUR_MS);
    await orders.press('start-order', started);
    const bags = await atScrub();
    const { db, now } = orders.context;
    await transact(db, (tx) => openCase(tx, { kind: 'handover', orderId: bags }, now()));
    orders.pass(48 * HOUR_MS);
    await runTimers(orders.context, [caseTimers(CLEANING_AGAIN)]);
    expect(await casesOf(started)).toMatchObject([{ status: 'closed', priority: 'normal' }]);
    expect(await casesOf(silent)).toMatchObject([{ status: 'with-town', priority: 'high' }]);
    expect(await casesOf(bags)).toMatchObject([{ status: 'with-town', priority: 'high' }]);
    const [last] = await queryRows<{ action: string; by: string }>(
      db,
      sql`select e.action, e.actor_role as by from steps e join cases c on c.id = e.subject_id
        where c.order_id = ${started} order by e.position desc limit 1`,
    );
    expect(last).toEqual({ action: 'close', by: 'System' });
    for (const id of [silent, bags]) await orders.press('start-order', id);
  });

  test('laundry that is late is a case, and the notice about late laundry is the only mail', async () => {
    const id = await atScrub();
    await orders.press('start-order', id);
    await passAndRun(48 * HOUR_MS);
    expect(await casesOf(id)).toMatchObject([{ kind: 'late', status: 'with-town' }]);
    expect(await orders.notices(id)).toEqual(expect.arrayContaining(['late Bud', 'late Scrub']));
    expect(await mailsAbout(id)).toEqual([]);
  });

  test('its people get a mail about bags that differ and a blocked PIN, which have no other notice', async () => {
    const [bags, pins] = [await atScrub(), await atScrub()];
    const { db, now } = orders.context;
    await transact(db, (tx) => openCase(tx, { kind: 'handover', orderId: bags }, now()));
    const delivery = await queryRow<{ id: string }>(db, sql`select id from deliveries where order_id = ${pins}`);
    const told = { orderId: pins, deliveryId: delivery?.id ?? '', side: 'Bud', pin: 'wrong' } as const;
    for (let tries = 0; tries < MAX_PIN_TRIES; tries += 1) await expect(checkPin(db, told, now())).rejects.toThrow();
    expect(await mailsAbout(bags)).toEqual(['Bud: The bags do not match', 'Scrub: The bags do not match']);
    const people = ['Bud', 'Duber', 'Scrub'];
    expect(await mailsAbout(pins)).toEqual(people.map((role) => `${role}: Five wrong PINs`));
  });
});
