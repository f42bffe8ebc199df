import type { ActName } from '../../contract/operator/api.ts';

/** A row in the audit: the act, `ask:` when it waits for a second operator, and `approved:` when that one has agreed. */
export type AuditedAct = ActName | `ask:${ActName}` | `approved:${ActName}`;

type Situation = {
  /** The file with the journey that measures it. */
  readonly journey: string;
  /** The rows that it leaves in the audit, the oldest first: one for each act. */
  readonly acts: readonly AuditedAct[];
};

const EVERY_SITUATION = {
  'suspend a bad Scrub': { journey: 'operatorPeople.test.ts', acts: ['showContact', 'suspend'] },
  'admit a Duber': {
    journey: 'operatorAdmission.test.ts',
    acts: ['showDocuments', 'askDocumentsAgain', 'admitWorker'],
  },
  'look at the live map': { journey: 'operatorMap.test.ts', acts: [] },
  'free a stuck delivery': { journey: 'operatorOrders.test.ts', acts: ['delivery-take-off'] },
  'give half of an order back': { journey: 'operatorMoney.test.ts', acts: ['refundOrder'] },
  'decide a complaint with photos': { journey: 'operatorTown.test.ts', acts: ['decideCase'] },
  'set the prices of a zone': {
    journey: 'operatorZones.test.ts',
    acts: ['ask:addZone', 'approved:addZone'],
  },
  'change the hours': { journey: 'operatorHours.test.ts', acts: ['setHours', 'addClosure'] },
  'read the revenue by week': { journey: 'operatorMoney.test.ts', acts: [] },
  'export the taxes of a year': {
    journey: 'operatorTaxes.test.ts',
    acts: ['ask:exportTaxWorkers', 'approved:exportTaxWorkers'],
  },
  'find the order of a caller': { journey: 'operatorOrders.test.ts', acts: [] },
  'write to all Dubers': { journey: 'operatorTown.test.ts', acts: ['sendBroadcast'] },
  'read who did what': { journey: 'operator.test.ts', acts: [] },
  'pause orders': { journey: 'operatorTown.test.ts', acts: ['pauseTown', 'openTown'] },
  'make a promo code': { journey: 'promoCodes.test.ts', acts: ['addPromo'] },
  'deal with a lost bag': {
    journey: 'operatorOrders.test.ts',
    acts: ['delivery-call-off', 'order-cancel-by-operator'],
  },
  'deal with a no-show': { journey: 'operatorOrders.test.ts', acts: ['delivery-re-offer'] },
  'deal with a breakdown': { journey: 'operatorOrders.test.ts', acts: ['delivery-relay'] },
  'deal with a silent Scrub': { journey: 'operatorOrders.test.ts', acts: ['order-cancel-by-operator'] },
  'answer a chargeback': {
    journey: 'operatorDisputes.test.ts',
    acts: ['prepareDispute', 'ask:sendDispute', 'approved:sendDispute'],
  },
} as const satisfies Record<string, Situation>;

export type SituationName = keyof typeof EVERY_SITUATION;

/** What the person who runs a town does on a Saturday. Each is measured in a journey. */
export const TWENTY_SITUATIONS: Readonly<Record<SituationName, Situation>> = EVERY_SITUATION;
