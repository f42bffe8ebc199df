import { z } from 'zod';
import { ROLES, type Role } from '../domain/accounts.ts';
import { DELIVERY_STATUSES, type DeliveryExceptionAction } from '../domain/deliveries.ts';
import { MAX_PHOTOS_OF_STEP } from '../domain/files.ts';
import { MAX_BAGS, PIN_LENGTH } from '../domain/handovers.ts';
import type { Need } from '../domain/needs.ts';
import { ORDER_STATUSES, type OrderExceptionAction } from '../domain/orders.ts';
import { DELIVERY_EXCEPTION_ROWS } from '../domain/process/delivery.ts';
import { ORDER_EXCEPTION_ROWS } from '../domain/process/order.ts';
import { withoutSeparators } from '../domain/typed.ts';
import { call } from './call.ts';
import { type Failure, failureOfNeed } from './failures.ts';
import { id, money, optionalText, phonePlace, strict, time, uuid } from './fields.ts';
import { chosenWindows } from './windows.ts';

const ID = '0192f0c1-7a3b-7c4d-8e5f-0123456789ab';

/** Who takes steps. */
export const actorRole = z.enum([...ROLES, 'Operator', 'System']);

const reported = { by: actorRole, reason: z.string().nullable(), words: z.string().nullable(), createdAt: time };

/** A step of a delivery that did not go as planned. */
export const DeliveryException = z
  .object({
    action: z.string(),
    status: z.enum(DELIVERY_STATUSES).describe('the status that it led to'),
    attempt: z.int().describe('the attempt that it belongs to; 1 for the first'),
    ...reported,
    takenAt: time.nullable().describe('when the device took it, if it was sent later; null if it was sent at once'),
    countsFrom: time
      .nullable()
      .describe(
        'of an arrival that was said before its Duber can have been there: from when the wait at the door counts',
      ),
    fileIds: z.array(uuid).describe('its photos that are still kept; of a step of somebody else a Duber gets none'),
  })
  .meta({ id: 'DeliveryException' });
export type DeliveryException = z.output<typeof DeliveryException>;

/** A step of an order that did not go as planned. */
export const OrderException = z
  .object({
    action: z.string(),
    status: z.enum(ORDER_STATUSES).describe('the status that it led to'),
    round: z.int().describe('the round that it belongs to; 1 for the first'),
    ...reported,
  })
  .meta({ id: 'OrderException' });
export type OrderException = z.output<typeof OrderException>;

/** How many bags somebody has counted. */
export const bagCount = z
  .int({ error: 'bags must be a whole number' })
  .min(1, { error: 'bags must be at least 1' })
  .max(MAX_BAGS, { error: `bags must be at most ${MAX_BAGS}` });

/** The body of a step. */
export const stepReport = {
  reason: optionalText('reason', 40, 'one').optional(),
  words: optionalText('words', 1000, 'many').optional(),
  fileIds: z
    .array(id('fileIds'), { error: 'fileIds must be a list of ids' })
    .max(MAX_PHOTOS_OF_STEP, { error: `fileIds must have at most ${MAX_PHOTOS_OF_STEP} ids` })
    .optional(),
  pin: z
    .string({ error: 'pin must be text' })
    .overwrite(withoutSeparators)
    .regex(/^\d{4}$/, { error: `pin must have ${PIN_LENGTH} digits` })
    .optional(),
  bags: bagCount.optional(),
  place: phonePlace.optional(),
};

type ExceptionRow = { readonly action: string; readonly by: Role; readonly needs?: readonly Need[] };

const rolesOf = (rows: readonly ExceptionRow[], action: string) => [
  ...new Set(rows.filter((row) => row.action === action).map(({ by }) => by)),
];
/** The failures of the needs of an action's rows. */
export const failuresOf = (
  rows: readonly { readonly action: string; readonly needs?: readonly Need[] }[],
  action: string,
): Failure[] => {
  const needs = rows.filter((row) => row.action === action).flatMap((row) => row.needs ?? []);
  const failures = needs.flatMap((need) => failureOfNeed(need) ?? []);
  // Every step can be refused for its status.
  return [...new Set(failures)].filter((failure) => failure !== 'wrongStatus');
};

export const DeliveryExceptionAnswer = z
  .object({ status: z.enum(DELIVERY_STATUSES), createdAt: time, deliveryId: uuid, attempt: z.int() })
  .meta({ id: 'DeliveryExceptionAnswer' });
export type DeliveryExceptionAnswer = z.output<typeof DeliveryExceptionAnswer>;

const DELIVERY_SUMMARIES: Record<DeliveryExceptionAction, string> = {
  'drop-delivery': 'Give an accepted delivery back before the laundry is collected. It is offered to others at once',
  'arrived-at-pickup': 'Say that the Duber is at the door of the pickup: by the place of the phone, or with a photo',
  'arrived-at-drop': 'Say that the Duber is at the door of the drop-off: by the place of the phone, or with a photo',
  'pickup-failed': 'End the attempt without laundry, after 5 minutes at the door. At once when it is not safe',
  'drop-failed': 'End the attempt with the laundry on board, after 5 minutes at the door. At once when it is not safe',
  'try-again': 'Drive to the drop-off once more, on the same day',
  'bring-back': 'Take the laundry back to where it was collected',
  'brought-back': 'Mark the laundry as brought back',
  're-offer': 'Offer a delivery that failed to Dubers again. Free the first time',
  correct: 'Take back what was pressed by mistake, within 10 minutes',
  'report-lost': 'Report the laundry as lost. An operator is notified at once',
};

/** The failures of the PIN with which laundry is brought back. */
const PIN_FAILURES: readonly Failure[] = ['wrongPin', 'pinBlocked'];
const isHandover = (action: DeliveryExceptionAction) => action === 'brought-back';
/** Only a hand-over has a PIN and bags. */
const { pin: _pin, bags: _bags, ...withoutHandover } = stepReport;
const bodyOf = (action: DeliveryExceptionAction) =>
  strict<Partial<typeof stepReport> & typeof withoutHandover>(isHandover(action) ? stepReport : withoutHandover);

type DeliveryRoles<A> = Extract<(typeof DELIVERY_EXCEPTION_ROWS)[number], { action: A }>['by'];

function defineDeliveryException<A extends DeliveryExceptionAction>(action: A) {
  return call({
    method: 'POST',
    path: `/deliveries/:id/${action}`,
    who: rolesOf(DELIVERY_EXCEPTION_ROWS, action) as DeliveryRoles<A>[],
    idempotent: true,
    takenAt: true,
    params: strict({ id: id('id') }),
    body: bodyOf(action),
    answer: DeliveryExceptionAnswer,
    status: 200,
    failures: [
      ...(['notFound', 'wrongStatus'] as const),
      ...failuresOf(DELIVERY_EXCEPTION_ROWS, action),
      ...(isHandover(action) ? PIN_FAILURES : []),
    ],
    summary: DELIVERY_SUMMARIES[action],
    spec: '4.2',
    example: { params: { id: ID }, body: { reason: 'other', words: 'The street is flooded.' } },
  });
}

/** One call for each unplanned action of DELIVERY_ROWS that people take. */
export const deliveryExceptions = Object.fromEntries(
  DELIVERY_EXCEPTION_ROWS.map(({ action }) => [action, defineDeliveryException(action)]),
) as { [A in DeliveryExceptionAction]: ReturnType<typeof defineDeliveryException<A>> };

export const OrderExceptionAnswer = z
  .object({ status: z.enum(ORDER_STATUSES), createdAt: time, orderId: uuid, round: z.int() })
  .meta({ id: 'OrderExceptionAnswer' });
export type OrderExceptionAnswer = z.output<typeof OrderExceptionAnswer>;

const ORDER_SUMMARIES: Record<OrderExceptionAction, string> = {
  'cancel-accepted': 'Cancel an accepted order while no bag has moved. What a Duber on the way costs is kept',
  'give-back': 'Give an accepted order back before its laundry has moved. The Bud chooses another Scrub',
  'choose-scrub': 'Choose another Scrub for an order that was given back, at the same price',
  'move-window': 'Move the windows of an order, or its return alone, until two hours before. The price stays',
  'propose-window': 'Propose other windows, or another return, which the Bud accepts or refuses',
  'accept-window': 'Accept the windows that were proposed',
  'refuse-window': 'Refuse the windows that were proposed: the agreed ones stay',
};

const EXAMPLES: Record<OrderExceptionAction, object> = {
  'cancel-accepted': { reason: 'changed-mind', fee: 0 },
  'give-back': { reason: 'other', words: 'My machine leaks.' },
  'choose-scrub': { scrubId: ID },
  'move-window': { pickupFrom: '2026-12-04T17:00:00Z', returnFrom: '2026-12-05T17:00:00Z' },
  'propose-window': { returnFrom: '2026-12-05T17:00:00Z', reason: 'machine-broken' },
  'accept-window': {},
  'refuse-window': {},
};

type OrderRoles<A> = Extract<(typeof ORDER_EXCEPTION_ROWS)[number], { action: A }>['by'];

function defineOrderException<A extends OrderExceptionAction>(action: A) {
  return call({
    method: 'POST',
    path: `/scrub-orders/:id/${action}`,
    who: rolesOf(ORDER_EXCEPTION_ROWS, action) as OrderRoles<A>[],
    idempotent: true,
    params: strict({ id: id('id') }),
    body: strict({
      reason: stepReport.reason,
      words: stepReport.words,
      scrubId: id('scrubId').optional(),
      pickupFrom: chosenWindows.pickupFrom.describe('the start of the new pickup. Without it, the pickup stays'),
      returnFrom: chosenWindows.returnFrom.describe('the start of the new return'),
      proposalId: id('proposalId').optional().describe('the proposal that is answered'),
      /** For `cancel-accepted`: the fee that the Bud was shown. A higher fee refuses the call. */
      fee: z.number({ error: 'fee must be a number' }).min(0, { error: 'fee must be at least 0' }).optional(),
    }),
    answer: OrderExceptionAnswer,
    status: 200,
    failures: [...new Set<Failure>(['notFound', 'wrongStatus', ...failuresOf(ORDER_EXCEPTION_ROWS, action)])],
    summary: ORDER_SUMMARIES[action],
    spec: '4.1',
    example: { params: { id: ID }, body: EXAMPLES[action] },
  });
}

/** One call per action of ORDER_EXCEPTIONS that people take. */
export const orderExceptions = Object.fromEntries(
  ORDER_EXCEPTION_ROWS.map(({ action }) => [action, defineOrderException(action)]),
) as { [A in OrderExceptionAction]: ReturnType<typeof defineOrderException<A>> };

/** What cancelling would do now, for the Bud to read first. */
export const Cancellation = z
  .object({
    isPossible: z.boolean(),
    fee: money.describe('what is kept for a Duber who is on the way already'),
    refund: money.describe('what the card gets back'),
    why: z.string().nullable().describe('why it is not possible'),
  })
  .meta({ id: 'Cancellation' });
export type Cancellation = z.output<typeof Cancellation>;

export const readCancellation = call({
  method: 'GET',
  path: '/scrub-orders/:id/cancellation',
  who: ['Bud'],
  params: strict({ id: id('id') }),
  answer: Cancellation,
  status: 200,
  failures: ['notFound'],
  summary: 'Whether an order can be cancelled now, what it costs, and what the card gets back',
  spec: '4.1',
  example: { params: { id: ID } },
});
