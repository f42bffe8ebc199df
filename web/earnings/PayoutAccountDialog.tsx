import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useUser } from '../accounts/session.ts';
import { api } from '../api.ts';
import type { FormErrors } from '../hooks/useForm.ts';
import { queryClient } from '../queryClient.ts';
import { RadioGroup } from '../ui/Choice.tsx';
import { toast } from '../ui/toast.tsx';
import { PasswordDialog } from './PasswordDialog.tsx';
import { PAYOUT_ACCOUNT_QUERY } from './payoutAccountQuery.ts';

type Method = 'us-bank' | 'iban';

const METHODS: readonly { value: Method; name: string }[] = [
  { value: 'us-bank', name: 'A bank in the USA' },
  { value: 'iban', name: 'A bank with an IBAN' },
];

/** Asks for the account and the password. */
export function PayoutAccountDialog({ onClose }: { onClose: () => void }) {
  const [method, setMethod] = useState<Method>('us-bank');
  const [values, setValues] = useState({
    ...{ holder: useUser().fullname, routingNumber: '', accountNumber: '', iban: '' },
    accountType: 'checking' as 'checking' | 'savings',
  });
  const { holder, routingNumber, accountNumber, accountType, iban } = values;

  const save = async (password: string) => {
    const account =
      method === 'iban'
        ? ({ method, holder, iban } as const)
        : ({ method, holder, routingNumber, accountNumber, accountType } as const);
    const answer = await api.changePayoutAccount({ body: { password, account } });
    queryClient.setQueryData(PAYOUT_ACCOUNT_QUERY.queryKey, answer);
    toast.success('Bank Account Saved', { description: 'We have sent you a mail about it.' });
  };
  const field = (name: 'holder' | 'routingNumber' | 'accountNumber' | 'iban', label: string, errors: FormErrors) => (
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
    <PasswordDialog
      title="Where should your money go?"
      note="Payouts wait for 7 days after a change, so that you notice one that was not yours."
      onSave={save}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <RadioGroup legend="Bank" options={METHODS} value={method} onChange={setMethod} />
          {field('holder', 'Name of the holder', errors)}
          {method === 'iban' ? (
            field('iban', 'IBAN', errors)
          ) : (
            <>
              {field('routingNumber', 'Routing number', errors)}
              {field('accountNumber', 'Account number', errors)}
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
        </>
      )}
    </PasswordDialog>
  );
}
