import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Delivery } from '../../contract/deliveries.ts';
import { HOUR_MS } from '../../domain/durations.ts';
import { type ChangedOrders, openChangedOrders } from '../../testing/changedOrders.ts';
import { RULE_DATABASES } from '../../testing/testServer.ts';
import { queryRow } from '../db/database.ts';
import { parseSerializedJson } from '../db/json.sql.ts';
import { readDeliveryJson } from '../deliveries/deliveries.sql.ts';
import { readCustody } from '../handovers/custody.ts';
import { setPolicy } from '../town/policies.sql.ts';

const SECRET = 'This Bud never pays in time.';

describe.each(RULE_DATABASES)('what the next Scrub of an order reads, on %s', (kind) => {
  let orders: ChangedOrders;
  beforeAll(async () => {
    orders = await openChangedOrders(kind);
  });
  afterAll(() => orders?.close());

  test('is nothing of the Scrub and the Dubers before them', async () => {
    const id = await orders.harness.createOrder('Accepted');
    await orders.carry(id, ['accept-delivery', 'way-to-pickup']);
    await orders.change('give-back', id, { reason: 'other', words: SECRET });
    expect((await orders.readAsScrub(id))?.exceptions[0]).toMatchObject({ reason: 'other', words: SECRET });
    await orders.change('choose-scrub', id, { scrubId: orders.scrub(1).id });
    const order = await orders.readAsScrub(id, 1);
    expect(order).toMatchObject({ round: 2, deliveries: [] });
    expect(order?.exceptions[0]).toMatchObject({ action: 'give-back', reason: null, words: null });
    const { db } = orders.context;
    const delivery = await queryRow<{ id: string }>(db, sql`select id from deliveries where order_id = ${id}`);
    const read = async (caller: object): Promise<Delivery> => {
      const json = await readDeliveryJson(caller as never, delivery?.id ?? '', orders.context.now()).run(db);
      return parseSerializedJson(json as never);
    };
    expect(await read(orders.bud)).toMatchObject({ duberId: orders.duber().id, duber: { id: orders.duber().id } });
    expect(await read(orders.scrub(1))).toMatchObject({ duberId: null, duber: null });
    // What happens from now on is theirs to read.
    await orders.press('accept-order', id, 1);
    await orders.carry(id, ['accept-delivery'], { round: 2 });
    const accepted = await orders.readAsScrub(id, 1);
    expect(accepted?.deliveries.map(({ duberId }) => duberId)).toEqual([orders.duber().id]);
    await orders.change('give-back', id, { reason: 'other', words: 'My machine leaks.' }, orders.scrub(1));
    expect((await orders.readAsScrub(id, 1))?.exceptions.map(({ words }) => words)).toEqual([
      null,
      null,
      'My machine leaks.',
    ]);
  });
});

describe.each(RULE_DATABASES)('careful: an order that was called off, on %s', (kind) => {
  let orders: ChangedOrders;
  beforeAll(async () => {
    orders = await openChangedOrders(kind);
    const { db, now } = orders.context;
    await setPolicy(db, { name: 'privacy', value: 'careful', setBy: 'a test' }, now());
  });
  afterAll(() => orders?.close());

  test('shows the contacts of its Duber for seven days', async () => {
    const id = await orders.harness.createOrder('Accepted');
    await orders.carry(id, ['accept-delivery', 'way-to-pickup']);
    await orders.change('cancel-accepted', id, { reason: 'changed-mind' });
    const seen = async () => (await orders.readAsScrub(id))?.deliveries[0]?.duber?.email;
    orders.pass(7 * 24 * HOUR_MS - 1);
    expect(await seen()).toEqual(expect.any(String));
    orders.pass(1);
    expect(await seen()).toBeNull();
  });

  test('shows the full name of its Bud nowhere, as before its acceptance', async () => {
    const { db, now } = orders.context;
    await sql`update users set fullname = 'Ada Lovelace' where id = ${orders.bud.id}`.execute(db);
    const nameIn = async (id: string, caller: object) =>
      (await readCustody(db, caller as never, id, now())).holder.fullname;
    const requested = await orders.place({});
    const accepted = await orders.harness.createOrder('Accepted');
    const cancelled = await orders.harness.createOrder('Accepted');
    await orders.change('cancel-accepted', cancelled, { reason: 'changed-mind' });
    expect(await nameIn(requested, orders.scrub())).toBe('Ada L.');
    expect(await nameIn(cancelled, orders.scrub())).toBe('Ada L.');
    expect(await nameIn(accepted, orders.scrub())).toBe('Ada Lovelace');
    expect(await nameIn(requested, orders.bud)).toBe('Ada Lovelace');
  });
});
