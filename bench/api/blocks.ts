import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { PLAN_OPTIONS } from '../../server/db/database.ts';
import { withConnection } from '../../testing/databaseConnection.ts';
import type { MeasuredCall, Sample } from './call.ts';
import { median } from './load.ts';
import { FRESH_ID, literal, PLACEHOLDERS, recordStatements } from './pgbench.ts';

const BLOCK_SAMPLES = 40;
/** PostgreSQL fills its caches with the first runs. */
const UNCOUNTED = 4;

/** What PostgreSQL does for one call: figures that other load on the machine does not change, but for the time. */
export type BlocksRow = {
  readonly name: string;
  readonly statements: number;
  /** Blocks of 8 kB that the plans touch, on average. */
  readonly blocks: number;
  /** Rows that the scans of the plans return, on average. */
  readonly rows: number;
  /** The median time of all statements together. */
  readonly ms: number;
};

type PlanNode = {
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly PlanNode[];
};
type Explained = { readonly Plan: PlanNode; readonly 'Execution Time': number };

/** Explains the statements of each call for several inputs, with the plans that the product has. Nothing is changed. */
export async function measureBlocks(url: string, calls: readonly MeasuredCall[]): Promise<BlocksRow[]> {
  return withConnection({ connectionString: url, options: PLAN_OPTIONS }, async (client) => {
    const rows: BlocksRow[] = [];
    for (const call of calls) if (call.sql) rows.push(await explainCall(client, call, call.sql));
    return rows;
  });
}

async function explainCall(
  client: pg.Client,
  { name, samples }: MeasuredCall,
  work: NonNullable<MeasuredCall['sql']>,
): Promise<BlocksRow> {
  const statements = await recordStatements(work);
  for (const [index, { sql }] of statements.entries()) await client.query(`prepare call_${index} as ${sql}`);
  const results: Explained[][] = [];
  for (let run = 0; run < BLOCK_SAMPLES + UNCOUNTED; run += 1) {
    const fill = inputsOf(samples[run % samples.length] as Sample);
    await client.query('begin');
    const explained: Explained[] = [];
    for (const [index, { parameters }] of statements.entries()) {
      const values = parameters.map((value) => literal(typeof value === 'string' ? fill(value) : value));
      const execute = `execute call_${index}${values.length > 0 ? `(${values.join(', ')})` : ''}`;
      const { rows } = await client.query(`explain (analyze, buffers, timing off, format json) ${execute}`);
      explained.push(rows[0]['QUERY PLAN'][0] as Explained);
    }
    await client.query('rollback');
    results.push(explained);
  }
  await client.query('deallocate all');
  const counted = results.slice(UNCOUNTED);
  const mean = (count: (explained: Explained) => number) =>
    counted.flat().reduce((sum, explained) => sum + count(explained), 0) / counted.length;
  const times = counted.map((explained) => explained.reduce((sum, one) => sum + one['Execution Time'], 0));
  return {
    name,
    statements: statements.length,
    blocks: mean(({ Plan }) => Plan['Shared Hit Blocks'] + Plan['Shared Read Blocks']),
    rows: mean(({ Plan }) => scannedRows(Plan)),
    ms: median(times),
  };
}

/** Replaces the placeholders in a parameter with the values of a sample. */
function inputsOf({ caller, a, b }: Sample): (text: string) => string {
  const values: Record<string, string> = {
    [PLACEHOLDERS.caller]: caller,
    [PLACEHOLDERS.a]: a,
    [PLACEHOLDERS.b]: b,
    [FRESH_ID]: randomUUID(),
  };
  return (text) => text.replaceAll(/«\w+»/g, (placeholder) => values[placeholder] ?? placeholder);
}

function scannedRows({ 'Node Type': type, 'Actual Rows': rows, 'Actual Loops': loops, Plans = [] }: PlanNode): number {
  const own = type.endsWith('Scan') ? rows * loops : 0;
  return own + Plans.reduce((sum, plan) => sum + scannedRows(plan), 0);
}

const HEADERS = ['call', 'statements', 'blocks', 'rows', 'ms'];

export function printBlocksTable(title: string, rows: readonly BlocksRow[]): void {
  console.log(`\n${title}\n\n| ${HEADERS.join(' | ')} |\n|---|${'---:|'.repeat(HEADERS.length - 1)}`);
  for (const { name, statements, blocks, rows: read, ms } of rows)
    console.log(`| ${name} | ${statements} | ${blocks.toFixed(0)} | ${read.toFixed(0)} | ${ms.toFixed(2)} |`);
}
