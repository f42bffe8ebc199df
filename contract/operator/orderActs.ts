import { townReasonsOf } from '../../domain/needs.ts';
import { TRIP_PAYERS, WAY_HOME_PAYERS, WAYS_HOME } from '../../domain/orders.ts';
import { DELIVERY_TOWN_ROWS } from '../../domain/process/delivery.ts';
import { ORDER_TOWN_ROWS } from '../../domain/process/order.ts';
import { failuresOf } from '../exceptions.ts';
import { id, latitude, longitude, oneOf, optionalText, strict } from '../fields.ts';
import { act } from './call.ts';

// The rows of operators. `reason` is for the audit; `why` and `words` are for the history that the people of the order read.

const ID = '0192f0c1-7a3b-7c4d-8e5f-0123456789ab';
const params = strict({ id: id('id') });
const words = optionalText('words', 1000, 'many')
  .optional()
  .describe('what the people of the order read. Needed where the reason is `other`');
const whyOf = (action: string) => {
  const reasons = townReasonsOf(action);
  return oneOf(reasons, `why must be one of ${reasons.join(', ')}`);
};

export type OrderTownCall = (typeof ORDER_TOWN_ROWS)[number]['action'];
export type DeliveryTownCall = (typeof DELIVERY_TOWN_ROWS)[number]['action'];

const ORDER_SUMMARIES: Record<OrderTownCall, string> = {
  'cancel-by-operator':
    'Cancel an order, while no Duber has its laundry, and say how that gets home. The card gets back what nobody has earned',
  'give-back': 'Take an order from its Scrub before the laundry has moved. The Bud chooses another one',
  reopen: 'Have a completed order cleaned again',
};

const payerOf = <const T extends readonly [string, ...string[]]>(payers: T) =>
  oneOf(payers, `waysPaidBy must be one of ${payers.join(', ')}`)
    .describe('who pays the Dubers')
    .optional();
const wayHome = oneOf(WAYS_HOME, `wayHome must be one of ${WAYS_HOME.join(', ')}`)
  .optional()
  .describe('how the laundry gets home: needed when somebody else than its Bud has it. `bring` needs `waysPaidBy`');
/** How the laundry of an order gets home that is cancelled, and who pays for it. */
export const wayHomeFields = { wayHome, waysPaidBy: payerOf(WAY_HOME_PAYERS) };
const withWayHome = { why: whyOf('cancel-by-operator'), words, ...wayHomeFields };
type OrderBody = typeof withWayHome;

/** Every order act has the type of the widest body. */
function bodyOf(action: OrderTownCall): OrderBody {
  const said = { why: whyOf(action), words };
  if (action === 'cancel-by-operator') return withWayHome;
  return (action === 'reopen' ? { ...said, waysPaidBy: payerOf(TRIP_PAYERS) } : said) as unknown as OrderBody;
}

function defineOrderAct(action: OrderTownCall) {
  return act({
    path: `/operator/orders/:id/${action}`,
    permission: 'dispatch',
    act: { subject: 'order' },
    params,
    body: bodyOf(action),
    failures: ['notFound', 'wrongStatus', ...failuresOf(ORDER_TOWN_ROWS, action)],
    summary: ORDER_SUMMARIES[action],
    example: {
      params: { id: ID },
      body: { why: action === 'give-back' ? 'ill' : 'asked', reason: 'They have telephoned' },
    },
  });
}

const DELIVERY_SUMMARIES: Record<DeliveryTownCall, string> = {
  'take-off': 'Take a Duber off a delivery before the laundry is collected. It is offered to others at once',
  'bring-back': 'Have laundry that could not be dropped off brought back',
  'brought-back':
    'Say for a Duber that the laundry is back, e.g. because their phone does not work. They are paid for the way',
  'mark-delivered':
    'Say for a Duber that the laundry is delivered, e.g. because a phone does not work at the door. They are paid for the way',
  're-offer': 'Offer a delivery that failed or came back to Dubers again',
  relay: 'Hand laundry on to another Duber, from where it is now',
  'call-off': 'End a delivery: the laundry goes on without a Duber, or not at all',
  correct: 'Take back a step that was pressed by mistake',
  'report-lost': 'Report laundry as lost, e.g. because its Duber has vanished. The Duber’s credits of the order wait',
};

const EXAMPLES: Partial<Record<DeliveryTownCall, object>> = {
  'brought-back': { why: 'no-phone' },
  'mark-delivered': { why: 'no-phone' },
  relay: { why: 'breakdown', place: { latitude: 24, longitude: 67 } },
  'report-lost': { why: 'silent' },
};

const withPlace = { why: whyOf('relay'), words, place: strict({ latitude, longitude }).optional() };

function defineDeliveryAct(action: DeliveryTownCall) {
  return act({
    path: `/operator/deliveries/:id/${action}`,
    permission: 'dispatch',
    act: { subject: 'delivery' },
    params,
    body: action === 'relay' ? withPlace : ({ why: whyOf(action), words } as typeof withPlace),
    failures: ['notFound', 'wrongStatus', 'alreadyBusy', ...failuresOf(DELIVERY_TOWN_ROWS, action)],
    summary: DELIVERY_SUMMARIES[action],
    example: { params: { id: ID }, body: { why: 'asked', reason: 'They have telephoned', ...EXAMPLES[action] } },
  });
}

const callsOf = <S extends string, A extends string, C>(
  subject: S,
  rows: readonly { readonly action: A }[],
  define: (action: A) => C,
) =>
  Object.fromEntries(rows.map(({ action }) => [`${subject}-${action}`, define(action)])) as { [N in `${S}-${A}`]: C };

/** One act for each action of an operator in ORDER_ROWS and DELIVERY_ROWS, like `order-reopen`. */
export const orderActs = callsOf('order', ORDER_TOWN_ROWS, defineOrderAct);
export const deliveryActs = callsOf('delivery', DELIVERY_TOWN_ROWS, defineDeliveryAct);
