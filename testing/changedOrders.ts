import { sql } from 'kysely';
import type { OrderExceptionAnswer } from '../contract/exceptions.ts';
import type { Order } from '../contract/orders.ts';
import type { OtherWindows, ProposalOfMail } from '../contract/proposals.ts';
import type { DeliveryAction } from '../domain/deliveries.ts';
import type { OrderAction, OrderExceptionAction, OrderExceptionTimer, OrderTimer } from '../domain/orders.ts';
import { queryRow, queryRows } from '../server/db/database.ts';
import { parseSerializedJson } from '../server/db/json.sql.ts';
import { deliveryHandlers } from '../server/deliveries/deliveries.ts';
import { runTimers } from '../server/jobs/timers.ts';
import { createProposalToken } from '../server/notifications/proposalLinks.ts';
import { readCancellation } from '../server/orders/cancellation.ts';
import { readOrderJson } from '../server/orders/orders.sql.ts';
import { orderHandlers } from '../server/orders/orders.ts';
import { ORDER_TIMERS } from '../server/orders/orderTimers.ts';
import { proposalHandlers } from '../server/orders/proposals.ts';
import { takeOrderStep } from '../server/orders/steps.ts';
import { CardNetworkUnavailableError, type Cards } from '../server/payments/card/cards.ts';
import { findAuditProblems } from '../server/payments/ledger/audit.sql.ts';
import { createAcceptingCards, openPaymentHarness, type PaymentHarness } from './paymentHarness.ts';
import type { DatabaseKind } from './testServer.ts';

export type ChangedOrders = ReturnType<typeof wrap>;
type Answering = 'answers' | 'silent' | 'loses answers';

/** A card network that counts what it charged and gave back, and whose answers to captures can be lost. */
function createCountingCards() {
  const charged = new Map<string, number>();
  const state = { captures: 'answers' as Answering, captured: 0 };
  const accepting = createAcceptingCards();
  const cards: Cards = {
    ...accepting,
    capture: async (payment) => {
      if (state.captures === 'silent') throw new CardNetworkUnavailableError('no answer');
      // A capture that is asked for again answers what it did before.
      if (!charged.has(payment.orderId)) charged.set(payment.orderId, payment.amount);
      state.captured += 1;
      if (state.captures === 'loses answers') throw new CardNetworkUnavailableError('the answer is lost');
      return accepting.capture(payment);
    },
    refund: async (refund) => {
      const orderId = refund.squareId.replace('sq-', '');
      charged.set(orderId, (charged.get(orderId) ?? 0) - refund.amount);
      return accepting.refund(refund);
    },
  };
  return { cards, charged, state };
}

/** Orders whose people change their mind: what they press, the clocks, and what the card and the ledger have at the end. */
export async function openChangedOrders(kind: DatabaseKind) {
  const network = createCountingCards();
  return wrap(await openPaymentHarness(kind, network.cards), network);
}

const LINK_KEYS = { linkSecret: 'a-secret', vapid: { publicKey: '', privateKey: '' } };

function wrap(harness: PaymentHarness, { charged, state }: ReturnType<typeof createCountingCards>) {
  const { context, users } = harness;
  const { db } = context;
  const person = <T>(people: readonly T[], index: number): T => people[index] as T;
  const start = Date.parse('2026-11-18T12:00:00Z');
  let clock = start;
  return {
    harness,
    context,
    network: state,
    bud: person(users.buds, 0),
    scrub: (index = 0) => person(users.scrubs, index),
    duber: (index = 0) => person(users.dubers, index),
    close: () => harness.close(),
    pass(ms: number) {
      clock += ms;
      harness.setClock(new Date(clock).toISOString());
    },
    /** Leaves a clock behind that a step should have ended, and that is due. */
    leaveClock: (id: string, action: OrderTimer | OrderExceptionTimer) =>
      queryRows(
        db,
        sql`insert into timers (subject_kind, subject_id, action, due_at, armed_by_step)
          values ('order', ${id}, ${action}, ${context.now()}, 0)
          on conflict (subject_id, action) do update set due_at = excluded.due_at`,
      ),
    runTimers: () => runTimers(context, [ORDER_TIMERS]),
    runPayments: () => harness.runPaymentJobs(),

    place: (more: object) => harness.createOrder('Requested', more),
    /** A step of the good day. */
    press: (action: OrderAction, id: string, scrubIndex = 0) => {
      const caller = action === 'cancel-order' ? person(users.buds, 0) : person(users.scrubs, scrubIndex);
      return orderHandlers(context)[action]({ caller, params: { id } } as never);
    },
    /** A Duber takes steps of the newest delivery of a round, or of the way to the Scrub. */
    carry: async (
      orderId: string,
      steps: readonly DeliveryAction[],
      { round = 1, duber = 0, isOutbound = false } = {},
    ) => {
      const delivery = await queryRow<{ id: string }>(
        db,
        sql`select id from deliveries where order_id = ${orderId} and round = ${round}
            and (delivery_type = 'Bud_To_Scrub' or not ${isOutbound}::boolean)
          order by created_at desc, id desc limit 1`,
      );
      for (const step of steps)
        await deliveryHandlers(context)[step]({ caller: person(users.dubers, duber), params: delivery } as never);
    },
    change: (
      action: OrderExceptionAction,
      id: string,
      body: object = {},
      actor: object = action === 'give-back' || action === 'propose-window'
        ? person(users.scrubs, 0)
        : person(users.buds, 0),
    ): Promise<OrderExceptionAnswer> =>
      takeOrderStep(context, actor as never, { requestKey: null, ...body, id, action }),
    otherWindows: (id: string, caller: object = person(users.buds, 0)): Promise<OtherWindows> =>
      proposalHandlers(context, LINK_KEYS).readOtherWindows({ caller, params: { id } } as never),
    /** The Bud presses an answer in the mail about a proposal. */
    answerByMail: (proposalId: string, answer: 'yes' | 'no'): Promise<ProposalOfMail> => {
      const token = createProposalToken(LINK_KEYS.linkSecret, proposalId);
      return proposalHandlers(context, LINK_KEYS).answerProposal({ body: { token, answer } } as never);
    },
    asTown: (action: 'cancel-by-operator' | 'give-back' | 'reopen', id: string, body: object = {}) =>
      takeOrderStep(context, { role: 'Operator', id: null }, { ...body, id, action }),
    cancellation: (id: string) => readCancellation(db, person(users.buds, 0), id),
    /** The order as a Scrub reads it; undefined when it is not theirs. */
    readAsScrub: async (id: string, index = 0): Promise<Order | undefined> => {
      const json = await readOrderJson(person(users.scrubs, index), id, context.now()).run(db);
      return json && parseSerializedJson(json);
    },

    /** What the card has paid in the end, in cents. */
    paid: (id: string) => charged.get(id) ?? 0,
    stateOf: async (id: string) => {
      const row = await queryRow<{
        status: string;
        round: number;
        steps: string[];
        deliveries: string[];
        payment: string;
        closed: boolean;
        timers: string[];
        unearned: number;
      }>(
        db,
        sql`select o.status, o.round, p.state as payment,
          (select coalesce(array_agg(t.action order by t.action), '{}') from timers t where t.subject_id = o.id) as timers, o.closed_at is not null as closed,
          (select array_agg(concat_ws(' ', t.attempt, t.action, t.actor_role) order by t.position) from steps t
            where t.subject_id = o.id) as steps,
          (select coalesce(array_agg(concat_ws(' ', d.round, d.delivery_type, d.status) order by d.created_at, d.id), '{}')
            from deliveries d where d.order_id = o.id) as deliveries,
          (select coalesce(sum(l.amount), 0)::int from ledger_entries e join ledger_lines l on l.entry_id = e.id
            where e.order_id = o.id and l.account = 'unearned') as unearned
          from orders o join payments p on p.order_id = o.id where o.id = ${id}`,
      );
      if (!row) throw new Error(`there is no order ${id}`);
      return row;
    },
    /** What people have earned of an order, in cents. */
    earned: async (id: string) =>
      Object.fromEntries(
        (
          await queryRows<{ account: string; cents: number }>(
            db,
            sql`select l.account, -sum(l.amount)::int as cents from ledger_entries e join ledger_lines l on l.entry_id = e.id
              where e.order_id = ${id} and l.account not in ('card-clearing', 'unearned', 'card-fees') group by 1
              having sum(l.amount) <> 0 order by 1`,
          )
        ).map(({ account, cents }) => [account, cents]),
      ),
    notices: async (id: string) =>
      (
        await queryRows<{ notice: string }>(
          db,
          sql`select distinct concat_ws(' ', n.kind, u.role) as notice from notifications n join users u on u.id = n.user_id
            where n.about = ${id} order by 1`,
        )
      ).map(({ notice }) => notice),
    /** What the ledger check says about an order. */
    problemsOf: async (id: string) =>
      (await findAuditProblems(db)).map(({ what }) => what).filter((what) => what.includes(id)),
  };
}
