import { type RefObject, useEffect } from 'react';

/** Moves the focus to the first field of a form that has just replaced the button that opened it. */
export function useFocusFirstField(form: RefObject<HTMLFormElement | null>): void {
  useEffect(() => {
    form.current?.querySelector<HTMLInputElement>('input:not([hidden])')?.focus();
  }, [form]);
}
