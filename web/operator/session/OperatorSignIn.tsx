import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Answer } from '../../../contract/call.ts';
import { CallFailed } from '../../../contract/callClient.ts';
import type { OperatorApi } from '../../../contract/operator/api.ts';
import { useConfig } from '../../api/config.ts';
import { TOWN_NAME } from '../../town.ts';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { CodeField } from '../CodeField.tsx';
import { operatorApi } from '../operatorApi.ts';
import { beginOperatorSession } from '../operatorSession.ts';
import { canUsePasskeys, signInWithPasskey } from '../passkeys.ts';
import { PasskeyButton } from '../StepUpFields.tsx';
import styles from './OperatorFrame.module.css';
import { OperatorFrame, Problem } from './OperatorFrame.tsx';

/** Signing in: the address and the password, then a code or a passkey, which is asked for once they are right. */
export function OperatorSignIn({ hasExpired }: { hasExpired: boolean }) {
  const state = useOperatorSignIn();
  return (
    <OperatorFrame title={`${TOWN_NAME} Console`} line="For the people who run the town">
      {hasExpired && <p role="status">Your session has ended. Please sign in again.</p>}
      <SignInForm {...state} />
      <DemoButton {...state} />
    </OperatorFrame>
  );
}

type SignInState = ReturnType<typeof useOperatorSignIn>;

/** What the server asks for, and what has gone wrong. All buttons of the page share it: only one request is sent at a time. */
function useOperatorSignIn() {
  const [asks, setAsks] = useState<'password' | 'code' | 'codeOrPasskey'>('password');
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<string>();
  const signIn = async (send: () => Promise<Answer<OperatorApi['operatorSignIn']>>) => {
    if (isSending) return;
    setSending(true);
    setProblem(undefined);
    try {
      const { session } = await send();
      beginOperatorSession(session);
    } catch (error) {
      const code = error instanceof CallFailed ? error.code : undefined;
      if (code === 'codeNeeded') setAsks('code');
      else if (code === 'codeOrPasskeyNeeded') setAsks('codeOrPasskey');
      else setProblem(error instanceof Error ? error.message : String(error));
      setSending(false);
    }
  };
  return { asks, isSending, problem, signIn };
}

function SignInForm({ asks, isSending, problem, signIn }: SignInState) {
  const [values, setValues] = useState({ email: '', password: '', code: '' });
  const { email, password, code } = values;
  const set = (name: keyof typeof values) => (value: string) => setValues((now) => ({ ...now, [name]: value }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const body = asks === 'password' ? { email, password } : values;
    void signIn(() => operatorApi.operatorSignIn({ body }));
  };
  const continueWithPasskey = () => void signIn(() => signInWithPasskey({ email, password }));
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <TextInput
        label="Email"
        type="email"
        autoComplete="username"
        inputMode="email"
        value={email}
        onChange={(event) => set('email')(event.currentTarget.value)}
      />
      <PasswordField
        label="Password"
        autoComplete="current-password"
        value={password}
        onChange={(event) => set('password')(event.currentTarget.value)}
      />
      {asks !== 'password' && <CodeField value={code} onChange={set('code')} hasFocus />}
      {problem && <Problem text={problem} />}
      <Button type="submit" fullWidth loading={isSending}>
        Sign In
      </Button>
      {asks === 'codeOrPasskey' && canUsePasskeys() && (
        <PasskeyButton isSending={isSending} onClick={continueWithPasskey} />
      )}
    </form>
  );
}

function DemoButton({ isSending, signIn }: Pick<SignInState, 'isSending' | 'signIn'>) {
  const { demoOperator } = useConfig() ?? {};
  if (!demoOperator) return null;
  return (
    <Button
      variant="default"
      fullWidth
      loading={isSending}
      onClick={() => void signIn(() => operatorApi.operatorSignIn({ body: demoOperator }))}
    >
      Look around the demo
    </Button>
  );
}
