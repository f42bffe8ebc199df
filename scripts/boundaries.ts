import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { parseSync } from 'vite';

export type Sources = ReadonlyMap<string, string>;

const FOLDERS = [
  'domain',
  'contract',
  'server',
  'web',
  'sandbox',
  'testing',
  'journeys',
  'promises',
  'bench',
  'scripts',
] as const;
type Folder = (typeof FOLDERS)[number];

const PRODUCT: readonly Folder[] = ['domain', 'contract', 'server', 'sandbox'];

/** Which folders a folder may import from, besides itself. */
const ALLOWED_IMPORTS: Record<Folder, readonly Folder[]> = {
  domain: [],
  contract: ['domain'],
  server: ['domain', 'contract'],
  web: ['domain', 'contract'],
  sandbox: [],
  testing: PRODUCT,
  journeys: [...PRODUCT, 'testing', 'scripts', 'promises'],
  promises: [...PRODUCT, 'testing', 'scripts'],
  bench: [...PRODUCT, 'testing', 'scripts'],
  scripts: PRODUCT,
};

/** What test files may import in addition. */
const ALLOWED_IN_TESTS: readonly Folder[] = ['domain', 'contract', 'sandbox', 'testing', 'scripts', 'promises'];

/** Folders that may use only the listed packages. The others may use anything in package.json. */
const ALLOWED_PACKAGES: Partial<Record<Folder, readonly string[]>> = { domain: [], contract: ['zod'] };
const WITHOUT_NODE: readonly Folder[] = ['domain', 'contract', 'web'];

/** The rooms of server/: plumbing never imports business, and a business folder never imports another one's SQL. */
const PLUMBING = ['config', 'db', 'http', 'auth', 'jobs', 'mail', 'events', 'notifications'];
/** Rooms that put the others together. Nothing but tests and other folders imports them. */
const WIRING = ['main.ts', 'commands'];

/**
 * Business SQL that another business folder may import, and why: see docs/decisions/042-rooms-of-the-server.md. The key
 * is the SQL file, the values are the folders.
 */
const SHARED_SQL: Readonly<Record<string, readonly string[]>> = {
  'server/deliveries/deliveries.sql.ts': ['dashboards'],
  'server/payments/payments.sql.ts': ['orders'],
  'server/payments/prices.sql.ts': ['orders'],
};

const isTest = (path: string) => /^(?:testing|promises|journeys|bench)\/|\.test\.tsx?$/.test(path);
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

/** Every forbidden import and every import cycle, one line each. */
export function findViolations(sources: Sources): string[] {
  const graph = new Map<string, string[]>();
  const breaches: string[] = [];
  for (const [path, text] of sources) {
    if (path.endsWith('.css')) continue;
    const targets: string[] = [];
    for (const wanted of parseImports(path, text)) {
      const target = wanted.startsWith('.') ? join(dirname(path), wanted) : undefined;
      const fault = target === undefined ? checkPackageImport(path, wanted) : checkFileImport(path, target, sources);
      if (fault) breaches.push(`${path} must not import ${target ?? wanted}: ${fault}`);
      if (target !== undefined && sources.has(target)) targets.push(target);
    }
    graph.set(path, targets);
  }
  return [...breaches, ...findCycles(graph).map((cycle) => `a cycle: ${cycle.join(' → ')}`)];
}

function parseImports(path: string, text: string): string[] {
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

function checkFileImport(path: string, target: string, sources: Sources): string | undefined {
  const [from, to] = [folderOf(path), folderOf(target)];
  if (!from) return undefined;
  if (/\.test\.tsx?$/.test(target)) return 'nothing imports a test';
  if (!to) {
    return /^[^/]+\.(?:json|ts)$/.test(target) && from === 'scripts' ? undefined : 'it is outside the checked folders';
  }
  if (/\.tsx?$/.test(target) && !sources.has(target)) return 'there is no such file';
  const isAllowed =
    from === to || ALLOWED_IMPORTS[from].includes(to) || (isTest(path) && ALLOWED_IN_TESTS.includes(to));
  if (!isAllowed) return `${from} may import ${ALLOWED_IMPORTS[from].join(', ') || 'nothing'}`;
  return from === 'server' && to === 'server' && !isTest(path) ? checkRoomImport(path, target) : undefined;
}

/** A file directly in server/ is a room of its own; those besides main.ts count as plumbing. */
function checkRoomImport(path: string, target: string): string | undefined {
  const [from, to] = [roomOf(path), roomOf(target)];
  // context.ts names what main.ts hands to every room.
  if (from === to || WIRING.includes(from) || from === 'context.ts') return undefined;
  if (WIRING.includes(to)) return 'only main.ts and commands/ put the rooms together';
  if (isPlumbing(to)) return undefined;
  if (isPlumbing(from)) return 'plumbing does not import business';
  if (SHARED_SQL[target]?.includes(from)) return undefined;
  return target.endsWith('.sql.ts') ? "a business folder does not import another one's SQL" : undefined;
}

const roomOf = (path: string) => path.split('/')[1] ?? '';
const isPlumbing = (room: string) => room.endsWith('.ts') || PLUMBING.includes(room);

function checkPackageImport(path: string, wanted: string): string | undefined {
  const from = folderOf(path);
  if (!from || isTest(path)) return undefined;
  const isNode = wanted.startsWith('node:') || builtinModules.includes(wanted);
  if (isNode) return WITHOUT_NODE.includes(from) ? `${from} does not use Node` : undefined;
  const named = ALLOWED_PACKAGES[from];
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

const MAX_LINES = 300;

const GENERATED = ['server/db/schema.ts'];

/** Files that have outgrown one screenful of thought: such a one becomes a folder of its name. */
export function findLongFiles(sources: Sources): string[] {
  return [...sources].flatMap(([path, text]) => {
    const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
    return lines > MAX_LINES && !GENERATED.includes(path) ? [`${path} has ${lines} lines, more than ${MAX_LINES}`] : [];
  });
}
