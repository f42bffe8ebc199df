import { Button } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { Dialog } from '../ui/Dialog.tsx';
import { errorMessageOf } from '../ui/errorMessage.ts';
import { PasswordField } from '../ui/PasswordField.tsx';
import { type FormErrors, serverErrorsOf } from '../ui/useForm.ts';
import styles from './PasswordDialog.module.css';

type PasswordDialogProps = {
  readonly title: string;
  /** What happens with what is entered. */
  readonly note: string;
  /** What the button does; by default "Save". */
  readonly button?: string;
  readonly isDestructive?: boolean;
  readonly onSave: (password: string) => Promise<void>;
  readonly onClose: () => void;
  /** The fields besides the password. `forget` hides the messages of a refusal, when the form asks for something else. */
  readonly children?: (errors: FormErrors, forget: () => void) => ReactNode;
};

/** A form whose change needs the password. Nothing that was typed is lost when the server refuses it. */
export function PasswordDialog({
  title,
  note,
  button = 'Save',
  isDestructive,
  onSave,
  onClose,
  children,
}: PasswordDialogProps) {
  const [password, setPassword] = useState('');
  const [failure, setFailure] = useState<unknown>();
  const [isSending, setSending] = useState(false);
  const errors = serverErrorsOf(failure);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isSending) return;
    setSending(true);
    setFailure(undefined);
    try {
      await onSave(password);
      onClose();
    } catch (error) {
      setFailure(error);
      setSending(false);
    }
  };
  return (
    <Dialog opened onClose={onClose} title={title} closeOnOverlay={false}>
      <form className={styles.form} onSubmit={submit} noValidate>
        {children?.(errors, () => setFailure(undefined))}
        <PasswordField
          label="Your password"
          autoComplete="current-password"
          value={password}
          error={errors.password ?? errors.currentPassword}
          onChange={({ currentTarget: { value } }) => setPassword(value)}
        />
        {failure !== undefined && Object.keys(errors).length === 0 && (
          <p role="alert" className={styles.problem}>
            {errorMessageOf(failure, 'The server did not answer. Nothing was changed. Please try again.')}
          </p>
        )}
        <p className="quiet">{note}</p>
        <Button type="submit" size="lg" loading={isSending} {...(isDestructive ? { color: 'red' } : {})}>
          {button}
        </Button>
      </form>
    </Dialog>
  );
}
