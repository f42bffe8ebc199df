import { Button } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { CallFailed } from '../../contract/callClient.ts';
import { api } from '../api/client.ts';
import { readSession } from '../api/currentSession.ts';
import { signOut } from '../session/session.ts';
import styles from '../ui/AuthPage.module.css';
import { AuthMessage, AuthPage } from '../ui/AuthPage.tsx';
import { Icon } from '../ui/icons.tsx';
import { PasswordField } from '../ui/PasswordField.tsx';
import { useForm } from '../ui/useForm.ts';
import { NewPasswordField } from './NewPasswordField.tsx';
import { newPasswordErrors } from './passwordErrors.ts';

type View = { at: 'form' } | { at: 'done' } | { at: 'invalid'; why: string };

/** spec 2.6: the form, the success view, or the invalid-link view. */
export function ResetPassword() {
  const [params] = useSearchParams();
  const token = (params.get('token') ?? '').trim();
  const [view, setView] = useState<View>({ at: 'form' });
  if (token === '') return <InvalidLink why="Invalid or missing reset token" />;
  if (view.at === 'invalid') return <InvalidLink why={view.why} />;
  if (view.at === 'done') return <PasswordChanged />;
  return <NewPasswordForm token={token} onView={setView} />;
}

function NewPasswordForm({ token, onView }: { token: string; onView: (view: View) => void }) {
  const form = useForm({ newPassword: '', confirmPassword: '' }, newPasswordErrors);
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState<string>();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isSending || !form.isValid()) return;
    setSending(true);
    setFailure(undefined);
    try {
      await api.resetPassword({ body: { token, newPassword: form.values.newPassword } });
      // The server has ended the sessions of this account; one of another account would lead past the login.
      if (readSession().state === 'authenticated') signOut();
      onView({ at: 'done' });
    } catch (error) {
      const isStale = error instanceof CallFailed && (error.statusCode === 401 || isAboutToken(error));
      if (isStale) onView({ at: 'invalid', why: 'Invalid or expired reset token' });
      else setFailure(errorText(error));
    }
    setSending(false);
  };
  return (
    <AuthPage title="Set a new password" line="You will be signed out everywhere. Then sign in with your new password.">
      <form ref={form.form} className={styles.form} onSubmit={submit} noValidate>
        <NewPasswordField label="New Password" {...form.bind('newPassword')} />
        <PasswordField label="Confirm Password" autoComplete="new-password" {...form.bind('confirmPassword')} />
        {failure && (
          <p className={styles.wrong} role="alert">
            {failure}
          </p>
        )}
        <Button type="submit" fullWidth loading={isSending}>
          Reset Password
        </Button>
      </form>
    </AuthPage>
  );
}

/** A link that is cut off or changed has a token that no link could have. */
const isAboutToken = ({ validationErrors }: CallFailed) =>
  validationErrors.some(({ property }) => property === 'token');

/** The first validation error of the server, or one general message. */
function errorText(error: unknown): string {
  if (error instanceof CallFailed && error.validationErrors.length > 0) return error.message;
  return 'An error occurred. Please try again.';
}

function InvalidLink({ why }: { why: string }) {
  return (
    <AuthPage tab="Invalid Link">
      <AuthMessage icon={<Icon name="alert" size={44} color="var(--danger)" />} title="Invalid Link">
        <p>{why}</p>
        <p className="quiet">Each link works once and expires after 1 hour. Only the newest one works.</p>
        <div className={styles.buttons}>
          <Button component={Link} to="/auth/forgot-password">
            Request New Link
          </Button>
          <Button component={Link} to="/login" variant="subtle">
            Back to Login
          </Button>
        </div>
      </AuthMessage>
    </AuthPage>
  );
}

function PasswordChanged() {
  return (
    <AuthPage tab="Password changed">
      <AuthMessage
        icon={<Icon name="check" size={44} color="var(--completed-ink)" />}
        title="Your password has been changed"
      >
        <p className="quiet">Sign in with your new password.</p>
        <div className={styles.buttons}>
          <Button component={Link} to="/login">
            Continue to Login
          </Button>
        </div>
      </AuthMessage>
    </AuthPage>
  );
}
