import { useRef, useState } from 'react';
import type { z } from 'zod';
import { CallFailed } from '../../contract/callClient.ts';
import { toValidationErrors } from '../../contract/validationErrors.ts';
import { errorMessageOf } from './errorMessage.ts';

export type FormErrors = Readonly<Record<string, string>>;

/** The first validation message of each field, keyed by its path: 'address.label'. */
export function validateFields(schema: z.ZodObject, values: unknown): FormErrors {
  const parsed = schema.safeParse(values);
  if (parsed.success) return {};
  return Object.fromEntries(
    toValidationErrors(parsed.error, schema).map(({ property, constraints }) => [
      property,
      Object.values(constraints)[0] ?? '',
    ]),
  );
}

/** The validation messages in the server's response. */
export function serverErrorsOf(error: unknown): FormErrors {
  if (!(error instanceof CallFailed)) return {};
  return Object.fromEntries(
    error.validationErrors.map(({ property, constraints }) => [property, Object.values(constraints)[0] ?? '']),
  );
}

/**
 * What the server says that no field of a form shows: about a property without a field, or about the whole request. Undefined
 * when the fields say it all.
 */
export function problemOf(error: unknown, fields: readonly string[], fallback: string): string | undefined {
  if (error === undefined) return undefined;
  const errors = serverErrorsOf(error);
  const hidden = Object.keys(errors).find((property) => !fields.includes(property));
  if (hidden !== undefined) return errors[hidden];
  return Object.keys(errors).length > 0 ? undefined : errorMessageOf(error, fallback);
}

/**
 * The values and errors of a form (spec 5). `check` runs on submit; editing a field clears its error. A failed check
 * moves the focus to the first invalid field, which is found by its `name` or `data-field`.
 */
export function useForm<Values extends Record<string, unknown>>(
  initial: Values,
  check: (values: Values) => FormErrors,
) {
  const [values, setValues] = useState(initial);
  const [errors, setErrors] = useState<FormErrors>({});
  const form = useRef<HTMLFormElement>(null);

  /** Changes a field and clears its error; with a `path`, also the errors of that part of it: 'items.0', 'items.0.what'. */
  const set = <K extends keyof Values & string>(name: K, value: Values[K], path?: string) => {
    setValues((current) => ({ ...current, [name]: value }));
    const isCleared = (key: string) => key === name || key === path || key.startsWith(`${path}.`);
    setErrors((current) => Object.fromEntries(Object.entries(current).filter(([key]) => !isCleared(key))));
  };
  const showErrors = (newErrors: FormErrors) => {
    setErrors(newErrors);
    const first = Object.keys(newErrors)[0];
    // Not in an effect: a later focus could scroll a button away while the user taps it.
    if (first) focusField(form.current, first);
  };
  /** Checks the whole form and shows the errors. */
  const isValid = (): boolean => {
    const newErrors = check(values);
    showErrors(newErrors);
    return Object.keys(newErrors).length === 0;
  };
  /** The props of a text input. */
  const bind = <K extends keyof Values & string>(name: K) => ({
    name,
    value: values[name] as string,
    error: errors[name],
    onChange: (event: { currentTarget: { value: string } }) => set(name, event.currentTarget.value as Values[K]),
  });
  return { values, errors, set, setErrors: showErrors, setValues, isValid, bind, form };
}

function focusField(form: HTMLFormElement | null, name: string): void {
  const field = form?.querySelector<HTMLElement>(`[name="${name}"], [data-field="${name}"]`);
  field?.focus();
}
