import { parseSync } from 'vite';

/** A small change inside a symbol. Each kind keeps fitting when the rest of the symbol is rewritten. */
export type Edit =
  /** The body of a function only returns this expression; the value of a const or property becomes it. */
  | { readonly becomes: string }
  /** A property of an object gets this value. */
  | { readonly set: readonly [property: string, value: string] }
  /** An object has no such property. */
  | { readonly without: string }
  /**
   * The call of a function is left out, with its `await`: `lockOrder`, or `refuse[codeTooOld]` for the call with this first
   * argument. In a chain such as that of a query, the other calls stay.
   */
  | { readonly skip: string }
  /** A statement, condition, argument, element or a part of a query is left out. */
  | { readonly remove: string }
  | { readonly replace: readonly [from: string, to: string] };

type Node = { readonly type: string; readonly start: number; readonly end: number; readonly [key: string]: unknown };
type Range = { readonly start: number; readonly end: number };
type Found = { readonly node: Node; readonly parents: readonly Node[] };

const FUNCTIONS = /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/;
const CODE_FILE = /\.(tsx?|mjs)$/;

/**
 * Returns the text of a file after an edit inside one of its symbols. A symbol is a path of names, such as
 * `changePassword`, `ACTS.refund` or `ORDER_STEPS[start-order].from`: each name is a function, class, const, property or
 * method, and `[text]` is an object with a property of that value or a call with that first argument. Of several with the
 * same name the outermost counts. A file that is not code has no symbols. Throws where the edit does not fit.
 */
export function applyEdit(source: { file: string; text: string }, symbol: string | undefined, edit: Edit): string {
  const { file, text } = source;
  const isCode = CODE_FILE.test(file);
  if (isCode !== (symbol !== undefined)) throw new Error(isCode ? 'a symbol is missing' : 'only code has symbols');
  const program = isCode ? parse(file, text) : { type: 'Text', start: 0, end: text.length };
  const scope = splitPath(symbol ?? '').reduce((node, name) => findNamed(node, name), program);
  const { start, end, by } = changeOf(text, scope, edit);
  const changed = text.slice(0, start) + by + text.slice(end);
  if (changed === text) throw new Error('the edit changes nothing');
  if (isCode) parse(file, changed);
  return changed;
}

function parse(file: string, text: string): Node {
  const { errors, program } = parseSync(file, text);
  if (errors[0]) throw new Error(`the file is not valid: ${errors[0].message}`);
  return program as unknown as Node;
}

const splitPath = (symbol: string) => symbol.match(/\[[^\]]+\]|[^.[]+/g) ?? [];

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode);

/** The nodes inside a node that pass a test, of which only the outermost, one level of the tree after the other. */
function findOutermost(root: Node, test: (node: Node, parent: Node) => boolean): Found[] {
  let level: Found[] = [{ node: root, parents: [] }];
  while (level.length > 0) {
    level = level.flatMap(({ node, parents }) =>
      childrenOf(node).map((child) => ({ node: child, parents: [node, ...parents] })),
    );
    const found = level.filter(({ node, parents: [parent] }) => parent && test(node, parent));
    if (found.length > 0) return found;
  }
  return [];
}

function findAll(root: Node, test: (node: Node) => boolean, parents: readonly Node[] = []): Found[] {
  const inside = childrenOf(root).flatMap((child) => findAll(child, test, [root, ...parents]));
  return test(root) ? [{ node: root, parents }, ...inside] : inside;
}

function onlyOne<T>(found: readonly T[], what: string): T {
  const [first, second] = found;
  if (first === undefined) throw new Error(`${what} is missing`);
  if (second !== undefined) throw new Error(`${what} is ambiguous`);
  return first;
}

function findNamed(scope: Node, name: string): Node {
  const label = /^\[(.+)\]$/.exec(name)?.[1];
  const test = (node: Node, parent: Node) =>
    label === undefined ? parent.type !== 'ObjectPattern' && nameOf(node) === name : labelsOf(node).includes(label);
  return onlyOne(findOutermost(scope, test), name).node;
}

function nameOf({ type, id, key }: Node): unknown {
  if (/^(FunctionDeclaration|ClassDeclaration|VariableDeclarator)$/.test(type)) return (id as Node | null)?.name;
  if (!/^(Property|MethodDefinition|PropertyDefinition)$/.test(type)) return undefined;
  return (key as Node).name ?? (key as Node).value;
}

function labelsOf({ type, properties, arguments: args }: Node): unknown[] {
  if (type === 'CallExpression') return (args as Node[]).slice(0, 1).map(({ value }) => value);
  return type === 'ObjectExpression'
    ? (properties as Node[]).map(({ value }) => (value as Node | undefined)?.value)
    : [];
}

const findProperty = (scope: Node, name: string) =>
  onlyOne(
    findOutermost(scope, (node, parent) => parent.type === 'ObjectExpression' && nameOf(node) === name),
    `the property ${name}`,
  );

function changeOf(text: string, scope: Node, edit: Edit): Range & { by: string } {
  if ('becomes' in edit) return becomes(text, scope, edit.becomes);
  if ('set' in edit) {
    const { key, start, end } = findProperty(scope, edit.set[0]).node;
    return { start, end, by: `${text.slice((key as Node).start, (key as Node).end)}: ${edit.set[1]}` };
  }
  if ('without' in edit) return removalOf(findProperty(scope, edit.without));
  if ('skip' in edit) return skip(text, scope, edit.skip);
  if ('remove' in edit) {
    const range = findText(text, scope, edit.remove);
    const [exact] = findOutermost(scope, ({ start, end }) => start === range.start && end === range.end);
    return exact ? removalOf(exact) : { ...range, by: '' };
  }
  return { ...findText(text, scope, edit.replace[0]), by: edit.replace[1] };
}

function becomes(text: string, scope: Node, expression: string): Range & { by: string } {
  const value = FUNCTIONS.test(scope.type) ? scope : ((scope.init ?? scope.value) as Node | null | undefined);
  if (!value) throw new Error('the symbol has no value');
  if (!FUNCTIONS.test(value.type)) return { start: value.start, end: value.end, by: expression };
  const { start, end } = value.body as Node;
  return { start, end, by: text[start] === '{' ? `{ return ${expression}; }` : `(${expression})` };
}

function skip(text: string, scope: Node, wanted: string): Range & { by: string } {
  const [, name = '', label] = /^([^[]+)(?:\[(.+)\])?$/.exec(wanted) ?? [];
  const calls = findAll(scope, (node) => {
    if (node.type !== 'CallExpression' || (label !== undefined && !labelsOf(node).includes(label))) return false;
    const { start, end } = node.callee as Node;
    const called = text.slice(start, end).replace(/\s/g, '');
    return called === name || called.endsWith(`.${name}`);
  });
  const call = onlyOne(calls, `the call of ${wanted}`);
  const { object } = call.node.callee as Node;
  if (isNode(object) && object.type === 'CallExpression') return { start: object.end, end: call.node.end, by: '' };
  const [parent, grandparent] = call.parents;
  const isAwaited = parent?.type === 'AwaitExpression';
  const { start, end } = isAwaited ? parent : call.node;
  return { start, end, by: (isAwaited ? grandparent : parent)?.type === 'ExpressionStatement' ? '' : 'undefined' };
}

/** Leaves a node out together with its comma or operator. */
function removalOf({ node, parents: [parent] }: Found): Range & { by: string } {
  const { start, end } = node;
  const list = Object.values(parent ?? {}).find((value) => Array.isArray(value) && value.includes(node)) as
    | Node[]
    | undefined;
  if (list) {
    const at = list.indexOf(node);
    const [before, after] = [list[at - 1], list[at + 1]];
    if (/Statement$|Declaration$/.test(node.type)) return { start, end, by: '' };
    return { start: after ? start : (before?.end ?? start), end: after?.start ?? end, by: '' };
  }
  if (parent?.type === 'LogicalExpression') {
    const isLeft = parent.left === node;
    const other = (isLeft ? parent.right : parent.left) as Node;
    return isLeft ? { start, end: other.start, by: '' } : { start: other.end, end, by: '' };
  }
  return { start, end, by: /Statement$/.test(node.type) ? ';' : '' };
}

/** Where a text stands in a node, whatever its spaces and lines. A part of a word is not found. */
function findText(text: string, { start, end }: Range, wanted: string): Range {
  const positions: number[] = [];
  let letters = '';
  for (let at = start; at < end; at += 1) {
    const letter = text[at] ?? '';
    if (/\s/.test(letter)) continue;
    positions.push(at);
    letters += letter;
  }
  const needle = wanted.replace(/\s/g, '');
  const found: Range[] = [];
  for (let at = letters.indexOf(needle); needle !== '' && at >= 0; at = letters.indexOf(needle, at + 1)) {
    const range = { start: positions[at] ?? 0, end: (positions[at + needle.length - 1] ?? 0) + 1 };
    const cutsWord = (edge: number) => /^\w\w$/.test(text.slice(edge - 1, edge + 1));
    if (!cutsWord(range.start) && !cutsWord(range.end)) found.push(range);
  }
  return onlyOne(found, `the text "${wanted}"`);
}
