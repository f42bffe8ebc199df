import { openCluster, openFilledDatabase, runStatements, withQuery } from './api/benchDatabase.ts';
import { measureBlocks, printBlocksTable } from './api/blocks.ts';
import { createCalls } from './api/calls.ts';
import { measureEmbedded } from './api/embedded.ts';
import { measureOnServer } from './api/measure.ts';
import { pgbenchPath } from './api/pgbench.ts';
import { startCardNetwork, startProduct } from './api/product.ts';
import { printTable, writeResults } from './api/results.ts';
import { measureSeveralProcesses, printProcessesTable } from './api/severalProcesses.ts';
import { measureStepsBesideReaders, printStepTable } from './api/stepsBesideReaders.ts';
import { addCleanup, createTempFolder, log, readOption, readSizes, runBench } from './run.ts';

const EMBEDDED_PEOPLE = 10_000;
/** The values of --only that measure nothing else. */
const STEPS_BESIDE_READERS = 'steps beside readers';
const SEVERAL_PROCESSES = 'several processes';
/** Without stand-ins in the server, which several processes would not share. Nothing is sent to these addresses. */
const REAL_SERVICES = {
  ...{ SANDBOX: 'off', SMTP_URL: 'smtp://127.0.0.1:1', MAPBOX_TOKEN: 'pk.1' },
  MAP_STYLE_URL: 'https://tiles.example.org/style.json',
};

type BenchOptions = {
  sizes: number[];
  rounds: number;
  seconds: number;
  warmUps: number;
  only: string;
  isBlocks: boolean;
};

// npm run bench -- 10k 100k 1M --rounds=5 --seconds=1.5 --only=nearby. With --warm-ups=20 --rounds=0 it only warms up, twenty times;
// with --blocks it only explains the statements.
function parseOptions(args: readonly string[]): BenchOptions {
  const sizes = readSizes(args);
  return {
    sizes: sizes.length > 0 ? sizes : [10_000, 100_000, 1_000_000],
    rounds: Number(readOption(args, 'rounds', '5')),
    seconds: Number(readOption(args, 'seconds', '1')),
    warmUps: Number(readOption(args, 'warm-ups', '1')),
    only: readOption(args, 'only', ''),
    isBlocks: args.includes('--blocks'),
  };
}

async function run(): Promise<void> {
  const { sizes, rounds, seconds, warmUps, only, isBlocks } = parseOptions(process.argv.slice(2));
  if (!pgbenchPath()) {
    log('this PostgreSQL comes without pgbench (as the one from npm does), so there are no ratios: install postgresql');
    log('with your package manager, or set PG_BIN to its folder');
  }
  const cluster = await openCluster();
  addCleanup(cluster.stop);
  const cards = await startCardNetwork();
  addCleanup(cards.close);
  for (const people of sizes) {
    const url = await openFilledDatabase(cluster, people);
    const allCalls = await withQuery(url, createCalls);
    const calls = allCalls.filter(({ name }) => name.includes(only));
    if (isBlocks) {
      printBlocksTable(`${people.toLocaleString('en')} people, what PostgreSQL does`, await measureBlocks(url, calls));
      continue;
    }
    const dataDir = createTempFolder();
    if (only === SEVERAL_PROCESSES) {
      const env = { DATABASE_URL: url, DATA_DIR: dataDir, ...cards.env, ...REAL_SERVICES };
      const rows = await measureSeveralProcesses({ env, calls: allCalls, rounds, seconds });
      printProcessesTable(`One process, and two of one server, ${people.toLocaleString('en')} people`, rows);
      continue;
    }
    const product = await startProduct({ DATABASE_URL: url, DATA_DIR: dataDir, ...cards.env });
    try {
      if (only !== STEPS_BESIDE_READERS) {
        const table = await measureOnServer({
          url,
          calls,
          product,
          rounds,
          seconds,
          warmUps,
          secondsPerHold: cards.secondsPerHold,
          log,
        });
        if (rounds === 0) continue;
        printTable(`${people.toLocaleString('en')} people, PostgreSQL`, table);
        if (only === '') writeResults({ people, database: 'PostgreSQL', rounds, seconds }, table);
      }
      if (only === '' || only === STEPS_BESIDE_READERS) {
        const rows = await measureStepsBesideReaders({ ...product, calls: allCalls, log });
        printStepTable(`Steps beside readers, ${people.toLocaleString('en')} people, PostgreSQL`, rows);
        for (const { reset = [] } of allCalls) await runStatements(url, reset);
      }
    } finally {
      await product.stop();
    }
  }
  if (!isBlocks && rounds > 0 && (only === '' || only === 'embedded')) await benchEmbedded(cards.env, seconds);
}

async function benchEmbedded(env: Record<string, string>, seconds: number): Promise<void> {
  const { readyMs, rows } = await measureEmbedded({ people: EMBEDDED_PEOPLE, env, seconds, log });
  printTable(`${EMBEDDED_PEOPLE.toLocaleString('en')} people, embedded (PGlite)`, rows);
  const blocked = Math.max(...rows.map((row) => row.blockedMs));
  console.log(
    `\nReady after ${readyMs.toFixed(0)} ms. The event loop was never blocked for longer than ${blocked.toFixed(0)} ms:`,
  );
  for (const { name, blockedMs } of rows) console.log(`  ${name.padEnd(28)} ${blockedMs.toFixed(0)} ms`);
  writeResults({ people: EMBEDDED_PEOPLE, database: 'PGlite', seconds, readyMs }, rows);
}

runBench(run);
