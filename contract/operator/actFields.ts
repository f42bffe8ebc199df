import type { z } from 'zod';
import { type ActName, OPERATOR_API } from './api.ts';
import type { ActRule, OperatorCall } from './call.ts';

/** What a field of a call takes, read from its shape. `other` is a list or an object. */
export type FieldKind = 'text' | 'date' | 'time' | 'number' | 'choice' | 'choices' | 'flag' | 'other';

export type CallField = {
  readonly name: string;
  readonly kind: FieldKind;
  readonly isRequired: boolean;
  /** The values of a choice. */
  readonly options: readonly string[];
  readonly description: string | undefined;
};

type Def = {
  readonly type: string;
  readonly format?: string;
  readonly innerType?: z.ZodType;
  readonly in?: z.ZodType;
  readonly element?: z.ZodType;
  readonly entries?: Readonly<Record<string, string>>;
};

const defOf = (schema: z.ZodType): Def => schema.def as unknown as Def;

/** The schema of the value that is typed, without what may be missing and what the value becomes. */
function typedOf(schema: z.ZodType): z.ZodType {
  const { innerType, in: input } = defOf(schema);
  const inner = innerType ?? input;
  return inner === undefined ? schema : typedOf(inner);
}

function kindOf(schema: z.ZodType): Pick<CallField, 'kind' | 'options'> {
  const { type, format, element, entries } = defOf(typedOf(schema));
  const options = Object.values(entries ?? {});
  if (type === 'enum') return { kind: 'choice', options };
  if (type === 'array' && element && kindOf(element).kind === 'choice')
    return { kind: 'choices', options: kindOf(element).options };
  if (type === 'number' || type === 'int') return { kind: 'number', options };
  if (type === 'boolean') return { kind: 'flag', options };
  if (type === 'string') return { kind: format === 'date' ? 'date' : format === 'datetime' ? 'time' : 'text', options };
  return { kind: 'other', options };
}

/** The fields of an object's shape. */
export const fieldsOf = (shape: Readonly<Record<string, z.ZodType>>): CallField[] =>
  Object.entries(shape).map(([name, schema]) => ({
    name,
    ...kindOf(schema),
    isRequired: !schema.safeParse(undefined).success,
    description: schema.description,
  }));

function shapeOf({ body, act }: OperatorCall): ActShape {
  const { reason: _reason, ...shape } = (body as z.ZodObject).shape;
  const { approval, alone } = act ?? {};
  return {
    fields: fieldsOf(shape as Record<string, z.ZodType>),
    ...(approval ? { approval } : {}),
    ...(alone ? { alone } : {}),
  };
}

type ActShape = Pick<ActRule, 'approval' | 'alone'> & {
  /** The fields of its body, besides the reason that all acts take. */
  readonly fields: readonly CallField[];
};

/** The shape of each act. The build of the web app has only this, without the schemas. */
export const ACT_SHAPES = Object.fromEntries(
  Object.entries(OPERATOR_API as Readonly<Record<string, OperatorCall>>)
    .filter(([, { act }]) => act)
    .map(([name, call]) => [name, shapeOf(call)]),
) as unknown as Readonly<Record<ActName, ActShape>>;
