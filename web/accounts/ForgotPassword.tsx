import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Link } from 'react-router';
import { forgotPassword } from '../../contract/accounts.ts';
import { api } from '../api/client.ts';
import styles from '../ui/AuthPage.module.css';
import { AuthMessage, AuthPage } from '../ui/AuthPage.tsx';
import { Icon } from '../ui/icons.tsx';
import { useForm, validateFields } from '../ui/useForm.ts';
import { StandInInbox } from './StandInInbox.tsx';

/** spec 2.6: the same view follows in any case, so that nobody learns which addresses have accounts. */
export function ForgotPassword() {
  const [sentTo, setSentTo] = useState<string>();
  return sentTo === undefined ? (
    <EmailForm onSent={setSentTo} />
  ) : (
    <ResetLinkSent to={sentTo} onAgain={() => setSentTo(undefined)} />
  );
}

function EmailForm({ onSent }: { onSent: (email: string) => void }) {
  const form = useForm({ email: '' }, (values) => validateFields(forgotPassword.body, values));
  const [isSending, setSending] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isSending || !form.isValid()) return;
    setSending(true);
    await api.forgotPassword({ body: form.values }).catch(() => undefined);
    onSent(form.values.email.trim());
  };
  return (
    <AuthPage
      title="Forgot your password?"
      line="Enter your email address, and we will send you a link to set a new one."
    >
      <form ref={form.form} className={styles.form} onSubmit={submit} noValidate>
        <TextInput label="Email" type="email" autoComplete="username" inputMode="email" {...form.bind('email')} />
        <Button type="submit" fullWidth loading={isSending}>
          Send Reset Link
        </Button>
      </form>
      <div className={styles.more}>
        <Link className={styles.link} to="/login">
          Back to Login
        </Link>
      </div>
    </AuthPage>
  );
}

function ResetLinkSent({ to, onAgain }: { to: string; onAgain: () => void }) {
  return (
    <AuthPage tab="Check your email">
      <AuthMessage icon={<Icon name="mail" size={44} color="var(--link)" />} title="Check your email">
        <p>If this email is registered, we've sent a password reset link</p>
        <p className="quiet">
          Sent to <strong>{to}</strong>. The link expires in 1 hour.
          <StandInInbox to={to} />
        </p>
        <div className={styles.buttons}>
          <Button component={Link} to="/login">
            Back to Login
          </Button>
          <Button variant="subtle" onClick={onAgain}>
            Try a different email
          </Button>
        </div>
      </AuthMessage>
    </AuthPage>
  );
}
