import { useMutation } from '@tanstack/react-query';
import { changePassword } from '../../contract/credentials.ts';
import { api } from '../api/client.ts';
import { queryClient } from '../api/queryClient.ts';
import { PasswordField } from '../ui/PasswordField.tsx';
import { toast } from '../ui/toast.tsx';
import { serverErrorsOf, useForm, validateFields } from '../ui/useForm.ts';
import { CredentialForm, SignedOutElsewhere } from './CredentialForm.tsx';
import { sessionsQuery } from './Devices.tsx';
import { NewPasswordField } from './NewPasswordField.tsx';
import { newPasswordErrors } from './passwordErrors.ts';

const EMPTY = { currentPassword: '', newPassword: '', confirmPassword: '' };
const currentPasswordSchema = changePassword.body.pick({ currentPassword: true });

/** Changes the password of the signed-in user, who types the current one. */
export function PasswordForm({ email, onDone }: { email: string; onDone: () => void }) {
  const form = useForm(EMPTY, (values) => ({
    ...validateFields(currentPasswordSchema, { currentPassword: values.currentPassword }),
    ...newPasswordErrors(values),
  }));
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
  return (
    <CredentialForm
      name="Change password"
      form={form}
      change={change}
      failure="We could not change your password. Please try again."
      submitLabel="Change Password"
      onCancel={onDone}
    >
      {/* Tells a password manager whose password this is. */}
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <PasswordField label="Current Password" autoComplete="current-password" {...form.bind('currentPassword')} />
      <NewPasswordField label="New Password" {...form.bind('newPassword')} />
      <PasswordField label="Confirm Password" autoComplete="new-password" {...form.bind('confirmPassword')} />
      <SignedOutElsewhere />
    </CredentialForm>
  );
}
