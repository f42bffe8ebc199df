import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { CallFailed } from '../../../contract/callClient.ts';
import { useConfig } from '../../config.ts';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { operatorApi } from '../operatorApi.ts';
import { beginOperatorSession } from '../operatorSession.ts';
import { CodeField } from './CodeField.tsx';
import styles from './OperatorFrame.module.css';
import { OperatorFrame } from './OperatorFrame.tsx';

/** Signing in: the address and the password, then the code, which is asked for once they are right. */
export function OperatorSignIn({ hasExpired }: { hasExpired: boolean }) {
  const [values, setValues] = useState({ email: '', password: '', code: '' });
  const [asksCode, setAsksCode] = useState(false);
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<string>();
  const { demoOperator } = useConfig() ?? {};
  const set = (name: keyof typeof values) => (value: string) => setValues((now) => ({ ...now, [name]: value }));

  const signIn = async (body: Parameters<typeof operatorApi.operatorSignIn>[0]['body']) => {
    if (isSending) return;
    setSending(true);
    setProblem(undefined);
    try {
      const { session } = await operatorApi.operatorSignIn({ body });
      beginOperatorSession(session);
    } catch (error) {
      if (error instanceof CallFailed && error.code === 'codeNeeded') setAsksCode(true);
      else setProblem(error instanceof Error ? error.message : String(error));
      setSending(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { email, password, code } = values;
    void signIn({ email, password, ...(asksCode ? { code } : {}) });
  };
  return (
    <OperatorFrame title="Rubadub Console" line="For the people who run the town">
      {hasExpired && <p role="status">Your session has ended. Please sign in again.</p>}
      <form className={styles.form} onSubmit={submit} noValidate>
        <TextInput
          label="Email"
          type="email"
          autoComplete="username"
          inputMode="email"
          value={values.email}
          onChange={(event) => set('email')(event.currentTarget.value)}
        />
        <PasswordField
          label="Password"
          autoComplete="current-password"
          value={values.password}
          onChange={(event) => set('password')(event.currentTarget.value)}
        />
        {asksCode && <CodeField value={values.code} onChange={set('code')} hasFocus />}
        {problem && (
          <p className={styles.wrong} role="alert">
            {problem}
          </p>
        )}
        <Button type="submit" fullWidth loading={isSending}>
          Sign In
        </Button>
      </form>
      {demoOperator && (
        <Button variant="default" fullWidth loading={isSending} onClick={() => void signIn(demoOperator)}>
          Look around the demo
        </Button>
      )}
    </OperatorFrame>
  );
}
