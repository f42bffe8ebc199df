import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Link } from 'react-router';
import type { login } from '../../contract/accounts.ts';
import { DemoEntrance } from '../demo/DemoEntrance.tsx';
import { signIn } from '../session/session.ts';
import { TOWN_NAME } from '../town.ts';
import styles from '../ui/AuthPage.module.css';
import { AuthPage } from '../ui/AuthPage.tsx';
import { PasswordField } from '../ui/PasswordField.tsx';
import { useForm, validateFields } from '../ui/useForm.ts';

// The form shows and can be filled in before the rules of its fields have loaded. Without them the server checks it.
let rules: typeof login.body | undefined;
async function loadRules(): Promise<void> {
  if (rules) return;
  const accounts = await import('../../contract/accounts.ts').catch(() => undefined);
  rules = accounts?.login.body;
}

/** spec 2.4. After signing in, the surrounding route decides where to go. */
export function SignIn() {
  const form = useForm({ email: '', password: '' }, (values) => (rules ? validateFields(rules, values) : {}));
  const [isSending, setSending] = useState(false);
  const [loginError, setLoginError] = useState<string>();

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isSending) return;
    setSending(true);
    await loadRules();
    if (form.isValid()) {
      setLoginError(undefined);
      try {
        await signIn(form.values);
      } catch (error) {
        setLoginError(error instanceof Error ? error.message : String(error));
      }
    }
    setSending(false);
  };
  return (
    <AuthPage title={`Welcome to ${TOWN_NAME}`} line="Sign in to your account" tab="Sign In">
      <form ref={form.form} className={styles.form} onSubmit={submit} onFocus={loadRules} noValidate>
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
