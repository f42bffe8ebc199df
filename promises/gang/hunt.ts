// node promises/gang/hunt.ts FROM COUNT [ms limit]
import { appendFileSync } from 'node:fs';
import { startPostgres } from '../../scripts/postgres.ts';
import { createRandom } from '../../testing/random.ts';
import { describeBooks, readGroupBooks, readScores, readUnprovenPay } from './gangBooks.ts';
import { budsOf, createGroup, workersOf } from './gangGroup.ts';
import { liveAsGang } from './gangLife.ts';
import { openGangTown } from './gangTown.ts';

const [from = 1, count = 10] = process.argv.slice(2).map(Number);
const log = process.argv[4] ?? '/tmp/hunt.log';
const postgres = await startPostgres({ settings: { fsync: 'off', synchronous_commit: 'off' } });
process.env.TEST_DATABASE_URL = postgres.url;
const real = await openGangTown();
const spent: Record<string, number> = {};
const timed = <T extends (...a: any[]) => Promise<any>>(name: string, f: T) => (async (...a: any[]) => { const t = performance.now(); try { return await f(...a); } finally { spent[name] = Math.round((spent[name] ?? 0) + performance.now() - t); spent[name + ' n'] = (spent[name + ' n'] ?? 0) + 1; } }) as unknown as T;
const town = { ...real, pass: timed('pass', real.pass), passMonday: timed('monday', real.passMonday), waitForCards: timed('cards', real.waitForCards) };
process.on('exit', () => console.log(spent));
for (let seed = from; seed < from + count; seed += 1) {
  const random = createRandom(seed);
  const started = performance.now();
  const cpu = process.cpuUsage();
  try {
    const group = await createGroup(town, random);
    const signed = performance.now();
    const life = await liveAsGang(town, group, random);
    const [buds, workers] = [budsOf(group), workersOf(group)];
    const books = await readGroupBooks(town.db, { buds, workers });
    const taken = group.kind === 'friends' ? books.takenOut - books.paidIn : await readUnprovenPay(town.db, workers, group.preset === 'careful');
    const bound = workers.length * group.weeks * 1200 + (group.kind === 'friends' ? buds.length * 1000 : 0);
    const scores = await readScores(town.db, { buds, workers, isCautious: false });
    const best = [...scores].sort((a, b) => b[1] - a[1]).slice(0, 3).map(([id, c]) => `#${life.orders.findIndex((o) => o.id === id) + 1}=${c}`);
    const used = process.cpuUsage(cpu);
    const line = `${taken > bound ? 'FOUND' : 'ok   '} seed ${seed} ${group.kind} ${group.preset} w${workers.length} x${group.weeks} taken ${taken} bound ${bound} best ${best} orders ${life.orders.length} counts ${JSON.stringify(life.counts)} ${Math.round(signed - started)}+${Math.round(performance.now() - signed)} ms cpu ${Math.round((used.user + used.system) / 1000)}`;
    console.log(line);
    appendFileSync(log, `${line}\n${taken > bound || process.env.ALL ? `${describeBooks(books)}\n${life.trace.join('\n')}\n` : ''}`);
  } catch (error) {
    console.log(`ERROR seed ${seed}`, error);
    appendFileSync(log, `ERROR ${seed} ${error}\n`);
  }
}
await town.close();
await postgres.stop();
process.exit(0);
