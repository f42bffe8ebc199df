import type { z } from 'zod';
import type { ValidationError } from './failures.ts';

/** How zod's own issue codes are named in a fault's `constraints`. */
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

/** The faults of a failed parse: one entry a property, the first rule that it breaks, in the order of the shape. */
export function toValidationErrors(error: z.ZodError, shape?: z.ZodObject): ValidationError[] {
  const faults = new Map<string, ValidationError>();
  for (const issue of error.issues) {
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) {
        const property = [...issue.path, key].join('.');
        faults.set(property, { property, constraints: { isKnown: `Unknown property ${property}` } });
      }
      continue;
    }
    const property = issue.path.join('.') || 'body';
    if (faults.has(property)) continue;
    const named = issue.code === 'custom' ? (issue.params?.constraint as string | undefined) : undefined;
    faults.set(property, {
      property,
      constraints: { [named ?? CONSTRAINT_OF_CODE[issue.code] ?? 'isValid']: issue.message },
    });
  }
  return sortByShape(shape, [...faults.values()]);
}

function sortByShape(shape: z.ZodObject | undefined, faults: ValidationError[]): ValidationError[] {
  if (!shape) return faults;
  const order = Object.keys(shape.shape);
  const place = (fault: ValidationError) => {
    const index = order.indexOf(fault.property.split('.')[0] ?? '');
    return index < 0 ? order.length : index;
  };
  return faults.toSorted((a, b) => place(a) - place(b));
}

/** The words of the first fault, as the screens show them. */
export function firstMessage(message: string | readonly ValidationError[]): string {
  if (typeof message === 'string') return message;
  return Object.values(message[0]?.constraints ?? {})[0] ?? 'Something went wrong';
}
