import { v7 as newId, validate } from 'uuid';
import { DELIVERY_EXCEPTIONS } from '../../domain/deliveries.ts';
import {
  formatOrderNumber,
  ORDER_EXCEPTIONS,
  type OrderTownAction,
  PAYERS_OF_WAYS,
  type PayerOfWays,
  parseOrderNumber,
} from '../../domain/orders.ts';
import type { Point } from '../../domain/places.ts';
import { findAccountByEmail } from '../accounts/accounts.sql.ts';
import type { Tx } from '../db/database.ts';
import { type ExceptionAction, takeDeliveryException } from '../deliveries/deliveryExceptions.ts';
import { Refusal } from '../http/refusals.ts';
import { findActor } from '../operator/actors.ts';
import { takeOrderException } from '../orders/orderExceptions.ts';
import { findOrderId } from '../orders/orders.sql.ts';
import type { CommandContext } from './commandAct.ts';
import { CommandError } from './commandError.ts';

// The rows of an operator, until there is a screen for them: `step <order or delivery> <action> --reason …`.

export type OperatorStep = {
  readonly id: string;
  readonly action: string;
  readonly reason?: string | undefined;
  readonly words?: string | undefined;
  readonly place?: Point | undefined;
  /** Who pays the Dubers of an order that is cleaned again. */
  readonly liable?: string | undefined;
  /** The account of the operator, if it is known. */
  readonly operator: { readonly role: 'Operator'; readonly id: string | null };
};
type OperatorContext = { readonly db: Tx; readonly now: () => Date };

/** What an operator can take steps of. The id says which it is. */
type Steppable = {
  readonly name: string;
  readonly kind: 'order' | 'delivery';
  readonly table: 'deliveries' | 'orders';
  readonly actions: readonly string[];
  /** Takes the step, and says in a sentence what it did. */
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
  take: async (context, { operator, action, liable: _liable, ...step }) => {
    const request = { ...step, action: action as ExceptionAction };
    const { status, attempt } = await takeDeliveryException({ ...context, wake: () => {} }, operator, request);
    return `Delivery ${step.id} is ${status.replaceAll('_', ' ')} now, attempt ${attempt}. Its people are notified.`;
  },
};

const ORDERS: Steppable = {
  name: 'an order',
  kind: 'order',
  table: 'orders',
  actions: actionsOf(ORDER_EXCEPTIONS),
  take: async (context, { operator, id, action, reason, words, liable }) => {
    const why = { reason, words, waysPaidBy: parsePayer(liable) };
    const request = { ...why, id, action: action as OrderTownAction };
    const { status, round } = await takeOrderException({ ...context, newId, wake: () => {} }, operator, request);
    return `Order ${id} is ${status.replaceAll('_', ' ')} now, round ${round}. Its people are notified.`;
  },
};

const STEPPABLES: readonly Steppable[] = [DELIVERIES, ORDERS];

function parsePayer(liable: string | undefined): PayerOfWays | undefined {
  const payer = PAYERS_OF_WAYS.find((one) => one === liable);
  if (liable !== undefined && !payer) throw new CommandError(`--liable must be one of ${PAYERS_OF_WAYS.join(', ')}`);
  return payer;
}

/** The id of a delivery or an order; of an order also from its number. */
export async function readSteppableId(db: Tx, word = ''): Promise<string> {
  if (validate(word)) return word.toLowerCase();
  const number = parseOrderNumber(word);
  if (number === undefined) throw new CommandError(`"${word}" is neither an order like R-1042 nor an id`);
  const id = await findOrderId(db, number);
  if (id === undefined) throw new CommandError(`there is no order ${formatOrderNumber(number)}`);
  return id;
}

/** Takes a step as an operator. Refuses with the need that is missing, in words. */
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

const FLAGS: Readonly<Record<string, string>> = {
  reason: '--reason',
  words: '--words',
  place: '--latitude and --longitude',
};

function describeRefusal({ message, validationErrors = [] }: Refusal): string {
  const problems = validationErrors.flatMap(({ property, constraints }) =>
    Object.values(constraints).map((text) => nameFlag(text, property)),
  );
  return problems.length > 0 ? problems.join('; ') : message;
}

function nameFlag(text: string, property: string): string {
  const flag = FLAGS[property] ?? property;
  return text.startsWith(`${property} `) ? `${flag}${text.slice(property.length)}` : `${text} (${flag})`;
}

/** What a step is of, and who takes it: for the history the account among people of `--as`, if an operator has one. */
export async function findStepper(
  context: CommandContext,
  id: string,
): Promise<{ kind: 'order' | 'delivery'; operator: OperatorStep['operator'] }> {
  const { db, as } = context;
  const { kind } = await findSteppable(db, id);
  const account = as === undefined ? undefined : await findAccountByEmail(db, as);
  if (as !== undefined && !account && !(await findActor(context, as)))
    throw new CommandError(`there is no account with the e-mail ${as}`);
  return { kind, operator: { role: 'Operator', id: account?.id ?? null } };
}

/** A place from two options in degrees. */
export function parsePlace(latitude: string | undefined, longitude: string | undefined): Point | undefined {
  if (latitude === undefined && longitude === undefined) return undefined;
  const place = { latitude: Number(latitude ?? 'x'), longitude: Number(longitude ?? 'x') };
  const isPlace = Math.abs(place.latitude) <= 90 && Math.abs(place.longitude) <= 180;
  if (!isPlace) throw new CommandError('--latitude and --longitude must be a place in degrees');
  return place;
}
