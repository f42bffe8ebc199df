import { sql } from 'kysely';
import type { CaseDetails } from '../contract/cases.ts';
import type { ClaimItem } from '../domain/claims.ts';
import { HOUR_MS } from '../domain/durations.ts';
import { caseHandlers } from '../server/cases/cases.ts';
import { caseTimers } from '../server/cases/caseTimers.ts';
import { queryRows } from '../server/db/database.ts';
import { runTimers } from '../server/jobs/timers.ts';
import { CLEANING_AGAIN } from '../server/orders/reopenOrder.ts';
import { openPaymentHarness, type PaymentHarness } from './paymentHarness.ts';
import { storePhoto } from './sentPhotos.ts';
import type { DatabaseKind } from './testServer.ts';

type Person = { readonly id: string; readonly role: 'Bud' | 'Scrub' | 'Duber' };
type StepBody = { readonly [name: string]: unknown };

export const SHIRT = { what: 'Blue shirt', kind: 'stained', worth: 40, ageMonths: 2, asked: 20 } as const;

export type CaseHarness = PaymentHarness & {
  readonly bud: Person;
  readonly scrub: Person;
  readonly duber: Person;
  /** Lets hours pass, and runs the timers that are due then. */
  passHours(hours: number): Promise<void>;
  claim(orderId: string, more?: StepBody, by?: Person): Promise<CaseDetails>;
  /** Sends `POST /cases`. */
  create(by: Person, body: StepBody, key?: string): Promise<CaseDetails>;
  step(
    by: Person,
    id: string,
    action: 'answer' | 'accept-offer' | 'refuse-offer' | 'contest' | 'deny',
    body?: StepBody,
  ): Promise<CaseDetails>;
  read(by: Person, id: string): Promise<CaseDetails>;
  /** The Scrub and the Duber deliver so many orders, whose earnings cover what they offer. */
  earn(orders: number): Promise<void>;
  /** The refunds of an order: their side and cents. */
  refundsOf(orderId: string): Promise<string[]>;
};

/** Cases without the HTTP layer, on a clock that the test moves. */
export async function openCaseHarness(kind: DatabaseKind): Promise<CaseHarness> {
  const harness = await openPaymentHarness(kind);
  const { context, users } = harness;
  const cases = caseHandlers(context, CLEANING_AGAIN);
  let clock = context.now().getTime();
  const person = (role: Person['role'], found: { id: string } | undefined): Person => ({ id: found?.id ?? '', role });
  const create = (caller: Person, body: StepBody, idempotencyKey?: string) =>
    cases.createCase({ caller, body, idempotencyKey } as never);
  return {
    ...harness,
    bud: person('Bud', users.buds[0]),
    scrub: person('Scrub', users.scrubs[0]),
    duber: person('Duber', users.dubers[0]),
    create,
    claim: async (orderId, more = {}, by = person('Bud', users.buds[0])) =>
      create(by, {
        kind: 'claim',
        orderId,
        items: [SHIRT satisfies StepBody & Pick<ClaimItem, 'what'>],
        fileIds: 'fileIds' in more ? [] : [await storePhoto(context.db, by.id, context.now())],
        ...more,
      }),
    step: (caller, id, action, body = {}) => cases[action]({ caller, params: { id }, body } as never),
    read: (caller, id) => cases.readCase({ caller, params: { id } } as never),
    passHours: async (hours) => {
      clock = context.now().getTime() + hours * HOUR_MS;
      harness.setClock(new Date(clock).toISOString());
      await runTimers(context, [caseTimers(CLEANING_AGAIN)]);
    },
    earn: async (orders) => {
      for (let n = 0; n < orders; n += 1) await harness.createOrder('Delivered');
    },
    refundsOf: async (orderId) => {
      const rows = await queryRows<{ line: string }>(
        context.db,
        sql`select concat(liable, ' ', amount, ' ', state) as line from refunds where order_id = ${orderId} order by created_at, id`,
      );
      return rows.map(({ line }) => line);
    },
  };
}
