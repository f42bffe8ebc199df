import type { z } from 'zod';
import type { Random } from '../testing/random.ts';

/** How values are generated. */
export type FuzzOptions = {
  readonly random: Random;
  /** Valid values for a property of this name, as far as any are known. */
  readonly knownValues: (name: string) => readonly unknown[];
  /** How often a value is replaced by a hostile one, from 0 to 1. */
  readonly hostileRate: number;
};

export const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;

const DEEPLY_NESTED = JSON.parse(`${'['.repeat(500)}1${']'.repeat(500)}`) as unknown;

/** Values that often break programs: limits of ranges, other types, text that databases and logs cannot handle. */
const HOSTILE_VALUES: readonly unknown[] = [
  null,
  undefined,
  true,
  0,
  -0,
  -1,
  1e308,
  -1e-320,
  2 ** 53,
  2 ** 31,
  0.1 + 0.2,
  90.000001,
  180,
  '',
  ' ',
  '0',
  'null',
  'NaN',
  'infinity',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udfff\ud800',
  '\uffff\ufeff',
  'e\u0301\u200d\u202e',
  '👩‍👩‍👧‍👦'.repeat(40),
  'x'.repeat(5_000),
  `'; drop table users; --`,
  '$1 %s {{7*7}} #{7*7}',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '\r\nx-header: 1',
  '0000-00-00T00:00:00Z',
  '9999-12-31T23:59:59.999999999+15:59',
  '-271821-04-20T00:00:00Z',
  '275760-09-13T00:00:00.000Z',
  '2026-02-30T10:00:00Z',
  '2016-12-31T23:59:60Z',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '٠١٢٣٤٥',
  [],
  {},
  [null],
  ['a', 1],
  { length: -1 },
  { toString: null },
  { id: { $ne: null } },
  JSON.parse('{"__proto__":{"isAdmin":true},"constructor":{"prototype":{}}}'),
  DEEPLY_NESTED,
];

/** Text with characters that programs often mishandle. */
const HOSTILE_TEXTS = [
  '\u0000',
  'Ada\u0000',
  'Everything came back\u0000fresh.',
  'a\u001b[2J',
  '\udfff\ud800',
  'e\u0301\u200d\u202e',
];

const NUMBERS = [0, 1, 2, 5, 10, 24, 67, -90, 90, 180, 100, 5_000, 50_000, 1.5, 24.0001, 67.0001];
const TEXTS = ['Ada', 'Everything came back fresh and folded.', 'Small', '10', 'createdAt', 'true', 'x'];

export function asText(value: unknown): string {
  return (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, 3_000);
}

export const pickHostileValue = ({ random }: FuzzOptions): unknown => pick(random, HOSTILE_VALUES);

type Def = {
  type: string;
  shape?: Record<string, z.ZodType>;
  innerType?: z.ZodType;
  in?: z.ZodType;
  element?: z.ZodType;
  options?: z.ZodType[];
  entries?: Record<string, unknown>;
  values?: unknown[];
};
const defOf = (schema: z.ZodType) => schema._zod.def as unknown as Def;

/** A value that matches the schema, or nearly does. */
export function generateValue(options: FuzzOptions, schema: z.ZodType, name = ''): unknown {
  const { random, hostileRate, knownValues } = options;
  const def = defOf(schema);
  if (random() < hostileRate)
    return def.type === 'string' && random() < 0.5 ? pick(random, HOSTILE_TEXTS) : pickHostileValue(options);
  if (def.type === 'optional' || def.type === 'nullable' || def.type === 'default' || def.type === 'prefault') {
    if (random() < 0.3) return def.type === 'nullable' ? null : undefined;
    return generateValue(options, def.innerType as z.ZodType, name);
  }
  if (def.type === 'pipe') return generateValue(options, def.in as z.ZodType, name);
  if (def.type === 'object') return generateObject(options, def.shape ?? {});
  const known = knownValues(name);
  if (known.length > 0 && random() < 0.8) return pick(random, known);
  return generateByType(options, def, name);
}

function generateByType(options: FuzzOptions, def: Def, name: string): unknown {
  const { random } = options;
  if (def.type === 'enum') return pick(random, Object.values(def.entries ?? {}));
  if (def.type === 'literal') return pick(random, def.values ?? []);
  if (def.type === 'boolean') return random() < 0.5;
  if (def.type === 'number') return pick(random, NUMBERS);
  if (def.type === 'array')
    return Array.from({ length: random() * 4 }, () => generateValue(options, def.element as z.ZodType, name));
  if (def.type === 'union') return generateValue(options, pick(random, def.options ?? []), name);
  return pick(random, TEXTS);
}

function generateObject(options: FuzzOptions, shape: Record<string, z.ZodType>): unknown {
  const object: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(shape)) object[name] = generateValue(options, schema, name);
  if (options.random() < options.hostileRate)
    object[asText(pickHostileValue(options)).slice(0, 200)] = pickHostileValue(options);
  return object;
}
