import {
  formatOrderNumber,
  type OrderTownAction,
  parseOrderNumber,
  TRIP_PAYERS,
  WAY_HOME_PAYERS,
  WAYS_HOME,
} from '../../domain/orders.ts';
import type { Point } from '../../domain/places.ts';
import { DELIVERY_EXCEPTIONS } from '../../domain/process/delivery.ts';
import { ORDER_EXCEPTIONS } from '../../domain/process/order.ts';
import type { Tx } from '../db/database.ts';
import type { DeliveryStepRequest } from '../deliveries/facts.ts';
import { takeDeliveryStep } from '../deliveries/steps.ts';
import { Refusal } from '../http/refusals.ts';
import { findOrderId } from '../orders/findOrderId.ts';
import { takeOrderStep } from '../orders/steps.ts';
import { CommandError } from './commandError.ts';
import { nameFlag } from './flags.ts';

// The rows of an operator without the console: `step <order or delivery> <action> --reason …` before there are operators.

export type OperatorStep = {
  readonly id: string;
  readonly action: string;
  readonly reason?: string | undefined;
  readonly words?: string | undefined;
  readonly place?: Point | undefined;
  /** Who pays the Dubers of an order that is cleaned again, or whose laundry is brought home. */
  readonly liable?: string | undefined;
  /** How the laundry of an order that is cancelled gets home. */
  readonly home?: string | undefined;
  /** The account of the operator, if it is known. */
  readonly operator: { readonly role: 'Operator'; readonly id: string | null };
};
type OperatorContext = { readonly db: Tx; readonly now: () => Date };

/** An order or a delivery, found by its id. */
type Steppable = {
  readonly name: string;
  readonly kind: 'order' | 'delivery';
  readonly table: 'deliveries' | 'orders';
  readonly actions: readonly string[];
  /** Takes the step, and returns a sentence about the result. */
  readonly take: (context: OperatorContext, step: OperatorStep) => Promise<string>;
};

const actionsOf = (rows: readonly { readonly action: string; readonly by: string }[]) => [
  ...new Set(rows.filter(({ by }) => by === 'Operator').map(({ action }) => action)),
];

const DELIVERIES: Steppable = {
  name: 'a delivery',
  kind: 'delivery',
  table: 'deliveries',
  actions: actionsOf(DELIVERY_EXCEPTIONS),
  take: async (context, { operator, action, liable: _liable, home: _home, ...step }) => {
    const request = { ...step, action: action as DeliveryStepRequest['action'] };
    const { status, attempt } = await takeDeliveryStep({ ...context, wake: () => {} }, operator, request);
    return `Delivery ${step.id} is ${status.replaceAll('_', ' ')} now, attempt ${attempt}. Its people are notified.`;
  },
};

const ORDERS: Steppable = {
  name: 'an order',
  kind: 'order',
  table: 'orders',
  actions: actionsOf(ORDER_EXCEPTIONS),
  take: async (context, { operator, id, action, reason, words, liable, home }) => {
    const wayHome = parseOne(WAYS_HOME, '--home', home);
    const payers = action === 'cancel-by-operator' ? WAY_HOME_PAYERS : TRIP_PAYERS;
    const why = { reason, words, wayHome, waysPaidBy: parseOne(payers, '--liable', liable) };
    const request = { ...why, id, action: action as OrderTownAction };
    const { status, round } = await takeOrderStep({ ...context, wake: () => {} }, operator, request);
    return `Order ${id} is ${status.replaceAll('_', ' ')} now, round ${round}. Its people are notified.`;
  },
};

const STEPPABLES: readonly Steppable[] = [DELIVERIES, ORDERS];

function parseOne<T extends string>(values: readonly T[], flag: string, typed: string | undefined): T | undefined {
  const value = values.find((one) => one === typed);
  if (typed !== undefined && !value) throw new CommandError(`${flag} must be one of ${values.join(', ')}`);
  return value;
}

/** The id of an order from its number, or any id as it is. `problem` says what is wrong with any other word. */
export async function readOrderId(
  db: Tx,
  word = '',
  problem = `"${word}" is neither an order like R-1042 nor an id`,
): Promise<string> {
  const id = await findOrderId(db, word);
  if (id !== undefined) return id;
  const number = parseOrderNumber(word);
  throw new CommandError(number === undefined ? problem : `there is no order ${formatOrderNumber(number)}`);
}

/** Takes a step as an operator. Refuses with a readable message about the missing need. */
export async function takeOperatorStep(context: OperatorContext, step: OperatorStep): Promise<string> {
  const steppable = await findSteppable(context.db, step.id);
  if (!steppable.actions.includes(step.action))
    throw new CommandError(`an operator's steps of ${steppable.name} are ${steppable.actions.join(', ')}`);
  return steppable.take(context, step).catch((error: unknown) => {
    throw error instanceof Refusal ? new CommandError(`not taken: ${describeRefusal(error)}`) : error;
  });
}

async function findSteppable(db: Tx, id: string): Promise<Steppable> {
  for (const one of STEPPABLES) {
    if (await db.selectFrom(one.table).select('id').where('id', '=', id).executeTakeFirst()) return one;
  }
  throw new CommandError(`${id} is neither ${STEPPABLES.map(({ name }) => name).join(' nor ')}`);
}

function describeRefusal({ message, validationErrors = [] }: Refusal): string {
  const problems = validationErrors.flatMap(({ property, constraints }) =>
    Object.values(constraints).map((text) => nameFlag(text, property)),
  );
  return problems.length > 0 ? problems.join('; ') : message;
}

/** Whether an id is that of an order or of a delivery. */
export const readStepKind = async (db: Tx, id: string): Promise<'order' | 'delivery'> =>
  (await findSteppable(db, id)).kind;
