import type { z } from 'zod';
import type { FAILURES, ValidationError } from './failures.ts';

/** The message of the server without a cause that users could understand. First pages load it without the table of failures. */
export const NO_MESSAGE: (typeof FAILURES)['broken'][1] = 'Something went wrong';

/** The names of Zod's issue codes in the `constraints` of a validation error. */
const CONSTRAINT_OF_CODE: Record<string, string> = {
  invalid_type: 'isType',
  invalid_value: 'isIn',
  invalid_format: 'isFormat',
  invalid_union: 'isIn',
  too_small: 'min',
  too_big: 'max',
  not_multiple_of: 'isMultipleOf',
  unrecognized_keys: 'isKnown',
};

/** The errors of a failed parse: the first broken rule of each property, in the order of the shape. */
export function toValidationErrors(error: z.ZodError, shape?: z.ZodObject): ValidationError[] {
  const errors = new Map<string, ValidationError>();
  for (const issue of error.issues) {
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) {
        const property = [...issue.path, key].join('.');
        errors.set(property, { property, constraints: { isKnown: `Unknown property ${property}` } });
      }
      continue;
    }
    const property = issue.path.join('.') || 'body';
    if (errors.has(property)) continue;
    const custom = issue.code === 'custom' ? (issue.params?.constraint as string | undefined) : undefined;
    errors.set(property, {
      property,
      constraints: { [custom ?? CONSTRAINT_OF_CODE[issue.code] ?? 'isValid']: issue.message },
    });
  }
  return sortByShape(shape, [...errors.values()]);
}

function sortByShape(shape: z.ZodObject | undefined, errors: ValidationError[]): ValidationError[] {
  if (!shape) return errors;
  const order = Object.keys(shape.shape);
  const positionOf = ({ property }: ValidationError) => {
    const index = order.indexOf(property.split('.')[0] ?? '');
    return index < 0 ? order.length : index;
  };
  return errors.toSorted((a, b) => positionOf(a) - positionOf(b));
}

/** The message of the first error, for the screens. */
export function firstMessage(message: string | readonly ValidationError[]): string {
  if (typeof message === 'string') return message;
  return Object.values(message[0]?.constraints ?? {})[0] ?? NO_MESSAGE;
}
