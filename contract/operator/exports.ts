import { z } from 'zod';
import { numberInQuery, strict } from '../fields.ts';
import { act, operatorCall } from './call.ts';
import { CsvFile } from './payouts.ts';

const FIRST_YEAR = 2020;
const LAST_YEAR = 2100;
const YEAR_ERROR = `year must be from ${FIRST_YEAR} to ${LAST_YEAR}`;
const year = z.int({ error: YEAR_ERROR }).min(FIRST_YEAR, { error: YEAR_ERROR }).max(LAST_YEAR, { error: YEAR_ERROR });
const query = strict({ year: numberInQuery(year, YEAR_ERROR) });

export const readSalesTax = operatorCall({
  method: 'GET',
  path: '/operator/export/sales-tax',
  cap: 'money',
  query,
  answer: CsvFile,
  status: 200,
  failures: [],
  summary: "Taxes that were collected and given back, by month of the town's time zone",
  example: { query: { year: '2026' } },
});

export const exportTaxWorkers = act({
  path: '/operator/export/tax-workers',
  cap: 'money',
  act: { subject: 'town', takesCode: true },
  body: { year },
  failures: [],
  summary: 'Ask to read what each worker was paid in a year. Needs a second operator; then it can be read for 24 hours',
  example: { body: { year: 2026, reason: 'For the tax adviser' } },
});

export const readTaxWorkers = operatorCall({
  method: 'GET',
  path: '/operator/export/tax-workers',
  cap: 'money',
  query,
  answer: CsvFile,
  status: 200,
  failures: ['wrongStatus'],
  summary:
    'What each worker was paid in a year, for whom another operator has agreed to it. Without tax numbers, which are not stored',
  example: { query: { year: '2026' } },
});
