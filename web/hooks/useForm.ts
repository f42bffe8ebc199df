import { useRef, useState } from 'react';
import type { z } from 'zod';
import { CallFailed } from '../../contract/client.ts';
import { toValidationErrors } from '../../contract/validationErrors.ts';

export type FormErrors = Readonly<Record<string, string>>;

/** The first broken rule of each field, in the contract's words; a nested field's name is joined with dots. */
export function validateFields(schema: z.ZodObject, values: unknown): FormErrors {
  const parsed = schema.safeParse(values);
  if (parsed.success) return {};
  return Object.fromEntries(
    toValidationErrors(parsed.error, schema).map((fault) => [
      fault.property,
      Object.values(fault.constraints)[0] ?? '',
    ]),
  );
}

/** The fields that a server's answer complains about. */
export function serverErrorsOf(error: unknown): FormErrors {
  if (!(error instanceof CallFailed)) return {};
  return Object.fromEntries(
    error.validationErrors.map((fault) => [fault.property, Object.values(fault.constraints)[0] ?? '']),
  );
}

/**
 * Values and errors of a form (spec 5): `check` runs on submit, and a field's error goes when the field is edited.
 * After a failed check the first bad field, found by its `name`, has the focus.
 */
export function useForm<Values extends Record<string, unknown>>(
  initial: Values,
  check: (values: Values) => FormErrors,
) {
  const [values, setValues] = useState(initial);
  const [errors, setErrors] = useState<FormErrors>({});
  const form = useRef<HTMLFormElement>(null);

  const set = <K extends keyof Values & string>(name: K, value: Values[K]) => {
    setValues((before) => ({ ...before, [name]: value }));
    setErrors(({ [name]: _gone, ...rest }) => rest);
  };
  const show = (found: FormErrors) => {
    setErrors(found);
    const first = Object.keys(found)[0];
    // At once: a focus that comes later could scroll a button away from under the finger.
    if (first) focusField(form.current, first);
  };
  /** Checks the whole form, shows what is wrong, and says whether it may be sent. */
  const isValid = (): boolean => {
    const found = check(values);
    show(found);
    return Object.keys(found).length === 0;
  };
  /** What a text input needs: its name, value, error and how to change it. */
  const bind = <K extends keyof Values & string>(name: K) => ({
    name,
    value: values[name] as string,
    error: errors[name],
    onChange: (event: { currentTarget: { value: string } }) => set(name, event.currentTarget.value as Values[K]),
  });
  return { values, errors, set, setErrors: show, setValues, isValid, bind, form };
}

function focusField(form: HTMLFormElement | null, name: string): void {
  const field = form?.querySelector<HTMLElement>(`[name="${name}"], [data-field="${name}"]`);
  field?.focus();
}
