import type { ActName } from '../../contract/operator/api.ts';

/** What the console calls each act, and the decisions about what waits. */
const LABELS: Readonly<Record<ActName, string>> = {
  pauseTown: 'Pause the town',
  openTown: 'Open the town',
  setLimits: 'Change limits',
  setTimeZone: 'Change the time zone',
  inviteOperator: 'Invite an operator',
  changeRights: 'Change rights',
  resetFactor: 'Reset a second factor',
  endOperator: 'An operator leaves',
  refundOrder: 'Give money back',
  adjustOrder: 'Correct the books of an order',
  retryProblem: 'Try a payment again',
  dropRefund: 'Give up a refund',
  runPayouts: 'Make payouts',
  openPayoutFile: 'Open a payout file',
  sendPayouts: 'Send payouts',
  returnPayout: 'A payout came back',
  exportTaxWorkers: 'Read what workers were paid',
  revokeInvitation: 'End an invitation',
  decideCase: 'Decide a case',
  closeCase: 'Close a case',
  sendBroadcast: 'Write to many',
  setPrice: 'Change a price',
  setPolicy: 'Change a policy',
  setPreset: 'Change all policies',
  'order-cancel-by-operator': 'Cancel an order',
  'order-give-back': 'Find another Scrub',
  'order-reopen': 'Clean an order again',
  'delivery-take-off': 'Take a Duber off',
  'delivery-bring-back': 'Have laundry brought back',
  'delivery-re-offer': 'Offer a delivery again',
  'delivery-relay': 'Hand a delivery on',
  'delivery-call-off': 'Call a delivery off',
  'delivery-correct': 'Take a step back',
  showContact: 'Show a contact',
  suspend: 'Suspend',
  reinstate: 'Reinstate',
  extendSuspension: 'Keep a suspension longer',
  holdPerson: 'Set a hold',
  liftHold: 'Lift a hold',
  signOutPerson: 'Sign out everywhere',
  notePerson: 'Note',
  prepareDispute: 'Keep the evidence',
  sendDispute: 'Send the evidence to the bank',
  acceptDispute: 'Give up a chargeback',
};

const DECISION_LABELS: Readonly<Record<string, string>> = {
  ask: 'Asked for',
  join: 'Became an operator',
  comeBack: 'Has a new second factor',
  decline: 'Declined',
  withdraw: 'Withdrew',
  stop: 'Stopped',
  expire: 'Expired',
};

/** The words for an action of the audit. What a newer server writes is shown as it is. */
export const labelOfAct = (action: string): string =>
  (LABELS as Record<string, string>)[action] ?? DECISION_LABELS[action] ?? action;
