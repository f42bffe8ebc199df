import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { parseSync } from 'vite';

export type Sources = ReadonlyMap<string, string>;

const FOLDERS = ['domain', 'contract', 'server', 'web', 'sandbox', 'journeys', 'bench', 'scripts', 'promises'] as const;
type Folder = (typeof FOLDERS)[number];

const OUTSIDE: readonly Folder[] = ['domain', 'contract', 'server', 'sandbox', 'scripts'];

/** Who may lean on whom, besides on itself. */
const MAY: Record<Folder, readonly Folder[]> = {
  domain: [],
  contract: ['domain'],
  server: ['domain', 'contract'],
  web: ['domain', 'contract'],
  sandbox: [],
  journeys: OUTSIDE,
  bench: OUTSIDE,
  scripts: OUTSIDE,
  promises: OUTSIDE,
};

/** What tests beside the code may lean on as well. */
const TESTS_MAY: readonly Folder[] = ['domain', 'contract', 'sandbox', 'scripts', 'promises'];

/** Folders whose packages are few on purpose; the others may use what package.json names. */
const PACKAGES: Partial<Record<Folder, readonly string[]>> = { domain: [], contract: ['zod'] };
const WITHOUT_NODE: readonly Folder[] = ['domain', 'contract', 'web'];

// Whatever lies in promises/ is there to test.
const isTest = (path: string) =>
  path.startsWith('promises/') || /(?:\.test\.tsx?|(?:^|[/.])testing(?:\.\w+)?\.tsx?)$/.test(path);
const folderOf = (path: string) => FOLDERS.find((folder) => path.startsWith(`${folder}/`));

/** Every file of the folders that have rules, by its path below `root`. */
export function readSources(root: string): Map<string, string> {
  const sources = new Map<string, string>();
  for (const folder of FOLDERS) {
    if (!existsSync(join(root, folder))) continue;
    for (const name of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
      const path = join(root, folder, name);
      if (/\.(?:ts|tsx|css)$/.test(name) && statSync(path).isFile()) {
        sources.set(relative(root, path), readFileSync(path, 'utf8'));
      }
    }
  }
  return sources;
}

/** Every import that leans on what it must not, and every cycle: one line each. */
export function findBreaches(sources: Sources): string[] {
  const graph = new Map<string, string[]>();
  const breaches: string[] = [];
  for (const [path, text] of sources) {
    if (path.endsWith('.css')) continue;
    const targets: string[] = [];
    for (const wanted of importsOf(path, text)) {
      const target = wanted.startsWith('.') ? join(dirname(path), wanted) : undefined;
      const fault = target === undefined ? packageFault(path, wanted) : fileFault(path, target, sources);
      if (fault) breaches.push(`${path} must not lean on ${target ?? wanted}: ${fault}`);
      if (target !== undefined && sources.has(target)) targets.push(target);
    }
    graph.set(path, targets);
  }
  return [...breaches, ...findCycles(graph).map((cycle) => `a cycle: ${cycle.join(' → ')}`)];
}

function importsOf(path: string, text: string): string[] {
  const { module, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} cannot be read: ${errors[0]?.message}`);
  const named = module.staticImports.map((found) => found.moduleRequest.value);
  const handed = module.staticExports.flatMap(({ entries }) => entries.map((entry) => entry.moduleRequest?.value));
  const later = module.dynamicImports.map(({ moduleRequest: { start, end } }) => {
    const written = text.slice(start, end);
    return /^(['"`])[^'"`$]*\1$/.test(written) ? written.slice(1, -1) : undefined;
  });
  return [...new Set([...named, ...handed, ...later])].filter((name) => name !== undefined);
}

function fileFault(path: string, target: string, sources: Sources): string | undefined {
  const [from, to] = [folderOf(path), folderOf(target)];
  if (!from) return undefined;
  if (isTest(target) && !isTest(path)) return 'only tests may';
  if (!to) return /^[^/]+\.(?:json|ts)$/.test(target) && from === 'scripts' ? undefined : 'it is outside the house';
  if (/\.tsx?$/.test(target) && !sources.has(target)) return 'there is no such file';
  const allowed = from === to || MAY[from].includes(to) || (isTest(path) && TESTS_MAY.includes(to));
  return allowed ? undefined : `${from} may lean on ${MAY[from].join(', ') || 'nothing'}`;
}

function packageFault(path: string, wanted: string): string | undefined {
  const from = folderOf(path);
  if (!from || isTest(path)) return undefined;
  const isNode = wanted.startsWith('node:') || builtinModules.includes(wanted);
  if (isNode) return WITHOUT_NODE.includes(from) ? `${from} does not know Node` : undefined;
  const named = PACKAGES[from];
  const name = wanted
    .split('/')
    .slice(0, wanted.startsWith('@') ? 2 : 1)
    .join('/');
  if (!named || named.includes(name)) return undefined;
  return `${from} may use ${named.join(', ') || 'no package'}`;
}

/** Each knot of files that lead back to themselves, once. */
function findCycles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const cycles: string[][] = [];
  const state = new Map<string, 'open' | 'done'>();
  const way: string[] = [];
  const visit = (path: string) => {
    state.set(path, 'open');
    way.push(path);
    for (const next of graph.get(path) ?? []) {
      if (state.get(next) === 'open') cycles.push([...way.slice(way.indexOf(next)), next]);
      else if (!state.has(next)) visit(next);
    }
    way.pop();
    state.set(path, 'done');
  };
  for (const path of graph.keys()) if (!state.has(path)) visit(path);
  return cycles;
}

const LINES_MAXIMUM = 300;

/** Files that have outgrown one screenful of thought: such a one becomes a folder of its name. */
export function findLongFiles(sources: Sources): string[] {
  return [...sources].flatMap(([path, text]) => {
    const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
    return lines > LINES_MAXIMUM ? [`${path} has ${lines} lines, more than ${LINES_MAXIMUM}`] : [];
  });
}
