import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { serverErrorsOf } from '../../hooks/useForm.ts';
import { NotFound } from '../../ui/ErrorState.tsx';
import { errorMessageOf } from '../../ui/errorMessage.ts';
import { FullSpinner } from '../../ui/FullSpinner.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { QrCode } from '../../ui/QrCode.tsx';
import { operatorApi } from '../operatorApi.ts';
import { beginOperatorSession } from '../operatorSession.ts';
import { CodeField } from './CodeField.tsx';
import styles from './OperatorFrame.module.css';
import { OperatorFrame } from './OperatorFrame.tsx';

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

function JoinForm({ token, invitation }: JoinFormProps) {
  const { email, fullname } = invitation;
  const [values, setValues] = useState({ email: email ?? '', fullname: fullname ?? '', password: '', code: '' });
  const [error, setError] = useState<unknown>();
  const [isSending, setSending] = useState(false);
  const navigate = useNavigate();
  const errors = serverErrorsOf(error);
  const set = (name: keyof typeof values) => (value: string) => setValues((now) => ({ ...now, [name]: value }));

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isSending) return;
    setSending(true);
    try {
      const { session } = await operatorApi.acceptInvitation({
        body: { ...values, token, setup: invitation.setup },
      });
      beginOperatorSession(session);
      navigate('/operator', { replace: true });
    } catch (failure) {
      setError(failure);
      setSending(false);
    }
  };
  return (
    <OperatorFrame
      title={fullname === null ? 'Become an operator' : 'Come back'}
      line={
        fullname === null
          ? 'You need a password, and an app that makes codes.'
          : 'Choose a new password, and connect an app that makes codes.'
      }
    >
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
        <section className={styles.factor} aria-label="Authenticator app">
          <p>Scan this with the authenticator app of your phone, or type the letters into it:</p>
          <QrCode text={invitation.address} />
          <p className={styles.secret}>{invitation.secret.match(/.{1,4}/g)?.join(' ')}</p>
        </section>
        <CodeField value={values.code} onChange={set('code')} error={errors.code} />
        {error !== undefined && Object.keys(errors).length === 0 && (
          <p className={styles.wrong} role="alert">
            {errorMessageOf(error, 'The server did not answer. Please try again.')}
          </p>
        )}
        <Button type="submit" fullWidth loading={isSending}>
          {fullname === null ? 'Become an Operator' : 'Sign In'}
        </Button>
      </form>
    </OperatorFrame>
  );
}
