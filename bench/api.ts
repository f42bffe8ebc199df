import { callsOf } from './api/calls.ts';
import { measureEmbedded } from './api/embedded.ts';
import { measureOnServer } from './api/measure.ts';
import { pgbenchPath } from './api/pgbench.ts';
import { startCardNetwork, startProduct } from './api/product.ts';
import { printTable, writeResults } from './api/table.ts';
import { openCluster, openFilled, withAsk } from './api/world.ts';
import { atEnd, folderOfItsOwn, runBench, say } from './run.ts';

const EMBEDDED_PEOPLE = 10_000;

type Asked = { sizes: number[]; rounds: number; seconds: number; only: string };

// npm run bench -- 10k 100k 1M --rounds=5 --seconds=1.5 --only=nearby
function readAsked(given: readonly string[]): Asked {
  const option = (name: string, otherwise: string) =>
    given.find((one) => one.startsWith(`--${name}=`))?.slice(name.length + 3) ?? otherwise;
  const sizes = given.filter((one) => /^\d+[kM]?$/.test(one));
  const number = (text: string) =>
    Number.parseInt(text, 10) * (text.endsWith('M') ? 1e6 : text.endsWith('k') ? 1e3 : 1);
  return {
    sizes: (sizes.length > 0 ? sizes : ['10k', '100k', '1M']).map(number),
    rounds: Number(option('rounds', '5')),
    seconds: Number(option('seconds', '1')),
    only: option('only', ''),
  };
}

async function run(): Promise<void> {
  const { sizes, rounds, seconds, only } = readAsked(process.argv.slice(2));
  if (!pgbenchPath()) {
    say('there is no pgbench beside this PostgreSQL (the one from npm has none), so there are no ratios: install');
    say('postgresql with your package manager, or set PG_BIN to where it is');
  }
  const cluster = await openCluster();
  atEnd(cluster.stop);
  const cards = await startCardNetwork();
  atEnd(cards.close);
  for (const people of sizes) {
    const url = await openFilled(cluster, people);
    const calls = (await withAsk(url, callsOf)).filter(({ name }) => name.includes(only));
    const dataDir = folderOfItsOwn();
    const product = await startProduct({ DATABASE_URL: url, DATA_DIR: dataDir, ...cards.env });
    try {
      const table = await measureOnServer({
        url,
        calls,
        product,
        rounds,
        seconds,
        secondsAHold: cards.secondsAHold,
        say,
      });
      printTable(`${people.toLocaleString('en')} people, PostgreSQL`, table);
      if (only === '') writeResults({ people, database: 'PostgreSQL', rounds, seconds }, table);
    } finally {
      await product.stop();
    }
  }
  if (only === '' || only === 'embedded') await runEmbedded(cards.env, seconds);
}

async function runEmbedded(env: Record<string, string>, seconds: number): Promise<void> {
  const { readyMs, rows } = await measureEmbedded({ people: EMBEDDED_PEOPLE, env, seconds, say });
  printTable(`${EMBEDDED_PEOPLE.toLocaleString('en')} people, embedded (PGlite)`, rows);
  const blocked = Math.max(...rows.map((row) => row.blockedMs));
  console.log(
    `\nReady after ${readyMs.toFixed(0)} ms. The event loop was never away for longer than ${blocked.toFixed(0)} ms:`,
  );
  for (const { name, blockedMs } of rows) console.log(`  ${name.padEnd(28)} ${blockedMs.toFixed(0)} ms`);
  writeResults({ people: EMBEDDED_PEOPLE, database: 'PGlite', seconds, readyMs }, rows);
}

runBench(run);
