import {
  admitWorker,
  askDocumentsAgain,
  readAdmission,
  readDocumentPhoto,
  reconsiderWorker,
  refuseWorker,
  showDocuments,
} from './admissions.ts';
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
import { exportTaxWorkers, readSalesTax, readTaxWorkers } from './exports.ts';
import { addClosure, listPastClosures, readHours, setHours, takeBackClosure } from './hours.ts';
import { listBroadcasts, listGivenUpMessages, previewBroadcast, sendBroadcast } from './messages.ts';
import {
  adjustOrder,
  dropRefund,
  listLedger,
  listMoneyProblems,
  listMoneyWeeks,
  previewAdjustment,
  previewRefund,
  refundOrder,
  retryProblem,
} from './money.ts';
import {
  changeRights,
  endOperator,
  inviteOperator,
  listOperators,
  resetFactor,
  revokeInvitation,
} from './operators.ts';
import { deliveryActs, orderActs } from './orderActs.ts';
import { listTownOrders, readTownOrder } from './orders.ts';
import {
  listPayouts,
  openPayoutFile,
  readPayoutFile,
  returnPayout,
  runPayouts,
  sendPayouts,
  setIban,
  setUsBank,
} from './payouts.ts';
import {
  extendSuspension,
  holdPerson,
  liftHold,
  listPeople,
  notePerson,
  readContact,
  readPerson,
  reinstate,
  showContact,
  signOutPerson,
  suspend,
} from './people.ts';
import { listPolicies, setPolicy, setPreset } from './policies.ts';
import { listPrices, previewPrice, setPrice } from './prices.ts';
import { addPromo, endPromo, listPromos, listPromoUses } from './promos.ts';
import { searchTown } from './search.ts';
import {
  acceptInvitation,
  enterCode,
  operatorSignIn,
  operatorSignOut,
  readInvitation,
  readOperatorSession,
} from './session.ts';
import { readToday, readTownMap } from './today.ts';
import { openTown, pauseTown, readTown, setLimits, setTimeZone } from './town.ts';
import { addZone, drawZone, listZones, previewZonePrices, setZonePrices } from './zones.ts';

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
  previewRefund,
  refundOrder,
  previewAdjustment,
  adjustOrder,
  listMoneyProblems,
  retryProblem,
  dropRefund,
  listLedger,
  listMoneyWeeks,
  listPayouts,
  runPayouts,
  sendPayouts,
  returnPayout,
  setUsBank,
  setIban,
  openPayoutFile,
  readPayoutFile,
  readSalesTax,
  exportTaxWorkers,
  readTaxWorkers,
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
  readToday,
  readTownMap,
  searchTown,
  listTownOrders,
  readTownOrder,
  ...orderActs,
  ...deliveryActs,
  listPeople,
  readPerson,
  showContact,
  readContact,
  suspend,
  reinstate,
  extendSuspension,
  holdPerson,
  liftHold,
  signOutPerson,
  notePerson,
  readAdmission,
  showDocuments,
  readDocumentPhoto,
  admitWorker,
  askDocumentsAgain,
  refuseWorker,
  reconsiderWorker,
  listDisputes,
  readDispute,
  readDisputeEvidence,
  prepareDispute,
  sendDispute,
  acceptDispute,
  readHours,
  setHours,
  listPastClosures,
  addClosure,
  takeBackClosure,
  listZones,
  previewZonePrices,
  addZone,
  drawZone,
  setZonePrices,
  listPromos,
  listPromoUses,
  addPromo,
  endPromo,
} as const satisfies Record<string, OperatorCall>;

export type OperatorApi = typeof OPERATOR_API;
export type OperatorCallName = keyof OperatorApi;
/** The calls that change something and are audited. */
export type ActName = { [N in OperatorCallName]: OperatorApi[N] extends { act: object } ? N : never }[OperatorCallName];
