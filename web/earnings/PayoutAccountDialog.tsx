import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { queryClient } from '../api/queryClient.ts';
import { useUser } from '../session/session.ts';
import { RadioGroup } from '../ui/Choice.tsx';
import { toast } from '../ui/toast.tsx';
import type { FormErrors } from '../ui/useForm.ts';
import { PasswordDialog } from './PasswordDialog.tsx';
import { PAYOUT_ACCOUNT_QUERY } from './payoutAccountQuery.ts';

type Method = 'us-bank' | 'iban';

const METHODS: readonly { value: Method; name: string }[] = [
  { value: 'us-bank', name: 'A bank in the USA' },
  { value: 'iban', name: 'A bank with an IBAN' },
];

type Values = {
  readonly holder: string;
  readonly routingNumber: string;
  readonly accountNumber: string;
  readonly accountType: 'checking' | 'savings';
  readonly iban: string;
};

/** Asks for the account and the password. */
export function PayoutAccountDialog({ onClose }: { onClose: () => void }) {
  const { fullname } = useUser();
  const [method, setMethod] = useState<Method>('us-bank');
  const [values, setValues] = useState<Values>({
    ...{ holder: fullname, routingNumber: '', accountNumber: '', iban: '' },
    accountType: 'checking',
  });
  const save = async (password: string) => {
    const { holder, routingNumber, accountNumber, accountType, iban } = values;
    const account =
      method === 'iban'
        ? ({ method, holder, iban } as const)
        : ({ method, holder, routingNumber, accountNumber, accountType } as const);
    const answer = await api.changePayoutAccount({ body: { password, account } });
    queryClient.setQueryData(PAYOUT_ACCOUNT_QUERY.queryKey, answer);
    toast.success('Bank Account Saved', { description: 'We have sent you an email about it.' });
  };
  const set = (change: Partial<Values>) => setValues((now) => ({ ...now, ...change }));
  return (
    <PasswordDialog
      title="Where should your money go?"
      note="After a change, payouts wait for 7 days, so that you can notice a change that was not yours."
      onSave={save}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <RadioGroup legend="Bank" options={METHODS} value={method} onChange={setMethod} />
          <AccountFields method={method} form={{ values, set, errors }} />
        </>
      )}
    </PasswordDialog>
  );
}

type Form = {
  readonly values: Values;
  readonly set: (change: Partial<Values>) => void;
  readonly errors: FormErrors;
};

function AccountFields({ method, form }: { method: Method; form: Form }) {
  return (
    <>
      <AccountField form={form} name="holder" label="Account holder" />
      {method === 'iban' ? (
        <AccountField form={form} name="iban" label="IBAN" />
      ) : (
        <>
          <AccountField form={form} name="routingNumber" label="Routing number" inputMode="numeric" />
          <AccountField form={form} name="accountNumber" label="Account number" inputMode="numeric" />
          <NativeSelect
            label="Type of account"
            data={[
              { value: 'checking', label: 'Checking' },
              { value: 'savings', label: 'Savings' },
            ]}
            value={form.values.accountType}
            onChange={(event) => form.set({ accountType: event.currentTarget.value as Values['accountType'] })}
          />
        </>
      )}
    </>
  );
}

type AccountFieldProps = {
  readonly form: Form;
  readonly name: Exclude<keyof Values, 'accountType'>;
  readonly label: string;
  readonly inputMode?: 'text' | 'numeric';
};

function AccountField({ form: { values, set, errors }, name, label, inputMode = 'text' }: AccountFieldProps) {
  return (
    <TextInput
      label={label}
      inputMode={inputMode}
      autoComplete="off"
      value={values[name]}
      error={errors[`account.${name}`]}
      onChange={(event) => set({ [name]: event.currentTarget.value })}
    />
  );
}
