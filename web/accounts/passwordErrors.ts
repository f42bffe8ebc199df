import { z } from 'zod';
import { newPassword } from '../../contract/fields.ts';
import { normalizePassword } from '../../domain/accounts.ts';
import type { FormErrors } from '../ui/useForm.ts';

/** spec 5: the error of a password confirmation, which never leaves the browser. */
export function confirmationError(password: string, confirmation: string): string | undefined {
  if (confirmation === '') return 'Please confirm your password';
  return normalizePassword(confirmation) === normalizePassword(password) ? undefined : 'Passwords do not match';
}

const newPasswordSchema = z.object({ newPassword });

export function newPasswordErrors(values: { newPassword: string; confirmPassword: string }): FormErrors {
  const first = newPasswordSchema.safeParse(values).error?.issues[0]?.message;
  const second = confirmationError(values.newPassword, values.confirmPassword);
  return { ...(first ? { newPassword: first } : {}), ...(second ? { confirmPassword: second } : {}) };
}
