import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ActName, OPERATOR_API } from '../../contract/operator/api.ts';
import type { OperatorCall } from '../../contract/operator/call.ts';
import { createClaimForTown } from '../../testing/caseCalls.ts';
import { expectFailure } from '../../testing/checkedClient.ts';
import { createOperator, type TestOperator } from '../../testing/operators.ts';
import {
  advanceDelivery,
  createOrderInStatus,
  createParticipants,
  findDeliveryId,
  type Participants,
} from '../../testing/orderSteps.ts';
import { sendPhoto } from '../../testing/sentPhotos.ts';
import { openTestServer, pointAt, RULE_DATABASES, type TestServer } from '../../testing/testServer.ts';
import { waitFor } from '../../testing/waits.ts';
import { queryRow, queryRows } from '../db/database.ts';

const REASON = 'They have telephoned';
const ALL_ACTS = (Object.entries(OPERATOR_API) as [ActName, OperatorCall][]).filter(([, { act }]) => act);

/** What of each act is sent, and whether it moves money then. An act without a scenario is sent as its example. */
type Scenario = {
  readonly moves: boolean;
  readonly prepare: () => Promise<{ id: string; body?: object }>;
};

describe.each(RULE_DATABASES)('the money that acts move, on %s', (kind) => {
  let testServer: TestServer;
  let people: Participants;

  beforeAll(async () => {
    testServer = await openTestServer(kind);
    people = await createParticipants(testServer);
    // Somebody else could approve.
    await createOperator(testServer);
  });
  afterAll(() => testServer?.close());

  const db = () => testServer.server.db;
  const charged = async (steps = 0) => {
    const order = await createOrderInStatus(people, 'Accepted');
    const isCharged = sql`select order_id from payments where order_id = ${order.id} and state = 'captured'`;
    await waitFor(async () => expect(await queryRow(db(), isCharged)).toBeDefined());
    const deliveryId = findDeliveryId(order, 'Bud_To_Scrub');
    // A Duber has one delivery at a time.
    if (steps > 0) people = { ...people, duber: await testServer.createUser('Duber', { east: 500 }) };
    if (steps > 0) await advanceDelivery(people.duber, deliveryId, steps);
    return { id: order.id, deliveryId };
  };
  const done = async () => {
    const { id } = await createOrderInStatus(people, 'Completed');
    const { deliveries } = await people.scrub.api.readOrder({ params: { id } });
    for (const delivery of deliveries) await advanceDelivery(people.duber, delivery.id);
    return { id };
  };
  const way = async (steps: number, more: object = {}) => ({ id: (await charged(steps)).deliveryId, ...more });
  const failed = async () => {
    const delivery = await way(4);
    await people.duber.api['drop-failed']({ params: delivery, body: { reason: 'unsafe' } });
    return delivery;
  };
  /** A trip for nothing, which the order has paid. */
  const wasted = async () => {
    const delivery = await way(2);
    await people.duber.api['arrived-at-pickup']({ params: delivery, body: { place: pointAt(300, 0) } });
    testServer.advanceClock(30 * 60_000);
    const fileIds = [await sendPhoto(people.duber)];
    await people.duber.api['pickup-failed']({ params: delivery, body: { reason: 'nobody-home', fileIds } });
    return delivery;
  };

  const SCENARIOS: Partial<Record<ActName, Scenario>> = {
    'order-cancel-by-operator': { moves: true, prepare: () => charged() },
    'order-give-back': { moves: true, prepare: () => charged(2) },
    'order-reopen': { moves: true, prepare: done },
    'delivery-take-off': { moves: false, prepare: () => way(1) },
    'delivery-bring-back': { moves: false, prepare: failed },
    'delivery-brought-back': {
      moves: true,
      prepare: async () => {
        const delivery = await failed();
        await people.duber.api['bring-back']({ params: delivery });
        return delivery;
      },
    },
    'delivery-mark-delivered': { moves: true, prepare: () => way(4) },
    'delivery-re-offer': { moves: true, prepare: wasted },
    'delivery-relay': {
      moves: true,
      prepare: () => way(4, { body: { why: 'breakdown', place: pointAt(700, 0) } }),
    },
    'delivery-call-off': { moves: true, prepare: () => way(2) },
    'delivery-correct': { moves: false, prepare: () => way(5) },
    'delivery-report-lost': { moves: false, prepare: () => way(4) },
    refundOrder: { moves: true, prepare: async () => ({ ...(await charged()), body: { amount: 7, liable: 'scrub' } }) },
    decideCase: {
      moves: true,
      prepare: async () => {
        const id = await createClaimForTown({ testServer, participants: people });
        return { id, body: { items: [{ n: 1, amount: 3, liable: 'scrub' }], words: 'Agreed.' } };
      },
    },
    suspend: {
      moves: true,
      prepare: async () => {
        const bud = await testServer.createUser('Bud', { north: 320 });
        const order = await createOrderInStatus({ ...people, bud }, 'Accepted');
        const isCharged = sql`select order_id from payments where order_id = ${order.id} and state = 'captured'`;
        await waitFor(async () => expect(await queryRow(db(), isCharged)).toBeDefined());
        const choices = [{ kind: 'order', id: order.id, choice: 'cancel' }];
        return { id: bud.user.id, body: { signIn: false, choices } };
      },
    },
  };

  /** What everybody has, by what they have it of: workers of each order, cards, and what the platform will pay. */
  const readMoney = async () => {
    const rows = await queryRows<{ what: string; cents: number }>(
      db(),
      sql`select e.order_id || ' ' || l.party as what, -sum(l.amount)::int as cents
          from ledger_lines l join ledger_entries e on e.id = l.entry_id
          where l.account in ('scrub', 'duber') and e.kind <> 'refunded' group by e.order_id, l.party
        union all select 'card ' || id, amount from refunds where state <> 'dropped'
        union all select 'way ' || d.id || d.attempt, d.price from deliveries d where d.paid_by = 'platform' and d.status <> 'Delivered'
        union all select 'way again ' || d.id, d.price + p.from_order - w.cents from deliveries d
          join order_lines w on w.order_id = d.order_id and w.item = 'pickup' join earnings p on p.delivery_id = d.id and p.kind = 'trip' where d.status = 'Pending'
        union all select 'promo ' || id, max_uses * case when kind = 'amount' then value else max_discount end from promos
        union all select 'way back ' || o.id, w.cents from orders o join order_lines w on w.order_id = o.id and w.item = 'delivery'
          where o.ways_paid_by = 'platform' and o.status in ('Accepted', 'In_Progress')`,
    );
    return new Map(rows.map(({ what, cents }) => [what, cents]));
  };
  const movedAlone = async ({ session }: TestOperator) => {
    const sum = sql`select coalesce(sum(cents), 0)::int as cents from audit
      where operator_id = ${session.operator.id} and approval_id is null`;
    return (await queryRow<{ cents: number }>(db(), sum))?.cents;
  };
  const send = ({ api }: TestOperator, name: ActName, { id, body }: { id: string; body?: object }) => {
    const act = api[name] as unknown as (input: object) => Promise<{ approvalId: string | null }>;
    const { example }: OperatorCall = OPERATOR_API[name];
    return act({ params: { id }, body: { ...example?.body, reason: REASON, ...body } });
  };

  test('an operator cancels charged orders alone up to the limit of a day, and asks above it', async () => {
    const ada = await createOperator(testServer, { caps: ['see', 'dispatch'] });
    const answers: boolean[] = [];
    let last = { id: '' };
    for (let n = 0; n < 6; n += 1) {
      last = await charged();
      answers.push((await send(ada, 'order-cancel-by-operator', last)).approvalId === null);
    }
    expect(answers).toEqual([true, true, true, true, true, false]);
    const { status } = await ada.api.readTownOrder({ params: { id: last.id } });
    expect(status, 'what waits is not done').toBe('Accepted');
    const refunds = sql`select id from refunds where order_id = ${last.id}`;
    expect(await queryRows(db(), refunds)).toEqual([]);
    const again = await expectFailure(send(ada, 'order-cancel-by-operator', last));
    expect(again.message).toBe('This waits for another operator already');
  });

  test('ways that the platform pays count towards the limit of their order, and a second operator may agree', async () => {
    const [ada, grace] = [await createOperator(testServer), await createOperator(testServer)];
    const { id } = await done();
    const again = async () => {
      const answer = await send(ada, 'order-reopen', { id });
      if (answer.approvalId !== null) return answer;
      const { deliveries } = await people.scrub.api.readOrder({ params: { id } });
      const open = deliveries.find(({ status }) => status === 'Pending');
      await advanceDelivery(people.duber, open?.id ?? '');
      await people.scrub.api['complete-order']({ params: { id } });
      const { deliveries: both } = await people.scrub.api.readOrder({ params: { id } });
      await advanceDelivery(people.duber, both.find(({ status }) => status === 'Pending')?.id ?? '');
      return answer;
    };
    expect([await again(), await again()]).toEqual([{ approvalId: null }, { approvalId: null }]);
    const { approvalId } = await again();
    const approvals = sql`select action, cents from approvals where id = ${approvalId}`;
    expect(await queryRow(db(), approvals)).toEqual({ action: 'order-reopen', cents: 1198 });
    await grace.api.approve({ params: { id: approvalId ?? '' }, body: { reason: 'I agree' } });
    const { status, audit } = await grace.api.readTownOrder({ params: { id } });
    expect(status).toBe('In_Progress');
    expect(audit.at(0)).toMatchObject({
      action: 'order-reopen',
      amount: 11.98,
      approvedBy: { id: grace.session.operator.id },
    });
  });

  test('an act that moves money needs a new code, and the same act without money does not', async () => {
    const ada = await createOperator(testServer, { caps: ['see', 'dispatch'] });
    const [one, other] = [await charged(), await way(1)];
    testServer.advanceClock(16 * 60_000);
    const refused = await expectFailure(send(ada, 'order-cancel-by-operator', one));
    expect(refused).toMatchObject({ status: 403, message: 'Enter a new code of your authenticator app first' });
    expect((await ada.api.readTownOrder({ params: { id: one.id } })).status).toBe('Accepted');
    expect(await send(ada, 'delivery-take-off', other)).toEqual({ approvalId: null });
    await ada.api.enterCode({ body: { code: ada.nextCode() } });
    expect(await send(ada, 'order-cancel-by-operator', one)).toEqual({ approvalId: null });
  });

  test('an approved act is not done when it would move more money by then', async () => {
    const [ada, grace] = [await createOperator(testServer), await createOperator(testServer)];
    const order = await createOrderInStatus(people, 'Accepted', { loadSize: 'Large' });
    const isCharged = sql`select order_id from payments where order_id = ${order.id} and state = 'captured'`;
    await waitFor(async () => expect(await queryRow(db(), isCharged)).toBeDefined());
    const { approvalId } = await send(ada, 'order-cancel-by-operator', { id: order.id });
    expect(approvalId).not.toBeNull();
    // As if a refund that lay in between had been dropped since.
    await queryRow(db(), sql`update approvals set cents = cents - 1 where id = ${approvalId}`);
    const approve = grace.api.approve({ params: { id: approvalId ?? '' }, body: { reason: 'I agree' } });
    expect((await expectFailure(approve)).message).toBe(
      'It would move more money now than what was asked for. Ask for it again',
    );
    expect((await ada.api.readTownOrder({ params: { id: order.id } })).status).toBe('Accepted');
  });

  // Those with a scenario first: others pause the town.
  const acts = ALL_ACTS.toSorted(([one], [other]) => Number(other in SCENARIOS) - Number(one in SCENARIOS));
  test.each(acts)('%s moves what its row in the audit says', async (name, call) => {
    const scenario = SCENARIOS[name];
    const input = (await scenario?.prepare()) ?? {
      id: (call.example?.params as { id?: string } | undefined)?.id ?? '',
    };
    const operator = await createOperator(testServer);
    const before = await readMoney();
    const answer = await send(operator, name, input).catch((error: unknown) => error);
    if (scenario) expect(answer).toEqual({ approvalId: null });
    const after = await readMoney();
    const gained = [...after].map(([what, cents]) => Math.max(0, cents - (before.get(what) ?? 0)));
    const moved = gained.reduce((sum, cents) => sum + cents, 0);
    if (scenario) expect(moved > 0, `whether ${name} moves money here`).toBe(scenario.moves);
    expect(await movedAlone(operator)).toBe(moved);
  });
});
