// The rows of the workflows that the model of random lives knows, by who takes them. It reads them from the model.

import { CASE_STEPS, TOWN_CASE_STEPS } from './claimModel.ts';
import { BUD_DELIVERY_STEPS, DUBER_STEPS } from './exceptionModel.ts';
import { TOWN_DELIVERY_ACTS, TOWN_ORDER_ACTS } from './operatorModel.ts';
import { STEPS_OF_BUD, STEPS_OF_SCRUB } from './orderModel.ts';
import { TIMERS } from './timeModel.ts';

type Rows = Readonly<Record<string, readonly string[]>>;

const DELIVERIES: Rows = {
  Bud: BUD_DELIVERY_STEPS,
  Duber: DUBER_STEPS,
  Operator: TOWN_DELIVERY_ACTS,
  // An order that ends calls its deliveries off.
  System: [...TIMERS.deliveries, 'call-off'],
};
const ORDERS: Rows = {
  Bud: STEPS_OF_BUD,
  Scrub: STEPS_OF_SCRUB,
  Operator: TOWN_ORDER_ACTS,
  System: TIMERS.orders,
};
const [ANSWER, ACCEPT_OFFER, REFUSE_OFFER, CONTEST, DENY] = CASE_STEPS;
const CASES: Rows = {
  Bud: [ACCEPT_OFFER, REFUSE_OFFER, CONTEST, DENY],
  Scrub: [ANSWER, CONTEST],
  Duber: [ANSWER, CONTEST],
  Operator: TOWN_CASE_STEPS,
  // A step of the delivery that is taken back closes its case.
  System: [...TIMERS.cases, 'taken-back'],
};

const namesOf = (rows: Rows): string[] =>
  Object.entries(rows).flatMap(([by, actions]) => actions.map((action) => `${action} by ${by}`));

/** Each row as `action by actor`. */
export const KNOWN_ROWS = { deliveries: namesOf(DELIVERIES), orders: namesOf(ORDERS), cases: namesOf(CASES) } as const;

/**
 * Lives have no windows. Lives with windows have a model of their own, in windowModel.ts; their races and their closures are in
 * server/orders/windowMoveRaces.test.ts and server/operator/touched.test.ts.
 */
const WITHOUT_WINDOWS = 'no life has windows';

/** The rows that the model does not know, and why. */
export const ROWS_LEFT_OUT: Readonly<Record<string, string>> = {
  'ask by Duber': 'nobody asks for help twice',
  'confirmed by System': 'nobody enters a wrong PIN',
  'move-window by Bud': WITHOUT_WINDOWS,
  'propose-window by Scrub': WITHOUT_WINDOWS,
  'propose-window by Operator': WITHOUT_WINDOWS,
  'accept-window by Bud': WITHOUT_WINDOWS,
  'refuse-window by Bud': WITHOUT_WINDOWS,
  'window-unanswered by System': WITHOUT_WINDOWS,
  'promise-near by System': WITHOUT_WINDOWS,
  'promise-missed by System': WITHOUT_WINDOWS,
  'promise-overdue by System': WITHOUT_WINDOWS,
  'promise-settled by System': WITHOUT_WINDOWS,
  'time-moved by System': WITHOUT_WINDOWS,
  'remind by System': 'it changes nothing: the Scrub gets a mail',
};
