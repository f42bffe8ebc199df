import { z } from 'zod';
import { ALL_FIELDS, defaultFields } from '../contract/answerFields.ts';

/** What only orders with windows, and Scrubs with a limit, have, also where it is asked for. */
const OF_WINDOWS: readonly string[] = ['window', 'promisedAt', 'times', 'free'];

/** The shape of an answer with only these dot paths, made without the code that the server reads them with. */
export function partialSchema(schema: z.ZodType, paths: readonly string[]): z.ZodType {
  if (paths.length === 0) return schema;
  if (schema instanceof z.ZodArray) return z.array(partialSchema(schema.element as z.ZodType, paths));
  if (schema instanceof z.ZodNullable) return partialSchema(schema.unwrap() as z.ZodType, paths).nullable();
  if (schema instanceof z.ZodOptional) return partialSchema(schema.unwrap() as z.ZodType, paths);
  if (!(schema instanceof z.ZodObject)) throw new Error(`there are no properties ${paths.join(', ')}`);
  const shape = Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([name, inner]) => {
    // What is asked for is there, also what does not come otherwise.
    const isThere = inner instanceof z.ZodOptional && !OF_WINDOWS.includes(name);
    if (paths.includes(name)) return [[name, isThere ? (inner.unwrap() as z.ZodType) : inner] as const];
    const below = paths.filter((path) => path.startsWith(`${name}.`)).map((path) => path.slice(name.length + 1));
    if (below.length === 0) return [];
    const part = partialSchema(inner, below);
    return [[name, OF_WINDOWS.includes(name) ? part.optional() : part] as const];
  });
  return z.object(Object.fromEntries(shape));
}

/** A value with only these dot paths, made in the same way. */
export function partialValue(value: unknown, paths: readonly string[]): unknown {
  if (paths.length === 0 || value === null || value === undefined) return value;
  if (Array.isArray(value)) return value.map((item) => partialValue(item, paths));
  const whole = value as Record<string, unknown>;
  const names = [...new Set(paths.map((path) => path.split('.')[0] ?? ''))];
  const picked = names.map((name): [string, unknown] => {
    const below = paths.filter((path) => path.startsWith(`${name}.`)).map((path) => path.slice(name.length + 1));
    return [name, paths.includes(name) ? whole[name] : partialValue(whole[name], below)];
  });
  return Object.fromEntries(picked.filter(([name]) => name in whole || !OF_WINDOWS.includes(name)));
}

/** A value with what an answer has by default. */
export const defaultValue = (value: unknown, schema: z.ZodType): unknown => {
  const fields = defaultFields(schema);
  return fields === ALL_FIELDS ? value : partialValue(value, Object.keys(fields));
};

/** Every dot path of a shape, those of objects and lists included. */
export function pathsOf(schema: z.ZodType): string[] {
  if (schema instanceof z.ZodArray) return pathsOf(schema.element as z.ZodType);
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return pathsOf(schema.unwrap() as z.ZodType);
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([name, inner]) => [
    name,
    ...pathsOf(inner).map((path) => `${name}.${path}`),
  ]);
}
