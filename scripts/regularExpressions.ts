import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { parseSync } from 'vite';
import type { Sources } from './boundaries.ts';
import { ROOT } from './build.ts';

const FOLDERS = ['domain', 'contract', 'texts', 'server', 'web', 'sandbox', 'scripts'];
const CACHE_FILE = join(ROOT, '.cache', 'regularExpressions.json');
// No limit goes by the clock but the last one, for a search without end: a busy machine must come to the same verdict.
const SEARCH = {
  timeout: 300_000,
  attackTimeout: null,
  incubationTimeout: null,
  seedingTimeout: null,
  randomSeed: 1,
} as const;
const require = createRequire(import.meta.url);

type Found = { readonly place: string; readonly source: string; readonly flags: string };
type Verdicts = Record<string, string>;

/**
 * One line for each regular expression of ours whose time does not grow linearly with the text, or that cannot be checked.
 * With `isCached`, verdicts of earlier runs are used and kept.
 */
export function findSlowRegularExpressions(sources: Sources, { isCached = false } = {}): string[] {
  const verdicts = isCached ? readVerdicts() : {};
  const problems: string[] = [];
  for (const [path, text] of sources) {
    if (!FOLDERS.some((folder) => path.startsWith(`${folder}/`)) || /\.css$|\.test\.tsx?$/.test(path)) continue;
    for (const found of findRegularExpressions(path, text)) {
      if (typeof found === 'string') problems.push(found);
      else {
        const verdict = judge(found, verdicts);
        if (verdict !== '') problems.push(`${found.place}: /${found.source}/${found.flags} is ${verdict}`);
      }
    }
  }
  if (isCached) writeVerdicts(verdicts);
  return problems;
}

/** Every regular expression of a file, or a problem instead of one that is only known when the program runs. */
function findRegularExpressions(path: string, text: string): (Found | string)[] {
  const found: (Found | string)[] = [];
  const placeOf = ({ start }: Node) => `${path}:${text.slice(0, start).split('\n').length}`;
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    if (isNode(node)) {
      if (node.regex) found.push({ place: placeOf(node), source: node.regex.pattern, flags: node.regex.flags });
      if (isRegExpCall(node)) found.push(readRegExpCall(node, placeOf(node)));
    }
    for (const child of Object.values(node)) visit(child);
  };
  visit(parseSync(path, text).program);
  return found;
}

type Node = {
  readonly type: string;
  readonly start: number;
  readonly regex?: { readonly pattern: string; readonly flags: string };
  readonly callee?: { readonly name?: string };
  readonly arguments?: readonly { readonly type: string; readonly value?: unknown; readonly regex?: unknown }[];
};
const isNode = (value: object): value is Node => 'type' in value && 'start' in value;
const isRegExpCall = ({ type, callee }: Node) => /^(?:New|Call)Expression$/.test(type) && callee?.name === 'RegExp';

function readRegExpCall({ arguments: [source, flags] = [] }: Node, place: string): Found | string {
  const isText = (one: typeof source) => one === undefined || typeof one.value === 'string';
  if (source === undefined || !isText(source) || !isText(flags)) {
    return `${place}: this regular expression is put together when the program runs, so it cannot be checked: write it as a literal`;
  }
  return { place, source: String(source.value), flags: String(flags?.value ?? '') };
}

/** Empty for a linear expression. Takes up to some seconds for a new one. */
function judge({ source, flags }: Found, verdicts: Verdicts): string {
  const key = `/${source}/${flags}`;
  // Without repetition there is nothing to backtrack into.
  if (!/[*+?{]/.test(source)) return '';
  verdicts[key] ??= ask(source, flags);
  return verdicts[key];
}

function ask(source: string, flags: string): string {
  // The build in plain JavaScript. The package's main file starts a native program or a Java machine.
  const { checkSync } = require('recheck/lib/browser.js') as typeof import('recheck');
  const verdict = checkSync(source, flags, SEARCH);
  if (verdict.status === 'safe') return '';
  if (verdict.status === 'unknown') return `not known to be linear (${verdict.error.kind}): write it more simply`;
  return `slow for some texts (${verdict.complexity.summary}): write it so that only one way leads to each match`;
}

function readVerdicts(): Verdicts {
  try {
    return JSON.parse(readFileSync(CACHE_FILE, 'utf8')) as Verdicts;
  } catch {
    return {};
  }
}

function writeVerdicts(verdicts: Verdicts): void {
  mkdirSync(dirname(CACHE_FILE), { recursive: true });
  writeFileSync(CACHE_FILE, JSON.stringify(verdicts));
}
