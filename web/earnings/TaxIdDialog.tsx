import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { COUNTRIES } from '../../domain/countries.ts';
import type { AmericanTaxIdKind } from '../../domain/taxIds.ts';
import { useUser } from '../accounts/session.ts';
import { api } from '../api.ts';
import { queryClient } from '../queryClient.ts';
import { RadioGroup } from '../ui/Choice.tsx';
import { toast } from '../ui/toast.tsx';
import { nameOfCountry } from './countryNames.ts';
import { PasswordDialog } from './PasswordDialog.tsx';
import { TAX_ID_QUERY } from './taxIdQuery.ts';

const AMERICAN_KINDS: readonly { value: AmericanTaxIdKind; name: string }[] = [
  { value: 'ssn', name: 'Social Security Number (SSN)' },
  { value: 'itin', name: 'Individual number (ITIN)' },
  { value: 'ein', name: 'Number of a business (EIN)' },
];

const COUNTRY_OPTIONS = COUNTRIES.map((value) => ({ value, label: nameOfCountry(value) })).toSorted((a, b) =>
  a.label.localeCompare(b.label, 'en'),
);

/** Asks for the number, the name that belongs to it, and the password. */
export function TaxIdDialog({ onClose }: { onClose: () => void }) {
  const [country, setCountry] = useState('US');
  const [american, setAmerican] = useState<AmericanTaxIdKind>('ssn');
  const [name, setName] = useState(useUser().fullname);
  const [number, setNumber] = useState('');
  const isAmerican = country === 'US';

  const save = async (password: string) => {
    const taxId = isAmerican ? { kind: american, name, number } : ({ kind: 'tin', country, name, number } as const);
    const answer = await api.changeTaxId({ body: { password, taxId } });
    queryClient.setQueryData(TAX_ID_QUERY.queryKey, answer);
    toast.success('Tax Number Saved', { description: 'We have sent you a mail about it.' });
  };
  return (
    <PasswordDialog
      title="What is your tax number?"
      note="It is stored encrypted, and only its end is shown again. The whole number is only in the town’s file for the tax office."
      onSave={save}
      onClose={onClose}
    >
      {(errors, forget) => (
        <>
          <NativeSelect
            label="Country"
            description="Where you pay tax on what you earn"
            data={COUNTRY_OPTIONS}
            value={country}
            error={errors['taxId.country']}
            onChange={({ currentTarget: { value } }) => {
              setCountry(value);
              forget();
            }}
          />
          {isAmerican && (
            <RadioGroup
              legend="Kind of number"
              options={AMERICAN_KINDS}
              value={american}
              onChange={(kind) => {
                setAmerican(kind);
                forget();
              }}
            />
          )}
          <TextInput
            label="Name on your tax return"
            autoComplete="off"
            value={name}
            error={errors['taxId.name']}
            onChange={({ currentTarget: { value } }) => setName(value)}
          />
          <TextInput
            label="Tax number"
            inputMode={isAmerican ? 'numeric' : 'text'}
            autoComplete="off"
            value={number}
            error={errors['taxId.number']}
            onChange={({ currentTarget: { value } }) => setNumber(value)}
          />
        </>
      )}
    </PasswordDialog>
  );
}
