import { type RawBuilder, sql } from 'kysely';
import { expect } from 'vitest';
import type { DeliveryDetails } from '../contract/deliveries.ts';
import type { Custody } from '../contract/handovers.ts';
import type { Order } from '../contract/orders.ts';
import { HOUR_MS } from '../domain/durations.ts';
import { DELIVERY_FLOW } from '../domain/process/delivery.ts';
import { factsOfOrder, findArrival, situationOf, situationOfDelivery, wayOf } from '../domain/process/situation.ts';
import { type Database, queryRows, type Tx } from '../server/db/database.ts';
import { findAuditProblems } from '../server/payments/ledger/audit.sql.ts';
import { withTraces } from '../testing/orderTrace.ts';
import type { TestUser } from '../testing/testServer.ts';
import { readMoneyMoves } from '../testing/untoldMoney.ts';
import { waitFor } from '../testing/waits.ts';
import { DELIVERY_TEXTS } from '../texts/deliveries.ts';
import { STATUS_TEXTS } from '../texts/orders.ts';
import type { World } from './lifeWorld.ts';
import { holderOf, type Life, type Person } from './orderLife.ts';

const wrongHistories = (of: (orderId: RawBuilder<unknown>) => RawBuilder<unknown>) => sql<{ what: string }>`
  select format('order %s is %s after %s', o.id, o.status, t.status) as what from orders o
    cross join lateral (select * from steps t where t.subject_id = o.id order by t.position desc limit 1) t
    where t.status <> o.status ${of(sql`o.id`)}
  union all
  select format('delivery %s of order %s is %s after %s', d.id, d.order_id, d.status, t.status) from deliveries d
    cross join lateral (select * from steps t where t.subject_id = d.id order by t.position desc limit 1) t
    where t.status <> d.status ${of(sql`d.order_id`)}
  union all
  select format('delivery %s has %s twice in attempt %s', t.subject_id, t.action, t.attempt) from steps t
    join deliveries d on d.id = t.subject_id where true ${of(sql`d.order_id`)}
    group by t.subject_id, t.attempt, t.action having count(*) > 1
  union all
  select format('Duber %s has %s active deliveries', duber_id, count(*)) from deliveries
    where (status = 'Accepted' and due_from is null) or status in ('Way_To_Pick', 'Collected', 'Way_To_Drop', 'Way_Back') or (status = 'Failed' and has_laundry)
    group by duber_id having count(*) > 1
  union all
  select format('the hand-over %s of order %s is not given by who has the laundry', position, order_id) from (select h.*,
      coalesce(lag(h.taker_id) over w, o.bud_id) as holder, coalesce(lag(h.position) over w, 0) + 1 as expected
    from handovers h join orders o on o.id = h.order_id where true ${of(sql`o.id`)}
    window w as (partition by h.order_id order by h.position)) h
    where h.giver_id <> h.holder or h.taker_id = h.giver_id or h.position <> h.expected
  union all
  select format('order %s is %s, and its laundry has no way home from the %s', o.id, o.status, last.taker_role) from orders o
    cross join lateral (select * from handovers h where h.order_id = o.id order by h.position desc limit 1) last
    where o.status in ('Cancelled', 'Rejected', 'Completed') and last.taker_role <> 'Bud' ${of(sql`o.id`)}
      and not case o.status when 'Completed' then o.self_pickup or exists (select from deliveries d where d.order_id = o.id
          and d.round = o.round and d.delivery_type = 'Scrub_To_Bud')
        when 'Cancelled' then coalesce(o.way_home <> 'bring' or exists (select from deliveries d where d.order_id = o.id
          and d.round = o.round and d.delivery_type = 'Scrub_To_Bud'), false)
        else false end
  union all
  select format('the bags of order %s were counted as %s, and nobody asks why', order_id, string_agg(distinct bags::text, ', '))
    from (select h.order_id, h.position, h.bags from handovers h where h.takes_back is null
      union all select c.order_id, c.position, c.bags from handover_confirmations c) b
    -- What was counted with a mistake that was taken back counts no more.
    where not exists (select from handovers back where back.order_id = b.order_id and back.takes_back = b.position)
      and not exists (select from cases c where c.order_id = b.order_id and c.kind = 'handover') ${of(sql`b.order_id`)}
    group by order_id having count(distinct bags) > 1
  union all
  select format('the Scrub of order %s is payable for laundry that nobody has seen', o.id) from orders o
    where o.status = 'Completed' and not o.self_delivery and o.completed_at is not null ${of(sql`o.id`)}
      -- What only came back was perhaps never there.
      and not exists (select from handovers h where h.order_id = o.id and h.taker_id = o.scrub_id
        and not exists (select from handovers b where b.order_id = h.order_id and b.takes_back = h.position)
        and not exists (select from deliveries d where d.id = h.delivery_id and d.delivery_type = 'Scrub_To_Bud'))
      -- Of a delivery whose Duber says late that they made it, there is no hand-over.
      and not exists (select from deliveries d where d.order_id = o.id and d.delivery_type = 'Bud_To_Scrub' and d.status = 'Delivered')
      and exists (select from ledger_entries e where e.order_id = o.id and e.kind = 'completed')
      and not exists (select from payout_holds p where p.order_id = o.id and p.user_id = o.scrub_id
        and p.reason = 'laundry-not-seen' and p.ended_at is null)
  union all
  select format('the platform pays the %s of delivery %s without a wait', p.kind, p.delivery_id) from earnings p
    where p.cents > p.from_order and p.bearer_id is null and p.entry_id is not null ${of(sql`p.order_id`)}
      and not exists (select from payout_holds h where h.earning_entry = p.entry_id)
  union all
  select format('the trip of delivery %s, where nothing was collected, does not wait', p.delivery_id) from earnings p
    join steps t on t.subject_id = p.delivery_id and t.attempt = p.attempt and t.action = 'pickup-failed'
    where p.kind = 'trip' and p.entry_id is not null ${of(sql`p.order_id`)}
      and not exists (select from payout_holds h where h.earning_entry = p.entry_id)
  union all
  select format('what a Duber is paid for order %s waits for nothing', h.order_id) from payout_holds h
    where h.earning_entry is not null and h.ended_at is null and h.until is null ${of(sql`h.order_id`)}
      and not exists (select from cases c where c.id = h.case_id and c.status not in ('decided', 'closed'))
  union all
  select format('order %s has ended, and %s cents are unearned', o.id, sum(l.amount)) from orders o
    join payments p on p.order_id = o.id join ledger_entries e on e.order_id = o.id
    join ledger_lines l on l.entry_id = e.id and l.account = 'unearned'
    where o.status in ('Cancelled', 'Rejected', 'Completed') and p.state = 'captured' ${of(sql`o.id`)}
      and not exists (select from deliveries d where d.order_id = o.id and d.status not in ('Delivered', 'Called_Off'))
      and not exists (select from refunds r where r.order_id = o.id and r.state in ('asking', 'pending', 'stuck'))
    group by o.id having sum(l.amount) <> 0
  union all
  select format('the refund %s of order %s is borne by somebody whom the case is not about', r.id, r.order_id) from refunds r
    join case_refunds cr on cr.refund_id = r.id join cases c on c.id = cr.case_id
    -- A decision about a claim can name the delivery of another Duber.
    where r.liable_user <> c.about_user and not (r.liable = 'duber' and c.kind = 'claim') ${of(sql`r.order_id`)}
  union all
  select format('the refund %s of order %s is borne by somebody who cannot read its case', r.id, r.order_id) from refunds r
    join case_refunds cr on cr.refund_id = r.id
    where r.liable_user is not null ${of(sql`r.order_id`)}
      and not exists (select from case_people p where p.case_id = cr.case_id and p.user_id = r.liable_user)`;

/** The contradictions between steps, hand-overs, money and holds of an order, or in the whole database. */
export const findWrongHistories = async (db: Tx, orderId?: string): Promise<string[]> => {
  const query = wrongHistories((column) => (orderId === undefined ? sql`` : sql`and ${column} = ${orderId}`));
  return (await queryRows<{ what: string }>(db, query)).map(({ what }) => what);
};

const WORK_LEFT = sql`select concat_ws(' ', 'payment of order', order_id, state, failure, due_at) as what from payments
    where due_at is not null
  union all select concat_ws(' ', 'refund of order', order_id, state, failure, due_at) from refunds where state <> 'refunded'`;

const MAX_DAYS = 12;

/** Moves the clock by days until orders are closed and no payment is pending, then checks the ledger. */
async function settleEverything({ database, now, advanceClock, runTimers }: World): Promise<string[]> {
  const readLeft = () => queryRows<{ what: string }>(database.db, WORK_LEFT);
  let left: { what: string }[] = [];
  for (let hours = 0; hours < MAX_DAYS * 24; hours += 12) {
    await advanceClock(12 * HOUR_MS);
    await runTimers();
    const until = new Date(now());
    await waitFor(async () => {
      const due = await queryRows(
        database.db,
        sql`select order_id from payments where due_at <= ${until}
          union all select order_id from refunds where state <> 'refunded' and due_at <= ${until}`,
      );
      if (due.length > 0) throw new Error(`${due.length} payments are due`);
    });
    left = await readLeft();
    if (left.length === 0 && hours > 8 * 24) break;
  }
  const problems = await findAuditProblems(database.db);
  return [...left.map(({ what }) => what), ...problems.map(({ check, what }) => `${check}: ${what}`)];
}

/** Compares what people read of an order with the model. */
export async function compareLife(database: Database, people: Record<Person, TestUser>, life: Life): Promise<void> {
  const params = { id: life.id };
  const idOf = (person: Person | undefined) => (person ? people[person].user.id : null);
  const order = await people.bud.api.readOrder({ params });
  expect([order.status, order.scrubId]).toEqual([life.status, idOf(life.scrub)]);
  const { size = 'Medium', cents = order.price.totalPrice * 100 } = life.weighing ?? {};
  expect([order.loadSize, Math.round(order.price.totalPrice * 100)]).toEqual([size, Math.round(cents)]);
  expect(
    order.deliveries.map(({ id, status, hasLaundry, duberId }) => ({
      ...{ id, status, hasLaundry },
      duber: status === 'Called_Off' ? null : duberId,
    })),
  ).toEqual(
    life.deliveries.map(({ id, status, hasLaundry, duber }) => ({
      ...{ id, status, hasLaundry },
      duber: status === 'Called_Off' ? null : idOf(duber),
    })),
  );
  const custody = await people.bud.api.readCustody({ params });
  expect(custody.holder.id, 'who has the laundry').toBe(idOf(holderOf(life)));
  expect(
    custody.handovers.map(({ giver, taker, bags, confirmed }) => ({
      ...{ giver: giver.id, taker: taker.id, bags, confirmed: confirmed?.bags ?? null },
    })),
  ).toEqual(
    life.handovers.map(({ giver, taker, bags = null, confirmed = null }) => ({
      ...{ giver: idOf(giver), taker: idOf(taker), bags, confirmed },
    })),
  );
  expect(custody.leaveAtDoor).toBe(life.leaveAtDoor);
  const read = await people[life.scrub].api.readOrder({ params });
  for (const delivery of life.deliveries) await compareSteps(people, delivery);
  for (const [reader, seen] of [['Bud', order] as const, ['Scrub', read] as const]) {
    compareSituation(seen, custody, life);
    compareWords(seen);
    expect(
      STATUS_TEXTS[reader][seen.situation ?? 'requested'],
      `a text of ${seen.situation} for the ${reader}`,
    ).toBeDefined();
  }
  await compareCases(database, life);
  expect(await findWrongHistories(database.db, life.id)).toEqual([]);
}

/** The server names where the order and its deliveries stand as the domain does. */
function compareSituation(order: Order, custody: Pick<Custody, 'holder' | 'handovers'>, life: Life): void {
  for (const delivery of order.deliveries) {
    expect(delivery.situation).toBe(situationOfDelivery(delivery));
    for (const texts of Object.values(DELIVERY_TEXTS)) expect(texts[situationOfDelivery(delivery)]).toBeDefined();
    expect(delivery.arrivedAt ?? undefined).toBe(findArrival(delivery)?.toISOString());
    expect(delivery.reOffers ?? 0).toBe(life.deliveries.find(({ id }) => id === delivery.id)?.reOffers);
  }
  const { situation, exceptions, ceilingSize, price } = order;
  const last = custody.handovers.at(-1);
  const wasHandedBack = last?.taker.role === 'Bud' && last.takesBack === null;
  const giveBack = exceptions.findLast(({ action }) => action === 'give-back');
  const isUnwashed = ceilingSize !== undefined && price.loadPrice === 0;
  const facts = factsOfOrder(order, {
    // The model does not tell why an order that nobody accepted was cancelled.
    hasExpired: situation === 'unanswered',
    givenBackBy: life.isGivenBack ? (giveBack?.by === 'Operator' ? 'town' : 'scrub') : null,
    weight: life.weighing?.askedAt !== undefined ? 'asked' : isUnwashed ? 'unwashed' : null,
    isCleanedAgain: exceptions.some(({ action }) => action === 'reopen'),
    isWithBud: order.status === 'Cancelled' ? custody.holder.role === 'Bud' : wasHandedBack,
    wayHome: life.wayHome ?? null,
  });
  expect([situation, order.way]).toEqual([situationOf(facts), wayOf(order)]);
  expect(typeof order.givenBackUntil === 'string').toBe(order.status === 'Requested' && life.isGivenBack);
  expect(order.isCleanedAgain).toBe(facts.isCleanedAgain);
}

type Step = { readonly status: string; readonly createdAt: string };
type Told = Step & { readonly action?: string | null | undefined; readonly reason?: string | null | undefined };
const summarize = ({ status, createdAt, action, reason = null }: Told) => [status, createdAt, action, reason].join(' ');
const isSame = (one: Step) => (other: Step) => one.status === other.status && one.createdAt === other.createdAt;

/** The words that the server sends are those that the history has of the present state. */
function compareWords({ status, round, situation, exceptions, deliveries, ...order }: Order): void {
  const unplanned = exceptions.map((step) => summarize({ ...step, reason: null }));
  for (const step of order.statusHistory.filter(({ action }) => action)) expect(unplanned).toContain(summarize(step));
  const behind: Readonly<Record<string, readonly string[]>> = {
    Cancelled: ['cancel-accepted', 'cancel-by-operator'],
    In_Progress: ['reopen'],
    Requested: situation === 'given-back' || situation === 'taken-back' ? ['give-back'] : [],
  };
  const change = exceptions.findLast(({ action }) => behind[status]?.includes(action));
  expect(order.changeWords).toEqual(change?.words ? { by: change.by, words: change.words } : null);
  const isOpen = status !== 'Cancelled' && status !== 'Rejected';
  const failed = deliveries.findLast(
    (delivery) =>
      delivery.round === round &&
      ['not-collected', 'not-taken', 'way-back', 'brought-back'].includes(situationOfDelivery(delivery)),
  );
  const failure = failed?.exceptions.findLast(
    ({ action, attempt }) => ['pickup-failed', 'drop-failed'].includes(action) && attempt === failed.attempt,
  );
  const isSaid = isOpen && failure?.by === 'Duber' && failure.words !== null;
  expect(order.failureWords).toEqual(isSaid ? { deliveryId: failed?.id, words: failure.words } : null);
  const type = status === 'Completed' ? 'Scrub_To_Bud' : 'Bud_To_Scrub';
  const delivery = deliveries.findLast((one) => one.round === round && one.deliveryType === type);
  expect(order.townWords).toBe(isOpen && delivery ? townWordsOf(delivery) : null);
  expect(order.hasPaidDuber).toBe(
    deliveries.some((one) =>
      one.exceptions.some(({ action }) => ['pickup-failed', 'brought-back', 'relay'].includes(action)),
    ),
  );
}

/** The words of an operator are shown until the next step of the delivery, also when that step has the same time. */
function townWordsOf({ statusHistory, exceptions }: Pick<DeliveryDetails, 'statusHistory' | 'exceptions'>) {
  const [last, present] = [exceptions.at(-1), statusHistory.at(-1)];
  const hasGoneOn = present?.status !== last?.status || present?.createdAt !== last?.createdAt;
  return last?.by === 'Operator' && !hasGoneOn ? last.words : null;
}

const PLANNED: Readonly<Record<string, string>> = Object.fromEntries(
  DELIVERY_FLOW.map(({ to, action }) => [to, action]),
);

/** The steps that a delivery names as done are those of its present attempt; its history names each step that was not planned. */
async function compareSteps(
  people: Record<Person, TestUser>,
  { id, duber }: Life['deliveries'][number],
): Promise<void> {
  const delivery = await people.bud.api.readDelivery({ params: { id } });
  expect([delivery.townWords, delivery.doneSteps]).toEqual([townWordsOf(delivery), undefined]);
  if (!duber || delivery.duberId !== people[duber].user.id) return;
  const { statusHistory, exceptions, attempt, ...own } = await people[duber].api.readDelivery({ params: { id } });
  expect([own.situation, own.arrivedAt ?? undefined]).toEqual([
    situationOfDelivery({ ...own, attempt, exceptions }),
    findArrival({ ...own, attempt, exceptions })?.toISOString(),
  ]);
  const unplanned = exceptions.filter(({ action }) => !action.startsWith('arrived'));
  expect(statusHistory.filter(({ action }) => action).map(summarize)).toEqual(unplanned.map(summarize));
  const start = exceptions.findLast((step) => step.attempt < attempt);
  const accepted = statusHistory.findLastIndex(({ status }) => status === 'Accepted');
  const started = start ? statusHistory.findLastIndex(isSame(start)) : -1;
  const present = statusHistory.slice(Math.max(accepted, started + 1));
  const planned = present.flatMap(({ status }) => PLANNED[status] ?? []);
  const others = exceptions.filter(
    (step) => step.by === 'Duber' && step.attempt + (step.action === 'try-again' ? 1 : 0) === attempt,
  );
  expect([...new Set(own.doneSteps)].sort()).toEqual(
    [...new Set([...planned, ...others.map(({ action }) => action)])].sort(),
  );
}

type CaseLine = { readonly id: string; readonly what: string; readonly priority: string; readonly status: string };

async function compareCases({ db }: Database, { id, cases }: Life): Promise<void> {
  const found = await queryRows<CaseLine>(
    db,
    // Whether the platform pays on a Duber's word alone is a question of money: see the histories.
    sql`select id, concat_ws(' ', kind, delivery_id) as what, priority, status from cases
      where order_id = ${id} and kind <> 'platform-pay' order by no`,
  );
  // A case that waits for its refund, or for money that its end makes payable, is closed later, and may be urgent by then.
  const closing = new Set<CaseLine | undefined>();
  for (const { id: caseId, kind, delivery } of cases.filter(({ status }) => status === 'closing')) {
    const what = [kind, ...(delivery ? [delivery.id] : [])].join(' ');
    closing.add(found.findLast((line) => (caseId === undefined ? line.what === what : line.id === caseId)));
  }
  const actual = found.map((line) =>
    closing.has(line) ? `${line.what} closing` : `${line.what} ${line.priority} ${line.status}`,
  );
  const expected = cases.map(({ kind, delivery, priority, status }) =>
    [kind, ...(delivery ? [delivery.id] : []), ...(status === 'closing' ? [] : [priority]), status].join(' '),
  );
  expect(actual.sort()).toEqual(expected.sort());
}

/** The steps that were tried with an order, to explain a failure. */
export const describeLife = ({ id, town, trace }: Life) =>
  [`order ${id}, ${town.isCareful ? 'careful' : 'open'}`, ...trace].join('\n  ');

/** Settles everything and checks the whole database. What is wrong names its order, whose steps are shown. */
export async function checkEverything(world: World, lives: readonly Life[]): Promise<void> {
  const { db } = world.database;
  const settled = await settleEverything(world);
  const { untold } = await readMoneyMoves(db);
  const problems = [
    ...settled,
    ...untold.map((what) => `nobody was told of ${what}`),
    ...(await findWrongHistories(db)),
  ];
  const concerned = lives.filter(({ id, deliveries }) =>
    problems.some((what) => what.includes(id) || deliveries.some((delivery) => what.includes(delivery.id))),
  );
  const traced = await withTraces(db, problems);
  expect(traced, concerned.slice(0, 2).map(describeLife).join('\n')).toEqual([]);
}
