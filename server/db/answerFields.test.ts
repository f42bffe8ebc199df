import fc from 'fast-check';
import { type CompiledQuery, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fieldTree } from '../../contract/answerFields.ts';
import { API, type CallName } from '../../contract/api.ts';
import { buildUrl } from '../../contract/callClient.ts';
import { DELIVERY_LIST } from '../../contract/deliveries.ts';
import { ITEM_FIELDS, type ListQuery, listQuery } from '../../contract/lists.ts';
import { ORDER_LIST } from '../../contract/orders.ts';
import { BUD_ORDER_FIELDS } from '../../contract/screenFields.ts';
import type { Caller, Role } from '../../domain/accounts.ts';
import { expectMatchesContract, sendRequest } from '../../testing/checkedClient.ts';
import { allFieldsOf, answerPathsOf, FIELDS_OF_CALLS } from '../../testing/fieldSets.ts';
import {
  advanceDelivery,
  createOrderInStatus,
  createParticipants,
  findDeliveryId,
  firstAddressId,
  type Participants,
  REVIEW,
} from '../../testing/orderSteps.ts';
import { partialValue, pathsOf } from '../../testing/partialSchema.ts';
import { propertyRuns } from '../../testing/propertyRuns.ts';
import { DATABASE_KINDS, openTestServer, type TestServer, type TestUser } from '../../testing/testServer.ts';
import { participantWithRole } from '../../testing/validCall.ts';
import { deliveryJoins } from '../deliveries/deliveries.sql.ts';
import { listOrders } from '../orders/orders.sql.ts';
import { deliveryProperties, joinSharedColumns, orderProperties } from '../visibility/visibility.sql.ts';
import { RARE_STATEMENT } from './client.ts';
import { queryRow } from './database.ts';
import { type Json, object, pickJson, toSql } from './json.sql.ts';
import type { Viewer } from './lists.sql.ts';

const CALLS = Object.entries(FIELDS_OF_CALLS).map(([name, fields]) => ({ name: name as CallName, ...fields }));

const ON_REQUEST = [
  ...['ratingCount', 'openOrders', 'openJobs', 'carriedDeliveries', 'aheadDeliveries', 'heldBy'],
  ...['situation', 'way', 'delay', 'isCleanedAgain', 'givenBackUntil', 'arrivedAt', 'reOffers'],
];

/** Sets of a few fields, often nested ones. */
const setsOf = (paths: string[]) => fc.subarray(paths, { minLength: 1, maxLength: 8 });

describe.each(DATABASE_KINDS)('answers with some of their fields, on %s', (kind) => {
  let server: TestServer;
  let participants: Participants;
  let orderIds: string[];
  let deliveryIds: string[];

  beforeAll(async () => {
    server = await openTestServer(kind);
    participants = await createParticipants(server);
    const { bud, scrub, duber } = participants;
    const done = await createOrderInStatus(participants, 'Completed', { orderInstructions: 'Cold wash,\n"please".' });
    const params = { id: done.id };
    await bud.api.reviewToScrub({ params, body: { ...REVIEW, scrubId: scrub.user.id } });
    const delivery = findDeliveryId(done, 'Bud_To_Scrub');
    await advanceDelivery(duber, delivery);
    const review = { ...REVIEW, duberId: duber.user.id };
    await scrub.api.reviewToDuber({ params: { id: delivery }, body: review });
    const cancelled = await createOrderInStatus(participants, 'Cancelled');
    const accepted = await createOrderInStatus(participants, 'Accepted');
    const active = findDeliveryId(accepted, 'Bud_To_Scrub');
    await advanceDelivery(duber, active, 2);
    const waiting = await createOrderInStatus(participants, 'Accepted');
    orderIds = [done.id, cancelled.id, accepted.id];
    deliveryIds = [delivery, active, findDeliveryId(waiting, 'Bud_To_Scrub')];
  });
  afterAll(() => server?.close());

  describe.each(CALLS)('$name', ({ name, owner, screenSets }) => {
    const call = API[name];

    const ask = (someone: TestUser, fields: readonly string[] = []) => {
      const place = name.startsWith('find') ? { addressId: firstAddressId(someone), maxDistanceMeters: '5000' } : {};
      const query = fields.length > 0 ? { ...place, fields } : place;
      return sendRequest(server.apiUrl, call.method, buildUrl(call, { query }), { token: someone.token });
    };

    test('has the fields that are asked for as the whole answer has them, and no others', async () => {
      for (const role of call.who as readonly Role[]) {
        const someone = participantWithRole(participants, role);
        const whole = await ask(someone, allFieldsOf(owner));
        expectMatchesContract(name, whole.body, allFieldsOf(owner));
        const expectFields = async (fields: readonly string[]) => {
          const { status, body } = await ask(someone, fields);
          expect(status, JSON.stringify(body)).toBe(200);
          expectMatchesContract(name, body, fields);
          expect(body).toEqual(partialValue(whole.body, answerPathsOf(name, fields)));
          expect(JSON.stringify(body).length).toBeLessThanOrEqual(JSON.stringify(whole.body).length);
        };
        for (const fields of screenSets) await expectFields(fields);
        await fc.assert(fc.asyncProperty(setsOf(pathsOf(owner)), expectFields), propertyRuns(20));
      }
    });

    test('has by default everything but the optional fields', async () => {
      for (const role of call.who as readonly Role[]) {
        const someone = participantWithRole(participants, role);
        const { body } = await ask(someone);
        expectMatchesContract(name, body);
        const whole = await ask(someone, allFieldsOf(owner));
        const kept = allFieldsOf(owner).filter((field) => !ON_REQUEST.includes(field));
        expect(body).toEqual(partialValue(whole.body, answerPathsOf(name, kept)));
      }
    });

    test('refuses an unknown field by its name', async () => {
      const [role] = call.who as readonly Role[];
      const { status, body } = await ask(participantWithRole(participants, role ?? 'Bud'), ['password_hash']);
      expect(status).toBe(400);
      expect(body.message[0].property).toBe('fields');
      expect(body.message[0].constraints.isIn).toContain('fields has no "password_hash": it may name ');
    });
  });

  /** The answer for a viewer, picked by the database, and the whole one. */
  async function expectPickedAlike(
    viewer: Viewer,
    json: Json<object>,
    from: ReturnType<typeof sql>,
    fields: ReturnType<typeof fieldTree>,
    paths: readonly string[],
  ): Promise<void> {
    const read = async (one: Json<object>) => {
      const row = await queryRow<{ json: string }>(server.server.db, sql`select ${toSql(one)} as json from ${from}`);
      return JSON.parse(row?.json ?? 'null');
    };
    const whole = await read(json);
    expect(whole, viewer.role).not.toBeNull();
    expect(await read(pickJson(json, fields))).toEqual(partialValue(whole, paths));
  }

  const viewers = (['Bud', 'Scrub', 'Duber'] as const).flatMap((role) =>
    [false, true].map((isCareful) => ({ role, isCareful })),
  );

  test.each(viewers)('the database picks any fields as $role sees them (careful: $isCareful)', async (who) => {
    const { user } = participantWithRole(participants, who.role);
    const viewer: Viewer = { ...who, id: sql`${user.id}`, now: sql`${server.now()}` };
    const { item: delivery } = DELIVERY_LIST;
    await fc.assert(
      fc.asyncProperty(setsOf(pathsOf(delivery)), fc.constantFrom(...deliveryIds), async (paths, id) => {
        const from = sql`deliveries d ${deliveryJoins(viewer)} where d.id = ${id}`;
        await expectPickedAlike(viewer, object(deliveryProperties(viewer)), from, fieldTree(delivery, paths), paths);
      }),
      propertyRuns(15),
    );
    if (who.role === 'Duber') return;
    const { item: order } = ORDER_LIST;
    await fc.assert(
      fc.asyncProperty(setsOf(pathsOf(order)), fc.constantFrom(...orderIds), async (paths, id) => {
        const from = sql`orders o ${joinSharedColumns(viewer)} where o.id = ${id}`;
        await expectPickedAlike(viewer, object(orderProperties(viewer)), from, fieldTree(order, paths), paths);
      }),
      propertyRuns(15),
    );
  });
});

test('each set of fields has a statement without the other fields, and those that no screen asks for are marked as rare', async () => {
  const statements: string[] = [];
  const executor = {
    executeQuery: async <Row>({ sql: text }: CompiledQuery) => {
      statements.push(text);
      return { rows: [{ json: '{"data":{"items":[]}}', applies: true } as Row] };
    },
  };
  const bud = { role: 'Bud', id: '0192f0c1-7a3b-7c4d-8e5f-0123456789ab' } as Extract<Caller, { role: 'Bud' }>;
  const page = listQuery(ORDER_LIST).parse({}) as ListQuery;
  const ask = async (fields: readonly string[]) => {
    const tree = fieldTree(ORDER_LIST.item, fields, ITEM_FIELDS);
    await listOrders(bud, { ...page, fields: tree }, new Date()).run(executor);
    return statements.at(-1) ?? '';
  };
  const [rare, whole, ofScreen] = [
    await ask(['loadSize', 'scrub.fullname']),
    await ask([]),
    await ask(BUD_ORDER_FIELDS),
  ];
  expect(rare).toContain('loadSize');
  expect(rare).not.toContain('statusHistory');
  expect([rare, whole, ofScreen].map((text) => text.startsWith(RARE_STATEMENT))).toEqual([true, false, false]);
});
