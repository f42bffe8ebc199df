import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { changePassword } from '../../contract/credentials.ts';
import { api } from '../api.ts';
import { useFocusFirstField } from '../hooks/focusFirstField.ts';
import { serverErrorsOf, useForm, validateFields } from '../hooks/useForm.ts';
import { queryClient } from '../queryClient.ts';
import { errorMessageOf } from '../ui/errorMessage.ts';
import { PasswordField } from '../ui/PasswordField.tsx';
import { toast } from '../ui/toast.tsx';
import { sessionsQuery } from './Devices.tsx';
import { NewPasswordField } from './NewPasswordField.tsx';
import styles from './Profile.module.css';
import { newPasswordErrors } from './passwordErrors.ts';

const EMPTY = { currentPassword: '', newPassword: '', confirmPassword: '' };
const currentPasswordSchema = changePassword.body.pick({ currentPassword: true });

/** Changes the password of the signed-in user, who types the current one. */
export function PasswordForm({ email, onDone }: { email: string; onDone: () => void }) {
  const form = useForm(EMPTY, (values) => ({
    ...validateFields(currentPasswordSchema, { currentPassword: values.currentPassword }),
    ...newPasswordErrors(values),
  }));
  useFocusFirstField(form.form);
  const { currentPassword, newPassword } = form.values;
  const change = useMutation({
    mutationFn: () => api.changePassword({ body: { currentPassword, newPassword } }),
    onSuccess: async () => {
      toast.success('Password Changed', { description: 'Every other device was signed out.' });
      onDone();
      await queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
    },
    onError: (error) => form.setErrors(serverErrorsOf(error)),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!change.isPending && form.isValid()) change.mutate();
  };
  const isInline = Object.keys(serverErrorsOf(change.error)).length > 0;
  return (
    <form
      ref={form.form}
      className={`${styles.form} ${styles.box}`}
      onSubmit={submit}
      noValidate
      aria-label="Change password"
    >
      {/* Tells a password manager whose password this is. */}
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <PasswordField label="Current Password" autoComplete="current-password" {...form.bind('currentPassword')} />
      <NewPasswordField label="New Password" {...form.bind('newPassword')} />
      <PasswordField label="Confirm Password" autoComplete="new-password" {...form.bind('confirmPassword')} />
      <p className={`quiet ${styles.hint}`}>You stay signed in here and are signed out everywhere else.</p>
      {change.isError && !isInline && (
        <p className={styles.wrong} role="alert">
          {errorMessageOf(change.error, 'We could not change your password. Please try again.')}
        </p>
      )}
      <div className={styles.buttons}>
        <Button type="submit" loading={change.isPending}>
          Change Password
        </Button>
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
