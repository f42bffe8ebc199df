import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DOCUMENTS, type DocumentName } from '../contract/openapi.ts';
import { renderDocsPage } from '../server/http/openapi/page.ts';
import { findViolations, readSources } from './boundaries.ts';
import { buildWeb, ROOT } from './build.ts';
import { findPackageProblems, readInstalledFrom, readLockfile } from './packages.ts';
import { findSlowRegularExpressions } from './regularExpressions.ts';
import { type Outcome, runTasks, runTool, type Task } from './runTasks.ts';
import { findChangedSchema } from './schemaDigest.ts';
import { findHtmlProblems } from './validHtml.ts';

const toolTask = (name: string, command: string, ...args: string[]): Task => ({
  name,
  run: () => runTool(ROOT, join(ROOT, 'node_modules', '.bin', command), ...args),
});

const TASKS: readonly Task[] = [
  toolTask('types of web/', 'tsc', '-p', 'web'),
  toolTask('types of web/worker/', 'tsc', '-p', 'web/worker'),
  toolTask('types of the Node parts', 'tsc', '-p', 'tsconfig.node.json'),
  toolTask('types of domain/', 'tsc', '-p', 'domain'),
  toolTask('format and lint', 'biome', 'ci', '--colors=off', '.'),
  toolTask('nothing unused', 'knip', '--no-progress', '--no-config-hints'),
  { name: 'import boundaries', run: async () => findViolations(readSources(ROOT)) },
  {
    name: 'licences, checksums and install scripts of packages',
    run: async () => findPackageProblems(readLockfile(ROOT).packages, readInstalledFrom(ROOT)),
  },
  {
    name: 'no slow regular expression',
    run: async () => findSlowRegularExpressions(readSources(ROOT), { isCached: true }),
  },
  { name: 'valid HTML of the pages that are built', run: findPageProblems },
  { name: 'a changed schema has a new number', run: async () => findChangedSchema() },
];

/** The landing page and the sign-in, which the build renders, and the pages of the API's docs. */
async function findPageProblems(): Promise<string[]> {
  const webDir = await buildWeb({ log: () => {}, mayCompressLater: true });
  const pages = [
    ['index.html', readFileSync(join(webDir, 'index.html'), 'utf8')] as const,
    ...(Object.keys(DOCUMENTS) as DocumentName[]).map((name) => [`docs of ${name}`, renderDocsPage(name, {})] as const),
  ];
  return (await Promise.all(pages.map(([name, html]) => findHtmlProblems(name, html)))).flat();
}

function printOutcome({ name, seconds, problems }: Outcome): void {
  console.log(`${problems.length > 0 ? '✗' : '✓'} ${name} (${seconds.toFixed(1)} s)`);
  for (const problem of problems) console.log(`    ${problem}`);
}

const outcomes = await runTasks(TASKS, printOutcome);
const failed = outcomes.filter(({ problems }) => problems.length > 0).length;
console.log(`check: ${outcomes.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
