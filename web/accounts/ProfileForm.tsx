import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { type User, updateProfile } from '../../contract/accounts.ts';
import { api } from '../api/client.ts';
import { notifyIfSessionExpired } from '../api/queryClient.ts';
import { updateUser } from '../session/session.ts';
import { errorMessageOf } from '../ui/errorMessage.ts';
import { toast } from '../ui/toast.tsx';
import { serverErrorsOf, useForm, validateFields } from '../ui/useForm.ts';
import { PhoneField } from './PhoneField.tsx';
import styles from './Profile.module.css';

/** The name and phone of the profile, in edit mode. */
export function ProfileForm({ user, onDone }: { user: User; onDone: () => void }) {
  const { form, isSaving, failure, submit } = useProfileForm(user, onDone);
  return (
    <form ref={form.form} className={styles.form} onSubmit={submit} noValidate aria-label="Edit profile">
      <TextInput label="Full Name" autoComplete="name" {...form.bind('fullname')} />
      <PhoneField value={form.values.phone} error={form.errors.phone} onChange={(phone) => form.set('phone', phone)} />
      {failure && (
        <p className={styles.wrong} role="alert">
          {failure}
        </p>
      )}
      <div className="buttons">
        <Button type="submit" loading={isSaving}>
          Save Changes
        </Button>
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

/** An unchanged phone is left out: a number from before a rule must not keep its owner from changing their name. */
const changedIn = ({ fullname, phone }: { fullname: string; phone: string }, user: User) =>
  phone === (user.phone ?? '') ? { fullname } : { fullname, phone: phone || null };

function useProfileForm(user: User, onSaved: () => void) {
  const form = useForm({ fullname: user.fullname, phone: user.phone ?? '' }, (values) =>
    validateFields(updateProfile.body, changedIn(values, user)),
  );
  const [isSaving, setSaving] = useState(false);
  const [failure, setFailure] = useState<string>();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isSaving || !form.isValid()) return;
    setSaving(true);
    setFailure(undefined);
    try {
      updateUser(await api.updateProfile({ body: changedIn(form.values, user) }));
      toast.success('Profile Details Updated');
      onSaved();
    } catch (error) {
      notifyIfSessionExpired(error);
      const found = serverErrorsOf(error);
      form.setErrors(found);
      const isAboutField = Object.keys(found).some((property) => property in form.values);
      if (Object.keys(found).length === 0)
        toast.error('Update Error', { description: errorMessageOf(error, 'Something went wrong.') });
      else if (!isAboutField) setFailure(errorMessageOf(error, 'Something went wrong.'));
      setSaving(false);
    }
  };
  return { form, isSaving, failure, submit };
}
