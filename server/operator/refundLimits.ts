import { OPERATOR_API } from '../../contract/operator/api.ts';
import type { OperatorCall } from '../../contract/operator/call.ts';
import { isAboveLimits as isAboveSums } from '../../domain/approvals.ts';
import type { Operator } from '../../domain/operators.ts';
import type { Cents } from '../../domain/payments.ts';
import type { ConsoleContext } from '../operatorContext.ts';
import { readSettings } from '../town/settings.sql.ts';
import type { MovedMoney } from './movedMoney.ts';
import { sumMovedAlone } from './refundLimits.sql.ts';

type LimitContext = Pick<ConsoleContext, 'db' | 'now'>;

type ByOperator = {
  readonly operator: Pick<Operator, 'id'>;
  /** Whether they run the town alone: then only the limit of the day counts. */
  readonly runsAlone: boolean;
  readonly cents: Cents;
};

/** Whether an act moves more than this operator may move without approval. Every act is asked. */
export async function isAboveLimits(
  context: LimitContext,
  { moved: { orderId, ofOrders }, ...by }: ByOperator & { readonly moved: MovedMoney },
): Promise<boolean> {
  // An act about an order puts all of it at stake there.
  if (await isAbove(context, { ...by, orderId })) return true;
  for (const part of ofOrders)
    if (part.orderId !== orderId && (await isAbove(context, { ...by, ...part }))) return true;
  return false;
}

/** The same for a refund before it is made. */
export const isAboveRefundLimits = (
  context: LimitContext,
  refund: ByOperator & { readonly orderId: string },
): Promise<boolean> => isAbove(context, refund);

/** The acts whose sums do not count: what another operator always approves, and alone also what depends on the request. */
const uncountedActs = (runsAlone: boolean): string[] =>
  Object.entries(OPERATOR_API as Readonly<Record<string, OperatorCall>>)
    .filter(([, { act }]) => act?.approval === 'always' || (runsAlone && act?.approval === 'depends'))
    .map(([name]) => name);

async function isAbove(
  { db, now }: LimitContext,
  { operator, runsAlone, orderId, cents }: ByOperator & { readonly orderId?: string | undefined },
): Promise<boolean> {
  const at = now();
  const { refundLimitOrder, refundLimitDay, timeZone } = await readSettings(db, at);
  const soFar = await sumMovedAlone(db, {
    ...{ orderId, operatorId: operator.id, timeZone, now: at },
    except: uncountedActs(runsAlone),
  });
  // What concerns no order has the limit of the day only.
  const order = orderId === undefined || runsAlone ? Number.POSITIVE_INFINITY : refundLimitOrder;
  return isAboveSums(cents, soFar, { order, day: refundLimitDay });
}
