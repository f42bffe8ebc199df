import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { NotFound } from '../../ui/ErrorState.tsx';
import { errorMessageOf } from '../../ui/errorMessage.ts';
import { FullSpinner } from '../../ui/FullSpinner.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { QrCode } from '../../ui/QrCode.tsx';
import { problemOf, serverErrorsOf } from '../../ui/useForm.ts';
import { CodeField } from '../CodeField.tsx';
import { operatorApi } from '../operatorApi.ts';
import { beginOperatorSession } from '../operatorSession.ts';
import styles from './OperatorFrame.module.css';
import { OperatorFrame, Problem } from './OperatorFrame.tsx';

/** The link of an invitation: a name, a password and an authenticator app make an operator. */
export function JoinPage() {
  const [params] = useSearchParams();
  const token = params.get('token') ?? '';
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => operatorApi.readInvitation({ body: { token } }),
    refetchOnWindowFocus: false,
    refetchInterval: false,
  });
  if (invitation.isPending) return <FullSpinner />;
  if (!invitation.data)
    return (
      <NotFound
        title="This invitation does not work"
        text={errorMessageOf(invitation.error, 'The server did not answer. Please try again.')}
        to="/operator"
        label="Go to the console"
      />
    );
  return <JoinForm token={token} invitation={invitation.data} />;
}

type JoinFormProps = { token: string; invitation: Awaited<ReturnType<typeof operatorApi.readInvitation>> };

const NEW_OPERATOR_TEXTS = {
  title: 'Become an operator',
  line: 'You need a password, and an app that makes codes.',
  button: 'Become an Operator',
};

const RETURNING_OPERATOR_TEXTS = {
  title: 'Come back',
  line: 'Choose a new password, and connect an app that makes codes.',
  button: 'Sign In',
};

function JoinForm({ token, invitation }: JoinFormProps) {
  const { email, fullname } = invitation;
  const { values, set, errors, problem, isSending, submit } = useJoinForm({ token, invitation });
  const texts = fullname === null ? NEW_OPERATOR_TEXTS : RETURNING_OPERATOR_TEXTS;
  return (
    <OperatorFrame title={texts.title} line={texts.line}>
      <form className={styles.form} onSubmit={submit} noValidate>
        <TextInput
          label="Email"
          type="email"
          autoComplete="username"
          value={values.email}
          readOnly={email !== null}
          error={errors.email}
          onChange={(event) => set('email')(event.currentTarget.value)}
        />
        <TextInput
          label="Full name"
          autoComplete="name"
          value={values.fullname}
          readOnly={fullname !== null}
          error={errors.fullname}
          onChange={(event) => set('fullname')(event.currentTarget.value)}
        />
        <PasswordField
          label="Password"
          autoComplete="new-password"
          value={values.password}
          error={errors.password}
          onChange={(event) => set('password')(event.currentTarget.value)}
        />
        <AuthenticatorSetup address={invitation.address} secret={invitation.secret} />
        <CodeField value={values.code} onChange={set('code')} error={errors.code} />
        {problem !== undefined && <Problem text={problem} />}
        <Button type="submit" fullWidth loading={isSending}>
          {texts.button}
        </Button>
      </form>
    </OperatorFrame>
  );
}

function useJoinForm({ token, invitation: { email, fullname, setup } }: JoinFormProps) {
  const [values, setValues] = useState({ email: email ?? '', fullname: fullname ?? '', password: '', code: '' });
  const [error, setError] = useState<unknown>();
  const [isSending, setSending] = useState(false);
  const navigate = useNavigate();
  const set = (name: keyof typeof values) => (value: string) => setValues((now) => ({ ...now, [name]: value }));
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isSending) return;
    setSending(true);
    setError(undefined);
    try {
      const { session } = await operatorApi.acceptInvitation({ body: { ...values, token, setup } });
      beginOperatorSession(session);
      navigate('/operator', { replace: true });
    } catch (failure) {
      setError(failure);
      setSending(false);
    }
  };
  const errors = serverErrorsOf(error);
  const problem = problemOf(error, Object.keys(values), 'The server did not answer. Please try again.');
  return { values, set, errors, problem, isSending, submit };
}

function AuthenticatorSetup({ address, secret }: { address: string; secret: string }) {
  return (
    <section className={styles.factor} aria-label="Authenticator app">
      <p>Scan this with the authenticator app of your phone, or type the letters into it:</p>
      <QrCode text={address} />
      <p className={styles.secret}>{secret.match(/.{1,4}/g)?.join(' ')}</p>
    </section>
  );
}
