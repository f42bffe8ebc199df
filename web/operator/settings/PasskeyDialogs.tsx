import { Button, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { Passkey } from '../../../contract/operator/passkeys.ts';
import { PASSKEY_NAME_MAXIMUM } from '../../../domain/operators.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { toast } from '../../ui/toast.tsx';
import { type FormErrors, serverErrorsOf } from '../../ui/useForm.ts';
import styles from '../ActDialog.module.css';
import { operatorApi } from '../operatorApi.ts';
import { operatorQueryClient } from '../operatorQueries.ts';
import { addPasskey, passkeyMessageOf } from '../passkeys.ts';
import { StepUpFields } from '../StepUpFields.tsx';
import { type SecondFactor, useStepUp } from '../useStepUp.ts';

export function AddPasskeyDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  return (
    <PasskeyDialog
      title="Add a passkey"
      button="Add the Passkey"
      done="You can sign in with it now"
      run={() => addPasskey(name)}
      problem={name.trim() === '' ? { name: 'Give the passkey a name' } : undefined}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <TextInput
            label="Name"
            placeholder="Work laptop"
            description="So that you know later which one it is."
            maxLength={PASSKEY_NAME_MAXIMUM}
            value={name}
            error={errors.name}
            data-autofocus
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <p>Your browser asks next where to keep it, and for a finger, your face or a PIN.</p>
        </>
      )}
    </PasskeyDialog>
  );
}

export function RemovePasskeyDialog({ passkey: { id, name }, onClose }: { passkey: Passkey; onClose: () => void }) {
  return (
    <PasskeyDialog
      title={`Remove “${name}”?`}
      button="Remove the Passkey"
      done="Nobody signs in with it any more"
      isDestructive
      run={() => operatorApi.removePasskey({ params: { id }, body: {} })}
      onClose={onClose}
    >
      <p>Who is signed in with it stays signed in. If somebody else has the device, sign out everywhere as well.</p>
    </PasskeyDialog>
  );
}

type PasskeyDialogProps = {
  title: string;
  button: string;
  done: string;
  isDestructive?: boolean;
  run: () => Promise<unknown>;
  /** What keeps it from being sent. */
  problem?: FormErrors | undefined;
  onClose: () => void;
  children: ReactNode | ((errors: FormErrors) => ReactNode);
};

/** Asks for a new second factor when the last one is old. It needs no reason: the passkeys are the operator's own. */
function PasskeyDialog({ title, button, done, isDestructive, run, problem, onClose, children }: PasskeyDialogProps) {
  const stepUp = useStepUp();
  const [isSending, setSending] = useState(false);
  const [hasTried, setTried] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const errors: FormErrors = { ...serverErrorsOf(failure), ...(hasTried ? problem : {}) };

  const send = async (by: SecondFactor) => {
    if (isSending) return;
    setTried(true);
    if (problem) return;
    setSending(true);
    setFailure(undefined);
    try {
      await stepUp.confirm(by);
      await run();
      toast.success(done);
      void operatorQueryClient.invalidateQueries();
      onClose();
    } catch (error) {
      if (!stepUp.isNeededBy(error)) setFailure(error);
      setSending(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void send('code');
  };
  const isGeneral = failure !== undefined && Object.keys(errors).length === 0;
  return (
    <Dialog opened onClose={onClose} title={title} closeOnOverlay={false}>
      <form className={styles.form} onSubmit={submit} noValidate>
        {typeof children === 'function' ? children(errors) : children}
        <StepUpFields stepUp={stepUp} isSending={isSending} onUsePasskey={() => void send('passkey')} />
        {isGeneral && (
          <p role="alert" className={styles.problem}>
            {passkeyMessageOf(failure, 'The server did not answer. Please try again.')}
          </p>
        )}
        <Button type="submit" size="lg" loading={isSending} {...(isDestructive ? { color: 'red' } : {})}>
          {button}
        </Button>
      </form>
    </Dialog>
  );
}
