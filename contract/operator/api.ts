import { approve, decline, listApprovals, stopApproval, withdraw } from './approvals.ts';
import { listAudit, verifyAudit } from './audit.ts';
import type { OperatorCall } from './call.ts';
import { closeCase, decideCase, listTownCases, readTownCase, readTownFile } from './cases.ts';
import {
  acceptDispute,
  listDisputes,
  prepareDispute,
  readDispute,
  readDisputeEvidence,
  sendDispute,
} from './disputes.ts';
import { listBroadcasts, listGivenUpMessages, previewBroadcast, sendBroadcast } from './messages.ts';
import {
  changeRights,
  endOperator,
  inviteOperator,
  listOperators,
  resetFactor,
  revokeInvitation,
} from './operators.ts';
import { listPolicies, setPolicy, setPreset } from './policies.ts';
import { listPrices, previewPrice, setPrice } from './prices.ts';
import {
  acceptInvitation,
  enterCode,
  operatorSignIn,
  operatorSignOut,
  readInvitation,
  readOperatorSession,
} from './session.ts';
import { openTown, pauseTown, readTown, setLimits, setTimeZone } from './town.ts';

/** Every call of the console. Calls with `act` leave one row each in the audit. */
export const OPERATOR_API = {
  operatorSignIn,
  readOperatorSession,
  operatorSignOut,
  enterCode,
  readInvitation,
  acceptInvitation,
  listApprovals,
  approve,
  decline,
  withdraw,
  stopApproval,
  listAudit,
  verifyAudit,
  readTown,
  pauseTown,
  openTown,
  setLimits,
  setTimeZone,
  listOperators,
  inviteOperator,
  changeRights,
  resetFactor,
  endOperator,
  revokeInvitation,
  listTownCases,
  readTownCase,
  decideCase,
  closeCase,
  readTownFile,
  listBroadcasts,
  previewBroadcast,
  sendBroadcast,
  listGivenUpMessages,
  listPrices,
  previewPrice,
  setPrice,
  listPolicies,
  setPolicy,
  setPreset,
  listDisputes,
  readDispute,
  readDisputeEvidence,
  prepareDispute,
  sendDispute,
  acceptDispute,
} as const satisfies Record<string, OperatorCall>;

export type OperatorApi = typeof OPERATOR_API;
export type OperatorCallName = keyof OperatorApi;
/** The calls that change something and are audited. */
export type ActName = { [N in OperatorCallName]: OperatorApi[N] extends { act: object } ? N : never }[OperatorCallName];
