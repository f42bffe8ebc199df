import pg from 'pg';
import { openCluster, openFilled, withQuery } from './api/benchDatabase.ts';
import { quantile } from './api/load.ts';
import { startProduct } from './api/product.ts';
import { writeResults } from './api/results.ts';
import { QUESTIONS, type Question } from './operator/questions.ts';
import { measureTodayUnderLoad, printTodayUnderLoad, type TodayUnderLoad } from './operator/todayUnderLoad.ts';
import { ORDERS, TOWN_PARTS_IN_ORDER } from './operator/townFill.sql.ts';
import { addCleanup, createTempFolder, log, readOption, runBench } from './run.ts';

const TIMES = Number(process.env.BENCH_TIMES ?? 300);
const WARM_UPS = 20;
/** Each text is asked for this often in a row, and the fastest counts: what others do on the machine is not the town's. */
const ATTEMPTS = Number(process.env.BENCH_ATTEMPTS ?? 3);
const TOKEN = 'bench-operator';
const TODAY = 'today under load';

type Row = {
  readonly name: string;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  readonly found: number;
};

const only = readOption(process.argv, 'only', '');

/** Signs the first operator in. */
const SIGN_IN = `insert into operator_sessions (token_hash, operator_id, created_at, last_used_at, code_at, network, browser)
  select sha256(convert_to('${TOKEN}', 'UTF8')), id, now(), now(), now(), 'bench', 'bench' from operators where email = 'o1@bench.test'
  on conflict (token_hash) do update set created_at = now(), last_used_at = now()`;

/** Times `ask` alone: one call after the other, nobody beside. */
async function time(name: string, texts: readonly string[], ask: (text: string) => Promise<number>): Promise<Row> {
  const times: number[] = [];
  let found = 0;
  for (let n = -WARM_UPS; n < TIMES; n += 1) {
    const text = texts[(n + WARM_UPS) % texts.length] ?? '';
    let fastest = Number.POSITIVE_INFINITY;
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const startedAt = performance.now();
      const count = await ask(text);
      fastest = Math.min(fastest, performance.now() - startedAt);
      if (attempt === 0 && n >= 0) found += count;
    }
    if (n >= 0) times.push(fastest);
  }
  const row = {
    name,
    p50Ms: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
    maxMs: Math.max(...times),
    found: found / TIMES,
  };
  log(`${row.name}: ${row.p50Ms.toFixed(1)} ms, ${row.p99Ms.toFixed(1)} ms`);
  return row;
}

async function askOverHttp(host: string, question: Question, texts: readonly string[]): Promise<Row> {
  return time(question.name, texts, async (text) => {
    const answer = await fetch(host + question.path(text), { headers: { authorization: `Bearer ${TOKEN}` } });
    const body = (await answer.json()) as { items?: unknown[]; statusCode?: number };
    if (!answer.ok) throw new Error(`${question.path(text)}: ${JSON.stringify(body)}`);
    return body.items?.length ?? 1;
  });
}

async function measureConsole(): Promise<{ rows: Row[]; today?: TodayUnderLoad }> {
  const cluster = await openCluster();
  addCleanup(cluster.stop);
  const url = await openFilled(cluster, 'town', TOWN_PARTS_IN_ORDER);
  const product = await startProduct({ DATABASE_URL: url, DATA_DIR: createTempFolder(), SANDBOX: 'on' });
  addCleanup(product.stop);
  return withQuery(url, async (query) => {
    await query(SIGN_IN);
    const host = `http://127.0.0.1:${product.port}`;
    const client = new pg.Client(url);
    await client.connect();
    addCleanup(() => client.end());
    const rows = [
      await time('select 1', ['-'], async () => (await client.query({ name: 'one', text: 'select 1' })).rowCount ?? 0),
      await askOverHttp(host, { name: 'the session', typed: '', path: () => '/api/operator/session' }, ['-']),
    ];
    for (const question of QUESTIONS) {
      if (only && !question.name.includes(only)) continue;
      const typed = await query<Record<string, string>>(`select t.* from (${question.typed}) t limit ${TIMES}`);
      rows.push(
        await askOverHttp(
          host,
          question,
          typed.map((row) => String(Object.values(row)[0])),
        ),
      );
    }
    if (only && !TODAY.includes(only)) return { rows };
    log(`${TODAY} ...`);
    return { rows, today: await measureTodayUnderLoad(product.port, TOKEN, client) };
  });
}

function print(rows: readonly Row[]): void {
  console.log(`\n| ${ORDERS} orders | p50 ms | p99 ms | max ms | found |\n|---|---:|---:|---:|---:|`);
  for (const { name, p50Ms, p99Ms, maxMs, found } of rows)
    console.log(`| ${name} | ${p50Ms.toFixed(1)} | ${p99Ms.toFixed(1)} | ${maxMs.toFixed(1)} | ${found.toFixed(1)} |`);
}

runBench(async () => {
  const { rows, today } = await measureConsole();
  print(rows);
  if (today) printTodayUnderLoad(today);
  writeResults({ bench: 'operator', orders: ORDERS }, rows, today && { today });
});
