import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Link } from 'react-router';
import { login } from '../../contract/accounts.ts';
import { DemoEntrance } from '../demo/DemoEntrance.tsx';
import { useForm, validateFields } from '../hooks/useForm.ts';
import { PasswordField } from '../ui/PasswordField.tsx';
import styles from './AuthPage.module.css';
import { AuthPage } from './AuthPage.tsx';
import { signIn } from './session.ts';

/** spec 2.4. After signing in, the surrounding route decides where to go. */
export function SignIn() {
  const form = useForm({ email: '', password: '' }, (values) => validateFields(login.body, values));
  const [isSending, setSending] = useState(false);
  const [loginError, setLoginError] = useState<string>();

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isSending || !form.isValid()) return;
    setSending(true);
    setLoginError(undefined);
    try {
      await signIn(form.values);
    } catch (error) {
      setLoginError(error instanceof Error ? error.message : String(error));
    }
    setSending(false);
  };
  return (
    <AuthPage title="Welcome to Rubadub" line="Sign in to your account" tab="Sign In">
      <form ref={form.form} className={styles.form} onSubmit={submit} noValidate>
        <TextInput label="Email" type="email" autoComplete="username" inputMode="email" {...form.bind('email')} />
        <PasswordField label="Password" autoComplete="current-password" {...form.bind('password')} />
        {loginError && (
          <p className={styles.wrong} role="alert">
            {loginError}
          </p>
        )}
        <Button type="submit" fullWidth loading={isSending}>
          Sign In
        </Button>
      </form>
      <div className={styles.more}>
        <Link className={styles.link} to="/auth/forgot-password">
          Forgot your password?
        </Link>
        <Link className={styles.link} to="/signup">
          Don't have an account? Sign up
        </Link>
      </div>
      <DemoEntrance className={styles.demo} />
    </AuthPage>
  );
}
