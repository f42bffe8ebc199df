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
  revokeInvitation: 'End an invitation',
  decideCase: 'Decide a case',
  closeCase: 'Close a case',
  sendBroadcast: 'Write to many',
  setPrice: 'Change a price',
  setPolicy: 'Change a policy',
  setPreset: 'Change all policies',
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
