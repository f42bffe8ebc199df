import { z } from 'zod';
import { money, numberInQuery, strict } from '../fields.ts';
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
  permission: 'money',
  query,
  answer: CsvFile,
  status: 200,
  failures: [],
  summary: "Taxes that were collected and given back, by month of the town's time zone and by their rate",
  example: { query: { year: '2026' } },
});

export const readMissingTaxIds = operatorCall({
  method: 'GET',
  path: '/operator/export/tax-workers/missing',
  permission: 'money',
  query,
  answer: z
    .object({
      from: money.describe('workers who were paid as much in the year, or more, must be reported'),
      workers: z.int().describe('how many these are'),
      missing: z.int().describe('how many of them have no tax number that can be read'),
    })
    .meta({ id: 'MissingTaxIds' }),
  status: 200,
  failures: [],
  summary: 'How many workers must be reported for a year, and how many of them have not entered a tax number',
  example: { query: { year: '2026' } },
});

export const exportTaxWorkers = act({
  path: '/operator/export/tax-workers',
  permission: 'money',
  act: { subject: 'town', takesCode: true, approval: 'always', alone: 'waits' },
  body: { year },
  failures: [],
  summary:
    'Ask to read what each worker was paid in a year, with their tax numbers. Needs a second operator; then it can be read for 24 hours',
  example: { body: { year: 2026, reason: 'For the tax adviser' } },
});

export const readTaxWorkers = operatorCall({
  method: 'GET',
  path: '/operator/export/tax-workers',
  permission: 'money',
  query,
  answer: CsvFile,
  status: 200,
  failures: ['wrongStatus', 'codeTooOld'],
  summary:
    'What each worker was paid in a year, with their tax numbers, for the operator whose request another one has approved. Columns are empty without a number that can be read',
  example: { query: { year: '2026' } },
});
