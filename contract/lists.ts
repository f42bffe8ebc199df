import { z } from 'zod';
import { parseOrderNumber } from '../domain/orders.ts';
import { fieldsParameter } from './answerFields.ts';
import { integerParameter } from './fields.ts';

export const OPERATORS = ['eq', 'ne', 'in', 'gt', 'gte', 'lt', 'lte'] as const;
export type Operator = (typeof OPERATORS)[number];

export const PAGE_SIZE = 10; // spec 9
export const PAGE_SIZE_MAXIMUM = 100;
const FILTERS_MAXIMUM = 20;
const IN_VALUES_MAXIMUM = 100;

/** The type of a field that can be filtered by; a list has the allowed values. */
export type FieldKind = 'id' | 'boolean' | 'time' | 'order-number' | readonly string[];

export type ListShape = {
  readonly filters: Readonly<Record<string, FieldKind>>;
  readonly sorts: readonly string[];
  readonly sums: readonly string[];
  /** The items, whose properties the `fields` name. */
  readonly item: z.ZodObject;
};

/** The items of a list have these properties whatever the `fields` are. */
export const ITEM_FIELDS = ['id'] as const;

export type Filter = { readonly field: string; readonly operator: Operator; readonly value: FilterValue };
export type FilterValue = string | boolean | readonly (string | boolean)[];

const isId = (value: unknown) => z.guid().safeParse(value).success;
// PostgreSQL has no year 0 and no time zone beyond 15 hours.
const isTime = (value: unknown) =>
  z.iso.datetime({ offset: true }).safeParse(value).success && !/^0000|[+-](1[6-9]|2\d):\d\d$/.test(String(value));

function isFieldValue(kind: FieldKind, value: unknown): value is string | boolean {
  if (kind === 'id') return isId(value);
  if (kind === 'boolean') return typeof value === 'boolean';
  if (kind === 'time') return isTime(value);
  if (kind === 'order-number') return typeof value === 'string' && parseOrderNumber(value) !== undefined;
  return typeof value === 'string' && kind.includes(value);
}

const describeKind = (kind: FieldKind) => {
  if (kind === 'id') return 'an id';
  if (kind === 'boolean') return 'true or false';
  if (kind === 'time') return 'an ISO 8601 time';
  if (kind === 'order-number') return "an order's number, like R-1042";
  return `one of ${kind.join(', ')}`;
};

/** The problem with a filter, or undefined. */
function findFilterProblem(shape: ListShape, filter: unknown): string | undefined {
  if (typeof filter !== 'object' || filter === null || Array.isArray(filter)) return 'Each filter must be an object';
  const { field, operator, value, ...rest } = filter as Record<string, unknown>;
  if (Object.keys(rest).length > 0) return `Unknown property ${Object.keys(rest)[0]} in a filter`;
  const kind = typeof field === 'string' && Object.hasOwn(shape.filters, field) ? shape.filters[field] : undefined;
  if (kind === undefined) return `A filter's field must be one of ${Object.keys(shape.filters).join(', ')}`;
  if (!OPERATORS.includes(operator as Operator)) return `A filter's operator must be one of ${OPERATORS.join(', ')}`;
  if (operator === 'in') {
    if (!Array.isArray(value) || value.length > IN_VALUES_MAXIMUM || !value.every((one) => isFieldValue(kind, one))) {
      return `The value for ${field} must be a list of at most ${IN_VALUES_MAXIMUM}, each ${describeKind(kind)}`;
    }
    return undefined;
  }
  return isFieldValue(kind, value) ? undefined : `The value for ${field} must be ${describeKind(kind)}`;
}

function filtersParameter(shape: ListShape) {
  return z
    .string({ error: 'filters must be a JSON list' })
    .transform((text, context): Filter[] => {
      const refuse = (message: string) => {
        context.addIssue({ code: 'custom', message, params: { constraint: 'isFilter' } });
        return z.NEVER;
      };
      let list: unknown;
      try {
        list = JSON.parse(text);
      } catch {
        return refuse('filters must be a JSON list of {field, operator, value}');
      }
      if (!Array.isArray(list)) return refuse('filters must be a JSON list of {field, operator, value}');
      if (list.length > FILTERS_MAXIMUM) return refuse(`At most ${FILTERS_MAXIMUM} filters`);
      const problem = list.map((filter) => findFilterProblem(shape, filter)).find((one) => one !== undefined);
      return problem === undefined ? list : refuse(problem);
    })
    .default([]);
}

function namesParameter(name: string, allowed: readonly string[]) {
  return z
    .string({ error: `${name} must be names joined by commas` })
    .transform((text, context) => {
      const names = text === '' ? [] : [...new Set(text.split(',').map((one) => one.trim()))];
      const unknown = names.find((one) => !allowed.includes(one));
      if (unknown === undefined) return names;
      context.addIssue({
        code: 'custom',
        message: `${name} may name ${allowed.join(', ')}`,
        params: { constraint: 'isIn' },
      });
      return z.NEVER;
    })
    .default([]);
}

const PAGES_MAXIMUM = 1_000_000;

const PAGE_PARAMETERS = {
  pageNumber: integerParameter('pageNumber', 1, PAGES_MAXIMUM, 1),
  pageSize: integerParameter('pageSize', 1, PAGE_SIZE_MAXIMUM, PAGE_SIZE),
};

/** The query of a list with page numbers only. */
export const pageQuery = z.strictObject(PAGE_PARAMETERS);

/** The place of an item in a list. `value` is what the list is sorted by, without it the time alone. */
export type Position = { readonly createdAt: string; readonly id: string; readonly value?: string | undefined };

const POSITION_ERROR = 'after must be the `next` of a page with the same sortField';

/** Reads `<createdAt>_<id>` or `<createdAt>_<id>_<value>`, as the lists write it. */
const afterParameter = z
  .string({ error: POSITION_ERROR })
  .transform((text, context): Position => {
    const [, createdAt = '', id = '', value] = /^([^_]+)_([^_]+)(?:_(.+))?$/.exec(text) ?? [];
    if (isTime(createdAt) && isId(id)) return { createdAt, id, value };
    context.addIssue({ code: 'custom', message: POSITION_ERROR, params: { constraint: 'isCursor' } });
    return z.NEVER;
  })
  .optional()
  .describe('the `next` of the page before, instead of a pageNumber');

/** Whether a list with this sort can have the position. */
function isPositionOf({ filters }: ListShape, sortField: string, { value }: Position): boolean {
  if (sortField === 'createdAt' || value === undefined) return (sortField === 'createdAt') === (value === undefined);
  const kind = filters[sortField];
  return kind === undefined ? /^\d{1,9}$/.test(value) : isFieldValue(kind, value);
}

/** The query of a list (spec 7.3). Filters, sorts and sums that are not in `shape` are a 400. */
export function listQuery(shape: ListShape) {
  const parameters = z.strictObject({
    ...PAGE_PARAMETERS,
    after: afterParameter,
    sortField: z
      .enum(shape.sorts as [string, ...string[]], { error: `sortField must be one of ${shape.sorts.join(', ')}` })
      .default('createdAt'), // spec 9
    sortDirection: z.enum(['asc', 'desc'], { error: 'sortDirection must be asc or desc' }).default('desc'), // spec 9
    filters: filtersParameter(shape),
    sumFields: namesParameter('sumFields', shape.sums),
    fields: fieldsParameter(shape.item, ITEM_FIELDS),
  });
  return parameters.superRefine(({ pageNumber, after, sortField }, context) => {
    if (after === undefined || (pageNumber === 1 && isPositionOf(shape, sortField, after))) return;
    const message = pageNumber === 1 ? POSITION_ERROR : 'Send either pageNumber or after';
    context.addIssue({ code: 'custom', path: ['after'], message, params: { constraint: 'isCursor' } });
  });
}
export type ListQuery = z.output<ReturnType<typeof listQuery>>;

const pageShape = <S extends z.ZodRawShape>(item: z.ZodObject<S>) => ({
  items: z.array(item),
  totalCount: z.int(),
  sumFields: z.record(z.string(), z.number()),
});

/** The answer of a list with page numbers only. */
export const pageAnswer = <S extends z.ZodRawShape>(item: z.ZodObject<S>) =>
  z.object({ data: z.object(pageShape(item)) });

/** The answer of a list. */
export const listAnswer = <S extends z.ZodRawShape>(item: z.ZodObject<S>) =>
  z.object({
    data: z.object({
      ...pageShape(item),
      next: z
        .string()
        .nullable()
        .describe('where the next page begins: its `after`. Null when this page has fewer items than its size'),
    }),
  });
