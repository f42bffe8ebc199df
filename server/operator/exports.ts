import { toCsvCell } from '../../domain/csv.ts';
import type { Cents } from '../../domain/payments.ts';
import { refuse } from '../http/refusals.ts';
import { readSettings } from '../town/settings.sql.ts';
import { isExportApproved, listTaxMonths, listWorkerYears } from './exports.sql.ts';
import type { Acts, ConsoleContext, OperatorHandlers } from './operatorContext.ts';

/** How long an export of people's data can be read after the approval. */
const READABLE_MS = 24 * 60 * 60_000;

const dollars = (cents: Cents) => (cents / 100).toFixed(2);
const csv = (rows: readonly (readonly (string | number)[])[]) => [...rows.map((row) => row.join(',')), ''].join('\r\n');

export const exportHandlers = ({
  db,
  now,
}: ConsoleContext): Pick<OperatorHandlers, 'readSalesTax' | 'readTaxWorkers'> => ({
  readSalesTax: async ({ query: { year } }) => {
    const { timeZone } = await readSettings(db, now());
    const months = await listTaxMonths(db, year, timeZone);
    const rows = months.map(({ month, collected, givenBack }) => [
      month,
      ...[collected, givenBack, collected - givenBack].map(dollars),
    ]);
    return { name: `sales-tax-${year}.csv`, text: csv([['month', 'collected', 'given back', 'net'], ...rows]) };
  },
  readTaxWorkers: async ({ operator, query: { year } }) => {
    const since = new Date(now().getTime() - READABLE_MS);
    const asked = { action: 'exportTaxWorkers', operatorId: operator.id, year, since } as const;
    if (!(await isExportApproved(db, asked)))
      refuse('wrongStatus', { message: 'Ask for a second yes first. Then it can be read for 24 hours' });
    const { timeZone } = await readSettings(db, now());
    const rows = (await listWorkerYears(db, year, timeZone)).map(({ id, name, email, role, payouts, cents }) => [
      ...[id, toCsvCell(name), toCsvCell(email), role, payouts],
      dollars(cents),
    ]);
    const head = ['person', 'name', 'email', 'role', 'payouts', 'paid in USD'];
    return { name: `workers-${year}.csv`, text: csv([head, ...rows]) };
  },
});

/** It only records the approval: the row in the audit allows reading the export. */
export const EXPORT_ACTS: Pick<Acts, 'exportTaxWorkers'> = {
  exportTaxWorkers: { needsApproval: () => true, run: async () => ({}) },
};
