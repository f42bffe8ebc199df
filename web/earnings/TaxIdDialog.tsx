import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { COUNTRIES } from '../../domain/countries.ts';
import type { AmericanTaxIdKind } from '../../domain/taxIds.ts';
import { api } from '../api/client.ts';
import { queryClient } from '../api/queryClient.ts';
import { useUser } from '../session/session.ts';
import { RadioGroup } from '../ui/Choice.tsx';
import { toast } from '../ui/toast.tsx';
import type { FormErrors } from '../ui/useForm.ts';
import { nameOfCountry } from './countryNames.ts';
import { PasswordDialog } from './PasswordDialog.tsx';
import { TAX_ID_QUERY } from './taxIdQuery.ts';

const AMERICAN_KINDS: readonly { value: AmericanTaxIdKind; name: string }[] = [
  { value: 'ssn', name: 'Social Security Number (SSN)' },
  { value: 'itin', name: 'Individual Taxpayer Number (ITIN)' },
  { value: 'ein', name: 'Employer number (EIN)' },
];

const COUNTRY_OPTIONS = COUNTRIES.map((value) => ({ value, label: nameOfCountry(value) })).toSorted((a, b) =>
  a.label.localeCompare(b.label, 'en'),
);

type Values = {
  readonly country: string;
  readonly american: AmericanTaxIdKind;
  readonly name: string;
  readonly number: string;
};

const isAmerican = (country: string) => country === 'US';

/** Asks for the number, the name that belongs to it, and the password. */
export function TaxIdDialog({ onClose }: { onClose: () => void }) {
  const { fullname } = useUser();
  const [values, setValues] = useState<Values>({ country: 'US', american: 'ssn', name: fullname, number: '' });
  const save = async (password: string) => {
    const { country, american, name, number } = values;
    const taxId = isAmerican(country)
      ? { kind: american, name, number }
      : ({ kind: 'tin', country, name, number } as const);
    const answer = await api.changeTaxId({ body: { password, taxId } });
    queryClient.setQueryData(TAX_ID_QUERY.queryKey, answer);
    toast.success('Tax Number Saved', { description: 'We have sent you an email about it.' });
  };
  const set = (change: Partial<Values>) => setValues((now) => ({ ...now, ...change }));
  return (
    <PasswordDialog
      title="What is your tax number?"
      note="We store it encrypted, and show only its last digits. The whole number is only in the town’s file for the tax office."
      onSave={save}
      onClose={onClose}
    >
      {(errors, forget) => <TaxIdFields values={values} set={set} errors={errors} forget={forget} />}
    </PasswordDialog>
  );
}

type TaxIdFieldsProps = {
  readonly values: Values;
  readonly set: (change: Partial<Values>) => void;
  readonly errors: FormErrors;
  readonly forget: () => void;
};

function TaxIdFields({ values: { country, american, name, number }, set, errors, forget }: TaxIdFieldsProps) {
  const setKind = (change: Partial<Values>) => {
    set(change);
    forget();
  };
  return (
    <>
      <NativeSelect
        label="Country"
        description="Where you pay tax on what you earn"
        data={COUNTRY_OPTIONS}
        value={country}
        error={errors['taxId.country']}
        onChange={(event) => setKind({ country: event.currentTarget.value })}
      />
      {isAmerican(country) && (
        <RadioGroup
          legend="Kind of number"
          options={AMERICAN_KINDS}
          value={american}
          onChange={(kind) => setKind({ american: kind })}
        />
      )}
      <TextInput
        label="Name on your tax return"
        autoComplete="off"
        value={name}
        error={errors['taxId.name']}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <TextInput
        label="Tax number"
        inputMode={isAmerican(country) ? 'numeric' : 'text'}
        autoComplete="off"
        value={number}
        error={errors['taxId.number']}
        onChange={(event) => set({ number: event.currentTarget.value })}
      />
    </>
  );
}
