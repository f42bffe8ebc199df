import { TextInput } from '@mantine/core';
import { useState } from 'react';
import type { TownBank } from '../../../domain/bankFiles.ts';
import { DescriptionItem, DescriptionList } from '../../ui/DescriptionList.tsx';
import { ActButton } from '../ActButton.tsx';
import { operatorApi } from '../operatorApi.ts';

/** Where the town pays from. The files for banks name these accounts. */
export function TownBankCard({ bank: { usBank, iban } }: { bank: TownBank }) {
  return (
    <>
      <h2>The town's own accounts</h2>
      <DescriptionList>
        <DescriptionItem name="At a bank of the USA">
          {usBank
            ? `${usBank.bankName} ${usBank.routingNumber}, as ${usBank.companyName} (${usBank.companyId})`
            : 'None'}
        </DescriptionItem>
        <DescriptionItem name="With an IBAN">{iban ? `${iban.iban}, ${iban.name}` : 'None'}</DescriptionItem>
      </DescriptionList>
      <div className="buttons">
        <UsBankButton usBank={usBank} />
        <IbanButton iban={iban} />
      </div>
    </>
  );
}

function UsBankButton({ usBank }: Pick<TownBank, 'usBank'>) {
  const start = usBank ?? { routingNumber: '', bankName: '', companyName: '', companyId: '' };
  const [values, setValues] = useState(start);
  return (
    <ActButton
      label="Change US Bank"
      title="Which bank of the USA are payouts sent from?"
      button="Ask for Approval"
      done="The bank is changed"
      onOpen={() => setValues(start)}
      run={(reason, idempotencyKey) => operatorApi.setUsBank({ body: { ...values, reason }, idempotencyKey })}
    >
      {(errors) =>
        US_BANK_FIELDS.map(([name, label, description]) => (
          <TextInput
            key={name}
            label={label}
            description={description}
            value={values[name]}
            error={errors[name]}
            onChange={(event) => setValues({ ...values, [name]: event.currentTarget.value })}
          />
        ))
      }
    </ActButton>
  );
}

const US_BANK_FIELDS = [
  ['bankName', 'Name of the bank', 'At most 23 letters, as banks print it'],
  ['routingNumber', 'Routing number', 'Nine digits'],
  ['companyName', 'Name of the town', 'Workers read it on their statement'],
  ['companyId', 'Number from the bank', 'Ten letters or digits that the bank gives you for ACH'],
] as const;

function IbanButton({ iban }: Pick<TownBank, 'iban'>) {
  const start = iban ?? { name: '', iban: '' };
  const [values, setValues] = useState(start);
  const field = (name: keyof typeof start, label: string, error: string | undefined) => (
    <TextInput
      label={label}
      value={values[name]}
      error={error}
      onChange={(event) => setValues({ ...values, [name]: event.currentTarget.value })}
    />
  );
  return (
    <ActButton
      label="Change IBAN"
      title="Which IBAN are payouts sent from?"
      button="Ask for Approval"
      done="The IBAN is changed"
      onOpen={() => setValues(start)}
      run={(reason, idempotencyKey) => operatorApi.setIban({ body: { ...values, reason }, idempotencyKey })}
    >
      {(errors) => (
        <>
          {field('name', 'Name of the holder', errors.name)}
          {field('iban', 'IBAN', errors.iban)}
        </>
      )}
    </ActButton>
  );
}
