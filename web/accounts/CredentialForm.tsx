import { Button } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import type { FormEvent, ReactNode } from 'react';
import { useFocusFirstField } from '../hooks/focusFirstField.ts';
import { errorMessageOf } from '../ui/errorMessage.ts';
import { serverErrorsOf, type useForm } from '../ui/useForm.ts';
import styles from './Profile.module.css';

type Form = Pick<ReturnType<typeof useForm>, 'form' | 'isValid'>;

type CredentialFormProps = {
  readonly name: string;
  readonly form: Form;
  /** What the submit button does. Its `onError` shows the errors of the fields. */
  readonly change: Pick<UseMutationResult<unknown, Error, void>, 'mutate' | 'isPending' | 'error'>;
  /** Shown when the change fails without a message of its own. */
  readonly failure: string;
  readonly submitLabel: string;
  readonly cancelLabel?: string;
  readonly onCancel: () => void;
  readonly moreButtons?: ReactNode;
  readonly children: ReactNode;
};

/** The frame of a form that changes what the user signs in with: sent once at a time, and it says why it was refused. */
export function CredentialForm(props: CredentialFormProps) {
  const { name, form, change, failure, submitLabel, cancelLabel = 'Cancel', onCancel, moreButtons, children } = props;
  useFocusFirstField(form.form);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!change.isPending && form.isValid()) change.mutate();
  };
  return (
    <form ref={form.form} className={`${styles.form} ${styles.box}`} onSubmit={submit} noValidate aria-label={name}>
      {children}
      <Failure error={change.error} fallback={failure} />
      <div className="buttons">
        <Button type="submit" loading={change.isPending}>
          {submitLabel}
        </Button>
        <Button variant="default" onClick={onCancel}>
          {cancelLabel}
        </Button>
        {moreButtons}
      </div>
    </form>
  );
}

/** Says what a change does to the user's other sessions. */
export const SignedOutElsewhere = () => (
  <p className={`quiet ${styles.hint}`}>You stay signed in here and are signed out everywhere else.</p>
);

/** Why a form was not accepted, unless its fields say so. */
function Failure({ error, fallback }: { error: unknown; fallback: string }): ReactNode {
  if (!error || Object.keys(serverErrorsOf(error)).length > 0) return null;
  return (
    <p className={styles.wrong} role="alert">
      {errorMessageOf(error, fallback)}
    </p>
  );
}
