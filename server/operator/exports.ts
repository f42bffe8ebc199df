import { toCsvCell, toCsvFile } from '../../domain/csv.ts';
import { type Cents, toDollars } from '../../domain/payments.ts';
import { percentOf } from '../../domain/prices.ts';
import { formatTaxNumber, reportedFrom, type TaxId } from '../../domain/taxIds.ts';
import { refuse } from '../http/refusals.ts';
import type { Acts, ConsoleContext, OperatorHandlers } from '../operatorContext.ts';
import { listTaxMonths, listWorkerYears } from '../payments/payouts/moneyReports.ts';
import { countMissingTaxIds, readTaxIds } from '../payments/payouts/taxIds.ts';
import { readSettings } from '../town/settings.sql.ts';
import { isExportApproved } from './exports.sql.ts';
import { isCodeFresh } from './rights.ts';

/** How long an export of people's data can be read after the approval. */
const READABLE_MS = 24 * 60 * 60_000;

const dollars = (cents: Cents) => (cents / 100).toFixed(2);

type ExportCalls = Pick<OperatorHandlers, 'readSalesTax' | 'readMissingTaxIds' | 'readTaxWorkers'>;

export const exportHandlers = ({ db, now, sealer }: ConsoleContext): ExportCalls => ({
  readSalesTax: async ({ query: { year } }) => {
    const { timeZone } = await readSettings(db, now());
    const months = await listTaxMonths(db, year, timeZone);
    const rows = months.map(({ month, taxRate, collected, givenBack }) => [
      month,
      ...[collected, givenBack, collected - givenBack].map(dollars),
      taxRate === null ? '' : percentOf(taxRate),
    ]);
    return { name: `sales-tax-${year}.csv`, text: toCsvFile([TAX_COLUMNS, ...rows]) };
  },
  readMissingTaxIds: async ({ query: { year } }) => {
    const { timeZone } = await readSettings(db, now());
    const counts = await countMissingTaxIds({ db, sealer }, { year, timeZone });
    return { from: toDollars(reportedFrom(year)), ...counts };
  },
  readTaxWorkers: async ({ operator, query: { year } }) => {
    const since = new Date(now().getTime() - READABLE_MS);
    const asked = { action: 'exportTaxWorkers', operatorId: operator.id, year, since } as const;
    if (!(await isExportApproved(db, asked)))
      refuse('wrongStatus', { message: 'Ask for approval first. Then it can be read for 24 hours' });
    // It has tax numbers: a session that somebody else uses must not be enough for a day.
    if (!isCodeFresh(operator.session, now())) refuse('codeTooOld');
    const { timeZone } = await readSettings(db, now());
    const workers = await listWorkerYears(db, year, timeZone);
    const taxIds = await readTaxIds(
      { db, sealer },
      workers.map(({ id }) => id),
    );
    const rows = workers.map(({ id, name, email, role, payouts, cents }) => [
      ...[id, toCsvCell(name), toCsvCell(email), role, payouts, dollars(cents)],
      ...taxCellsOf(taxIds.get(id)),
    ]);
    return { name: `workers-${year}.csv`, text: toCsvFile([WORKER_COLUMNS, ...rows]) };
  },
});

const TAX_COLUMNS = ['month', 'collected', 'given back', 'net', 'rate in percent'];

const WORKER_COLUMNS = [
  ...['person', 'name', 'email', 'role', 'payouts', 'paid in USD'],
  ...['name on the tax return', 'country', 'kind', 'tax number'],
];

/** Empty for a worker without a number. */
function taxCellsOf(taxId: TaxId | undefined): string[] {
  if (!taxId) return ['', '', '', ''];
  const { name, country, kind } = taxId;
  return [toCsvCell(name), country, kind.toUpperCase(), toCsvCell(formatTaxNumber(taxId))];
}

/** It only records the approval: the row in the audit allows reading the export. */
export const EXPORT_ACTS: Pick<Acts, 'exportTaxWorkers'> = {
  exportTaxWorkers: { run: async () => ({}) },
};
