import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { parseSync } from 'vite';

export type Sources = ReadonlyMap<string, string>;

const FOLDERS = [
  'domain',
  'contract',
  'texts',
  'server',
  'web',
  'sandbox',
  'testing',
  'journeys',
  'promises',
  'bench',
  'scripts',
  'city',
] as const;
type Folder = (typeof FOLDERS)[number];

const PRODUCT: readonly Folder[] = ['domain', 'contract', 'texts', 'server', 'sandbox'];

/** The folders that each folder may import from, in addition to itself. */
const ALLOWED_IMPORTS: Record<Folder, readonly Folder[]> = {
  domain: [],
  contract: ['domain'],
  texts: ['domain'],
  server: ['domain', 'contract', 'texts'],
  web: ['domain', 'contract', 'texts'],
  sandbox: [],
  testing: PRODUCT,
  journeys: [...PRODUCT, 'testing', 'scripts', 'promises'],
  promises: [...PRODUCT, 'testing', 'scripts'],
  bench: [...PRODUCT, 'testing', 'scripts'],
  scripts: [...PRODUCT, 'city'],
  city: [...PRODUCT, 'testing', 'scripts', 'promises'],
};

/** What test files in any folder may import in addition. */
const ALLOWED_IN_TESTS: readonly Folder[] = [
  'domain',
  'contract',
  'texts',
  'sandbox',
  'testing',
  'scripts',
  'promises',
  'city',
];

/** Folders that may use only the listed packages. Other folders may use everything in package.json. */
const ALLOWED_PACKAGES: Partial<Record<Folder, readonly string[]>> = { domain: [], texts: [], contract: ['zod'] };
const WITHOUT_NODE: readonly Folder[] = ['domain', 'contract', 'texts', 'web'];

/**
 * The floors of a folder, from the ground up: each room may use the rooms of lower floors. A room is a folder or a file, and a folder in a
 * room can be a room of its own. See docs/decisions/042-rooms-of-the-server.md.
 */
type Floors = readonly (readonly string[])[];
type House = {
  readonly floors: Floors;
  /** What wires the rooms together, such as main.ts. Only the files in it import it, besides tests and other top-level folders. */
  readonly wiring?: readonly string[];
};
const HOUSES: Readonly<Record<string, House>> = {
  server: {
    wiring: ['main.ts', 'handlers.ts', 'workers.ts', 'commands'],
    floors: [
      ['config', 'log.ts'],
      ['outgoing', 'metrics'],
      ['db'],
      ['http', 'context.ts', 'operatorContext.ts', 'town'],
      // Where orders and deliveries stand: notices say it as well as answers.
      ['auth', 'jobs', 'visibility/situations.sql.ts'],
      ['process', 'notifications', 'visibility', 'promos', 'bookings'],
      ['events', 'files', 'places', 'payments'],
      ['admissions', 'cases', 'windows'],
      ['accounts', 'handovers', 'disputes', 'payments/payouts'],
      ['deliveries'],
      ['orders', 'dashboards', 'figures', 'personal'],
      ['operator', 'reviews', 'weeks'],
    ],
  },
  // The amount that is held on a card is below what charges, refunds and pays it.
  'server/payments': {
    floors: [
      ['card', 'prices'],
      ['ledger'],
      ['saved'],
      ['hold'],
      ['refunds'],
      ['earnings'],
      ['charge', 'reconcile'],
      ['payouts', 'paymentJobs.ts'],
    ],
  },
  web: {
    wiring: ['main.tsx', 'routes.tsx', 'prerender.tsx'],
    floors: [
      ['town.ts'],
      ['clock.ts', 'storage', 'worker'],
      ['hooks', 'theme'],
      ['ui'],
      ['api', 'lists'],
      ['files', 'payments', 'places', 'reviews'],
      ['offline', 'documents'],
      ['session'],
      ['demo', 'earnings', 'handovers', 'notifications', 'weighing'],
      ['cases', 'firstSteps', 'pages'],
      ['accounts', 'deliveries'],
      ['live', 'orders', 'weeks'],
      ['operator', 'shell'],
    ],
  },
};
/** What every room is passed, so they may name the types of every room. */
const CONTEXTS = ['context.ts', 'operatorContext.ts'];
/** Rooms without business rules. */
const PLUMBING = [
  'config',
  'db',
  'http',
  'metrics',
  'auth',
  'jobs',
  'events',
  'notifications',
  'outgoing',
  'process',
  'town',
  'visibility',
];

/**
 * SQL files that other business folders may import: the file, then the folders. The reasons are in
 * docs/decisions/042-rooms-of-the-server.md.
 */
const SHARED_SQL: Readonly<Record<string, readonly string[]>> = {
  'server/deliveries/deliveries.sql.ts': ['dashboards'],
  'server/payments/hold/payments.sql.ts': ['orders'],
  'server/payments/prices/prices.sql.ts': ['orders'],
};

const isTest = (path: string) => /^(?:testing|promises|journeys|bench)\/|\.test\.tsx?$/.test(path);
const folderOf = (path: string) => FOLDERS.find((folder) => path.startsWith(`${folder}/`));

/** Every source file of the checked folders, by its path relative to `root`. */
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

/** One line for each forbidden import, each cycle of files and each cycle of folders in server/ and web/. */
export function findViolations(sources: Sources): string[] {
  const graph = new Map<string, string[]>();
  const violations: string[] = [];
  for (const [path, text] of sources) {
    if (path.endsWith('.css')) continue;
    const targets: string[] = [];
    for (const specifier of parseImports(path, text)) {
      const target = specifier.startsWith('.') ? join(dirname(path), specifier) : undefined;
      const reason =
        target === undefined ? checkPackageImport(path, specifier) : checkFileImport(path, target, sources);
      if (reason) violations.push(`${path} must not import ${target ?? specifier}: ${reason}`);
      if (target !== undefined && sources.has(target)) targets.push(target);
    }
    graph.set(path, targets);
  }
  const describe = (kind: string, cycles: readonly string[][]) =>
    cycles.map((cycle) => `${kind}: ${cycle.join(' → ')}`);
  return [
    ...violations,
    ...describe('import cycle', findCycles(graph)),
    ...describe('cycle of folders', findCycles(graphOfFolders(graph))),
  ];
}

/**
 * Which folders of server/ and web/ import which. A file that stands in no room counts as a folder. A folder of server/ and the folders in
 * it may use one another.
 */
function graphOfFolders(graph: ReadonlyMap<string, readonly string[]>): Map<string, string[]> {
  const nodeOf = (path: string) => (path.split('/').length === 2 ? path : dirname(path));
  const isCounted = (path: string) =>
    ['server', 'web'].includes(folderOf(path) ?? '') && !isTest(path) && path !== 'server/context.ts';
  const isNested = (inner: string, outer: string) => outer.startsWith('server/') && inner.startsWith(`${outer}/`);
  const folders = new Map<string, string[]>();
  for (const [path, targets] of graph) {
    if (!isCounted(path)) continue;
    const node = nodeOf(path);
    const others = targets.filter(isCounted).map(nodeOf);
    const foreign = others.filter((other) => other !== node && !isNested(node, other) && !isNested(other, node));
    folders.set(node, [...new Set([...(folders.get(node) ?? []), ...foreign])]);
  }
  return folders;
}

function parseImports(path: string, text: string): string[] {
  const { module, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`);
  const imports = module.staticImports.map(({ moduleRequest }) => moduleRequest.value);
  const reexports = module.staticExports.flatMap(({ entries }) => entries.map((entry) => entry.moduleRequest?.value));
  const dynamicImports = module.dynamicImports.map(({ moduleRequest: { start, end } }) => {
    const argument = text.slice(start, end);
    return /^(['"`])[^'"`$]*\1$/.test(argument) ? argument.slice(1, -1) : undefined;
  });
  return [...new Set([...imports, ...reexports, ...dynamicImports])].filter((name) => name !== undefined);
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
  if (from !== to || isTest(path)) return undefined;
  return checkRoomImport(path, target) ?? (from === 'server' ? checkSqlImport(path, target) : undefined);
}

/** Checks imports between the rooms of a folder that has floors. */
function checkRoomImport(path: string, target: string): string | undefined {
  for (const [folder, house] of Object.entries(HOUSES)) {
    if (![path, target].every((file) => file.startsWith(`${folder}/`))) continue;
    const [from, to] = [path, target].map((file) => file.slice(folder.length + 1));
    const reason = checkFloors(house, from ?? '', to ?? '');
    if (reason) return reason;
  }
  return undefined;
}

function checkFloors({ floors, wiring = [] }: House, path: string, target: string): string | undefined {
  const rooms = [...floors.flat(), ...wiring];
  const [from, to] = [roomOf(rooms, path), roomOf(rooms, target)];
  if (from === to || wiring.includes(from) || CONTEXTS.includes(from)) return undefined;
  if (wiring.includes(to)) return `${to} wires the rooms together: only ${wiring.join(', ')} import it`;
  const [own, other] = [from, to].map((room) => floors.findIndex((floor) => floor.includes(room)));
  if (own === -1 || other === -1) return `${own === -1 ? from : to} has no floor: add it to HOUSES`;
  return Number(other) >= Number(own) ? `${to} is not on a lower floor than ${from}` : undefined;
}

/** The innermost room of a file. A file in none has the name of its folder. */
const roomOf = (rooms: readonly string[], file: string): string =>
  rooms.filter((room) => file === room || file.startsWith(`${room}/`)).sort((a, b) => b.length - a.length)[0] ??
  file.split('/')[0] ??
  '';

/** A business room of server/ uses its own SQL files only. */
function checkSqlImport(path: string, target: string): string | undefined {
  const [from = '', to = ''] = [path, target].map((file) => file.split('/')[1]);
  const isForeign =
    from !== to && !HOUSES.server?.wiring?.includes(from) && !CONTEXTS.includes(from) && !PLUMBING.includes(to);
  if (!isForeign || !target.endsWith('.sql.ts') || SHARED_SQL[target]?.includes(from)) return undefined;
  return "a business room does not import another one's SQL";
}

function checkPackageImport(path: string, specifier: string): string | undefined {
  const from = folderOf(path);
  if (!from || isTest(path)) return undefined;
  const isNode = specifier.startsWith('node:') || builtinModules.includes(specifier);
  if (isNode) return WITHOUT_NODE.includes(from) ? `${from} does not use Node` : undefined;
  const allowed = ALLOWED_PACKAGES[from];
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
  if (!allowed || allowed.includes(name)) return undefined;
  return `${from} may use ${allowed.join(', ') || 'no package'}`;
}

/** Depth-first search. Each cycle is reported once, as the path that leads back to its first file. */
function findCycles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const cycles: string[][] = [];
  const state = new Map<string, 'open' | 'done'>();
  const stack: string[] = [];
  const visit = (path: string) => {
    state.set(path, 'open');
    stack.push(path);
    for (const next of graph.get(path) ?? []) {
      if (state.get(next) === 'open') cycles.push([...stack.slice(stack.indexOf(next)), next]);
      else if (!state.has(next)) visit(next);
    }
    stack.pop();
    state.set(path, 'done');
  };
  for (const path of graph.keys()) if (!state.has(path)) visit(path);
  return cycles;
}
