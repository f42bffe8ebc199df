export {
  type EntryLineRow,
  listLedgerEntries,
  listPayoutRecords,
  listWaitingCredits,
  listWeeksOfMoney,
  sumDuePayouts,
  type WeekOfMoney,
} from '../ledger/moneyReports.sql.ts';
export { findHoldOver, listProblems, type PaymentProblem, retryProblem } from '../reconcile/problems.sql.ts';
export { listTaxMonths, listWorkerYears } from './taxYears.sql.ts';
