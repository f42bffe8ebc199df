import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { CallFailed } from '../../contract/callClient.ts';
import { changeEmail, sendEmailChangeCodes } from '../../contract/credentials.ts';
import { OTP_LENGTH } from '../../domain/accounts.ts';
import { api } from '../api/client.ts';
import { queryClient } from '../api/queryClient.ts';
import { updateUser } from '../session/session.ts';
import { CodeInput } from '../ui/CodeInput.tsx';
import { PasswordField } from '../ui/PasswordField.tsx';
import { toast } from '../ui/toast.tsx';
import { serverErrorsOf, useForm, validateFields } from '../ui/useForm.ts';
import { CredentialForm, SignedOutElsewhere } from './CredentialForm.tsx';
import { sessionsQuery } from './Devices.tsx';
import { StandInInbox } from './StandInInbox.tsx';

const codesSchema = changeEmail.body.pick({ oldCode: true, newCode: true });

/** Changes the e-mail address of the signed-in user, in two steps: the password, and a code from each address. */
export function EmailForm({ email, onDone }: { email: string; onDone: () => void }) {
  const [newEmail, setNewEmail] = useState('');
  const [sent, setSent] = useState<'now' | 'before'>();
  return sent ? (
    <CodesForm {...{ email, newEmail, sent, onDone }} onBack={() => setSent(undefined)} />
  ) : (
    <NewEmailForm
      initial={newEmail}
      onCancel={onDone}
      onSent={(address, when) => {
        setNewEmail(address);
        setSent(when);
      }}
    />
  );
}

type NewEmailProps = {
  initial: string;
  onCancel: () => void;
  onSent: (newEmail: string, when: 'now' | 'before') => void;
};

function NewEmailForm({ initial, onCancel, onSent }: NewEmailProps) {
  const form = useForm({ newEmail: initial, password: '' }, (values) =>
    validateFields(sendEmailChangeCodes.body, values),
  );
  const send = useMutation({
    mutationFn: () => api.sendEmailChangeCodes({ body: form.values }),
    onSuccess: () => onSent(form.values.newEmail.trim(), 'now'),
    onError: (error) => form.setErrors(serverErrorsOf(error)),
  });
  const haveCodes = (
    <Button variant="subtle" onClick={() => onSent(form.values.newEmail.trim(), 'before')}>
      I have both codes
    </Button>
  );
  return (
    <CredentialForm
      name="Change email"
      form={form}
      change={send}
      failure="We could not send the codes. Please try again."
      submitLabel="Send Codes"
      onCancel={onCancel}
      moreButtons={mayHaveCodes(send.error) && haveCodes}
    >
      <TextInput label="New Email" type="email" autoComplete="email" inputMode="email" {...form.bind('newEmail')} />
      <PasswordField label="Current Password" autoComplete="current-password" {...form.bind('password')} />
    </CredentialForm>
  );
}

/** Codes were sent before, or only the answer was lost. */
const mayHaveCodes = (error: unknown) =>
  error !== null && (!(error instanceof CallFailed) || error.statusCode === 429 || error.statusCode >= 500);

const SENT_TEXTS = {
  now: 'We sent a code to each address. They expire in 10 minutes.',
  before: 'Enter the newest code that came to each address. Codes expire 10 minutes after they were sent.',
} as const;

type CodesProps = {
  email: string;
  newEmail: string;
  sent: keyof typeof SENT_TEXTS;
  onBack: () => void;
  onDone: () => void;
};

function CodesForm({ email, newEmail, sent, onBack, onDone }: CodesProps) {
  const form = useForm({ oldCode: '', newCode: '' }, (values) => validateFields(codesSchema, values));
  const change = useMutation({
    mutationFn: () => api.changeEmail({ body: { newEmail, ...form.values } }),
    onSuccess: async (user) => {
      updateUser(user);
      toast.success('Email Changed', { description: user.email });
      onDone();
      await queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
    },
    onError: (error) => form.setErrors(serverErrorsOf(error)),
  });
  const code = (name: 'oldCode' | 'newCode') => ({
    ...form.bind(name),
    length: OTP_LENGTH,
    onChange: (typed: string) => form.set(name, typed),
  });
  return (
    <CredentialForm
      name="Change email"
      form={form}
      change={change}
      failure="We could not change your email. Please try again."
      submitLabel="Change Email"
      cancelLabel="Back"
      onCancel={onBack}
    >
      <p role="status">
        {SENT_TEXTS[sent]}
        <StandInInbox />
      </p>
      <CodeInput label="Code From Your Current Email" description={email} {...code('oldCode')} />
      <CodeInput label="Code From Your New Email" description={newEmail} {...code('newCode')} />
      <SignedOutElsewhere />
    </CredentialForm>
  );
}
