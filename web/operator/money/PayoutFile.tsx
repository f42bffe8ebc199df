import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { BANK_FILES, type BankFile } from '../../../domain/bankFiles.ts';
import { downloadFile } from '../../ui/downloadFile.ts';
import { formatMoney } from '../../ui/format.ts';
import { toast } from '../../ui/toast.tsx';
import { ActButton } from '../ActButton.tsx';
import { operatorApi } from '../operatorApi.ts';

const FORMAT_TEXTS: Readonly<Record<BankFile, string>> = {
  csv: 'A table (CSV) with everybody',
  nacha: 'NACHA, for accounts at banks of the USA',
  'iso-20022': 'ISO 20022 (pain.001), for accounts with an IBAN',
};

/** Downloads the file of a batch, once the operator has said why. */
export function FileButton({ batch }: { batch: string }) {
  const [format, setFormat] = useState<BankFile>('csv');
  const open = async (reason: string, idempotencyKey: string) => {
    const answer = await operatorApi.openPayoutFile({ params: { batch }, body: { reason }, idempotencyKey });
    const { name, text, left } = await operatorApi.readPayoutFile({ params: { batch }, query: { format } });
    downloadFile(name, text);
    if (left.payouts > 0)
      toast.info(`${formatMoney(left.amount)} is not in the file`, {
        description: `${left.payouts === 1 ? 'One person has' : `${left.payouts} people have`} no account of this kind. The table has everybody.`,
      });
    return answer;
  };
  return (
    <ActButton
      label="Download…"
      title={`The file of ${batch}`}
      button="Download the File"
      done="The file is downloaded"
      run={open}
    >
      <NativeSelect
        label="Format"
        value={format}
        onChange={(event) => setFormat(event.currentTarget.value as BankFile)}
        data={BANK_FILES.map((value) => ({ value, label: FORMAT_TEXTS[value] }))}
      />
      <p>It has the bank accounts of the people in it. Send it to the bank, and keep no other copy.</p>
    </ActButton>
  );
}
