import { Button, NativeSelect, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useUser } from '../accounts/session.ts';
import { api } from '../api.ts';
import { type FormErrors, serverErrorsOf } from '../hooks/useForm.ts';
import { queryClient } from '../queryClient.ts';
import { Choice, ChoiceGroup } from '../ui/Choice.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { errorMessageOf } from '../ui/errorMessage.ts';
import { PasswordField } from '../ui/PasswordField.tsx';
import { toast } from '../ui/toast.tsx';
import styles from './PayoutAccountDialog.module.css';
import { PAYOUT_ACCOUNT_QUERY } from './payoutAccountQuery.ts';

type Method = 'us-bank' | 'iban';

const METHODS: readonly [Method, string][] = [
  ['us-bank', 'A bank in the USA'],
  ['iban', 'A bank with an IBAN'],
];

/** Asks for the account and the password. Nothing that was typed is lost when the server refuses it. */
export function PayoutAccountDialog({ onClose }: { onClose: () => void }) {
  const [method, setMethod] = useState<Method>('us-bank');
  const [values, setValues] = useState({
    ...{ holder: useUser().fullname, routingNumber: '', accountNumber: '', iban: '', password: '' },
    accountType: 'checking' as 'checking' | 'savings',
  });
  const [failure, setFailure] = useState<unknown>();
  const [isSending, setSending] = useState(false);
  const errors: FormErrors = serverErrorsOf(failure);
  const { holder, routingNumber, accountNumber, accountType, iban, password } = values;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isSending) return;
    setSending(true);
    setFailure(undefined);
    const account =
      method === 'iban'
        ? ({ method, holder, iban } as const)
        : ({ method, holder, routingNumber, accountNumber, accountType } as const);
    try {
      const answer = await api.changePayoutAccount({ body: { password, account } });
      queryClient.setQueryData(PAYOUT_ACCOUNT_QUERY.queryKey, answer);
      toast.success('Bank Account Saved', { description: 'We have sent you a mail about it.' });
      onClose();
    } catch (error) {
      setFailure(error);
      setSending(false);
    }
  };
  const field = (name: 'holder' | 'routingNumber' | 'accountNumber' | 'iban', label: string) => (
    <TextInput
      label={label}
      inputMode={name === 'routingNumber' || name === 'accountNumber' ? 'numeric' : 'text'}
      autoComplete="off"
      value={values[name]}
      error={errors[`account.${name}`]}
      onChange={({ currentTarget: { value } }) => setValues((now) => ({ ...now, [name]: value }))}
    />
  );
  return (
    <Dialog opened onClose={onClose} title="Where should your money go?" closeOnOverlay={false}>
      <form className={styles.form} onSubmit={submit} noValidate>
        <ChoiceGroup legend="Bank">
          {METHODS.map(([value, name]) => (
            <Choice
              key={value}
              type="radio"
              group="method"
              name={name}
              checked={method === value}
              onChoose={() => setMethod(value)}
            />
          ))}
        </ChoiceGroup>
        {field('holder', 'Name of the holder')}
        {method === 'iban' ? (
          field('iban', 'IBAN')
        ) : (
          <>
            {field('routingNumber', 'Routing number')}
            {field('accountNumber', 'Account number')}
            <NativeSelect
              label="Kind of account"
              data={[
                { value: 'checking', label: 'Checking' },
                { value: 'savings', label: 'Savings' },
              ]}
              value={accountType}
              onChange={({ currentTarget: { value } }) =>
                setValues((now) => ({ ...now, accountType: value as typeof accountType }))
              }
            />
          </>
        )}
        <PasswordField
          label="Your password"
          autoComplete="current-password"
          value={password}
          error={errors.password}
          onChange={({ currentTarget: { value } }) => setValues((now) => ({ ...now, password: value }))}
        />
        {failure !== undefined && Object.keys(errors).length === 0 && (
          <p role="alert" className={styles.problem}>
            {errorMessageOf(failure, 'The server did not answer. Nothing was changed. Please try again.')}
          </p>
        )}
        <p className="quiet">Payouts wait for 7 days after a change, so that you notice one that was not yours.</p>
        <Button type="submit" size="lg" loading={isSending}>
          Save
        </Button>
      </form>
    </Dialog>
  );
}
