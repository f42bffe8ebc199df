import * as accounts from './accounts.ts';
import type { Call } from './call.ts';
import { caseSteps, createCase, listCases, readCase } from './cases.ts';
import { changeEmail, changePassword, sendEmailChangeCodes } from './credentials.ts';
import { budDashboard, duberDashboard, scrubDashboard } from './dashboards.ts';
import { deliverySteps, findDeliveriesNearby, listDeliveries, readDelivery } from './deliveries.ts';
import { readRoute } from './deliveryRoute.ts';
import { readDocuments, sendDocument } from './documents.ts';
import { earningLines, earnings, workFigures } from './earnings.ts';
import { deliveryExceptions, orderExceptions, readCancellation } from './exceptions.ts';
import { createFile, readFile } from './files.ts';
import * as handovers from './handovers.ts';
import * as notifications from './notifications.ts';
import { calculatePrice, listOrders, orderSteps, placeOrder, readOrder, totalSpending } from './orders.ts';
import { readConfig, readReceipt } from './payments.ts';
import { changePayoutAccount, readPayoutAccount } from './payoutAccounts.ts';
import * as personalData from './personalData.ts';
import { createAddress, deleteAddress, findScrubsNearby, updateAddress } from './places.ts';
import { forgetPosition, readPosition, sharePosition } from './positions.ts';
import { checkPromo } from './promos.ts';
import * as proposals from './proposals.ts';
import { reviewToBud, reviewToDuber, reviewToScrub } from './reviews.ts';
import { listSavedCards, removeSavedCard } from './savedCards.ts';
import { endOtherSessions, endSession, listSessions } from './sessions.ts';
import { changeTaxId, readTaxId } from './taxIds.ts';
import * as weeks from './weeks.ts';
import { answerCorrection, readWeighing, weighDelivery, weighOrder } from './weighing.ts';
import { listWindows } from './windows.ts';
import { readRecordIssuer, readWorkRecord } from './workRecords.ts';

/** Every HTTP call, by the name of its handler and of its client function. */
export const API = {
  readConfig,
  login: accounts.login,
  signUp: accounts.signUp,
  sendOtpForEmail: accounts.sendOtpForEmail,
  forgotPassword: accounts.forgotPassword,
  resetPassword: accounts.resetPassword,
  session: accounts.session,
  logout: accounts.logout,
  profile: accounts.profile,
  updateProfile: accounts.updateProfile,
  changeVisibility: accounts.changeVisibility,
  readDocuments,
  sendDocument,
  listSessions,
  endSession,
  endOtherSessions,
  readPersonalData: personalData.readPersonalData,
  exportPersonalData: personalData.exportPersonalData,
  downloadPersonalData: personalData.downloadPersonalData,
  eraseAccount: personalData.eraseAccount,
  keepAccount: personalData.keepAccount,
  listSavedCards,
  removeSavedCard,
  changePassword,
  sendEmailChangeCodes,
  changeEmail,
  createAddress,
  updateAddress,
  deleteAddress,
  findScrubsNearby,
  listWindows,
  readCalendar: weeks.readCalendar,
  setWeek: weeks.setWeek,
  listDaysOffTouched: weeks.listDaysOffTouched,
  addDaysOff: weeks.addDaysOff,
  removeDaysOff: weeks.removeDaysOff,
  makeCalendarFeed: weeks.makeCalendarFeed,
  stopCalendarFeed: weeks.stopCalendarFeed,
  readCalendarFeed: weeks.readCalendarFeed,
  listOrders,
  placeOrder,
  calculatePrice,
  checkPromo,
  totalSpending,
  readOrder,
  readReceipt,
  ...orderSteps,
  ...orderExceptions,
  readCancellation,
  readWeighing,
  weighOrder,
  answerCorrection,
  readCustody: handovers.readCustody,
  confirmReceived: handovers.confirmReceived,
  chooseLeaveAtDoor: handovers.chooseLeaveAtDoor,
  makeBags: handovers.makeBags,
  readBag: handovers.readBag,
  readOwnBag: handovers.readOwnBag,
  reviewToScrub,
  reviewToBud,
  listDeliveries,
  findDeliveriesNearby,
  readDelivery,
  ...deliverySteps,
  collectWithProof: handovers.collectWithProof,
  deliverWithProof: handovers.deliverWithProof,
  ...deliveryExceptions,
  weighDelivery,
  listCases,
  createCase,
  readCase,
  ...caseSteps,
  readPosition,
  sharePosition,
  forgetPosition,
  readRoute,
  reviewToDuber,
  createFile,
  readFile,
  earnings,
  readWorkRecord,
  readRecordIssuer,
  earningLines,
  workFigures,
  readPayoutAccount,
  changePayoutAccount,
  readTaxId,
  changeTaxId,
  notifications: notifications.notifications,
  chooseNotifications: notifications.chooseNotifications,
  subscribePush: notifications.subscribePush,
  unsubscribePush: notifications.unsubscribePush,
  readUnsubscribe: notifications.readUnsubscribe,
  unsubscribe: notifications.unsubscribe,
  readOtherWindows: proposals.readOtherWindows,
  readProposal: proposals.readProposal,
  answerProposal: proposals.answerProposal,
  budDashboard,
  scrubDashboard,
  duberDashboard,
} as const satisfies Record<string, Call>;

export type Api = typeof API;
export type CallName = keyof Api;
