import { join } from 'node:path';
import { findBreaches, findLongFiles, readSources } from './boundaries.ts';
import { ROOT } from './build.ts';
import { type Outcome, runAll, runTool, type Task } from './runTasks.ts';

const tool = (name: string, command: string, ...args: string[]): Task => ({
  name,
  run: () => runTool(ROOT, join(ROOT, 'node_modules', '.bin', command), ...args),
});

const TASKS: readonly Task[] = [
  tool('types of web/', 'tsc', '-p', 'web'),
  tool('types of web/worker/', 'tsc', '-p', 'web/worker'),
  tool('types of the Node parts', 'tsc', '-p', 'tsconfig.node.json'),
  tool('types of domain/', 'tsc', '-p', 'domain'),
  tool('format and lint', 'biome', 'ci', '--colors=off', '.'),
  tool('nothing unused', 'knip', '--no-progress', '--no-config-hints'),
  { name: 'who leans on whom', run: async () => findBreaches(readSources(ROOT)) },
  { name: 'no file over 300 lines', run: async () => findLongFiles(readSources(ROOT)) },
];

function tell({ name, seconds, faults }: Outcome): void {
  console.log(`${faults.length > 0 ? '✗' : '✓'} ${name} (${seconds.toFixed(1)} s)`);
  for (const fault of faults) console.log(`    ${fault}`);
}

const outcomes = await runAll(TASKS, tell);
const failed = outcomes.filter(({ faults }) => faults.length > 0).length;
console.log(`check: ${outcomes.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
