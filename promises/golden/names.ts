const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const IS_UUID = new RegExp(`^${UUID.source}$`);
/** Random texts that nothing else shows again: their values say nothing. */
const RANDOM_KEYS: ReadonlySet<string> = new Set(['pin', 'token', 'requestId', 'squareId', 'publicKey']);
/** Lists whose order nobody promises among rows of the same time. */
const UNORDERED_KEYS: ReadonlySet<string> = new Set(['messages']);
const RANDOM_PARTS = [
  [/token=[\w.~-]+/g, 'token=…'],
  [/http:\/\/127\.0\.0\.1:\d+/g, 'http://host'],
] as const;
/** Parts of a call, which do not say what the ids in them are of. */
const PARTS: ReadonlySet<string> = new Set(['params', 'query', 'body', 'answer', 'items', 'details']);

/** Names for ids in the order of their first appearance, such as order-1, so that two recordings can be compared. */
export type Names = {
  readonly give: (id: string, name: string) => void;
  /** A copy of a JSON value with names instead of ids. Those of unknown ids begin with `kind`, unless their property says more. */
  readonly replaceIn: (value: unknown, kind: string) => unknown;
  readonly replaceInText: (text: string) => string;
};

/** What an id is of, by the property that has it: `orderId`, `fileIds` or `order_id`. */
const kindOf = (key: string, kind: string): string => /^(\w+?)_?ids?$/i.exec(key)?.[1] ?? kind;

const singular = (key: string) => key.replace(/ies$/, 'y').replace(/s$/, '');
const byText = (one: unknown, other: unknown) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1);
const isPlain = (value: unknown): value is object => value !== null && typeof value === 'object';

export function createNames(): Names {
  const names = new Map<string, string>();
  /** Codes of bags, which also stand in texts. */
  const codes = new Map<string, string>();
  const counts = new Map<string, number>();
  const nameOf = (id: string, kind: string, known = names) => {
    const name = known.get(id) ?? `${kind}-${(counts.get(kind) ?? 0) + 1}`;
    if (!known.has(id)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    known.set(id, name);
    return name;
  };
  const replaceInText = (text: string) => {
    let replaced = text.replaceAll(UUID, (id) => nameOf(id, 'id'));
    for (const [code, name] of codes) replaced = replaced.replaceAll(code, name);
    for (const [pattern, words] of RANDOM_PARTS) replaced = replaced.replaceAll(pattern, words);
    return replaced;
  };
  const replaceString = (value: string, kind: string, key: string): string => {
    if (RANDOM_KEYS.has(key)) return '…';
    if (key === 'code' && kind === 'tag') return nameOf(value, 'bag', codes);
    return IS_UUID.test(value) ? nameOf(value, kindOf(key, kind)) : replaceInText(value);
  };
  const replaceIn = (value: unknown, kind: string, key = ''): unknown => {
    if (typeof value === 'string') return replaceString(value, kind, key);
    if (Array.isArray(value)) {
      const replaced = value.map((one) => replaceIn(one, kind, key));
      return UNORDERED_KEYS.has(key) ? replaced.toSorted(byText) : replaced;
    }
    if (!isPlain(value)) return value;
    if (value instanceof Blob) return `${value.type}, ${value.size} bytes`;
    if (value instanceof Date) return value.toISOString();
    const entries = Object.entries(value).map(([name, child]) => [
      replaceInText(name),
      replaceIn(child, isPlain(child) && !PARTS.has(name) ? singular(name) : kind, name),
    ]);
    return Object.fromEntries(entries);
  };
  return { give: (id, name) => void names.set(id, name), replaceIn, replaceInText };
}
