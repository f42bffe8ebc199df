import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import type { FileDownload } from '../../../contract/operator/payouts.ts';
import { BANK_FILES, type BankFile } from '../../../domain/bankFiles.ts';
import { downloadFile } from '../../ui/downloadFile.ts';
import { formatMoney } from '../../ui/format.ts';
import { toast } from '../../ui/toast.tsx';
import { ActButton } from '../ActButton.tsx';
import { operatorApi } from '../operatorApi.ts';
import { TownTime } from '../TownTime.tsx';

const FORMAT_TEXTS: Readonly<Record<BankFile, string>> = {
  csv: 'A table (CSV) with everybody',
  'csv-rest': 'A table (CSV) with those in no other file so far',
  nacha: 'NACHA, for accounts at banks of the USA',
  'iso-20022': 'ISO 20022 (pain.001), for accounts with an IBAN',
};

/** Downloads the file of a batch, once the operator has said why. */
export function FileButton({ batch, downloads }: { batch: string; downloads: readonly FileDownload[] }) {
  const [format, setFormat] = useState<BankFile>('csv');
  const open = async (reason: string, idempotencyKey: string) => {
    const answer = await operatorApi.openPayoutFile({ params: { batch }, body: { format, reason }, idempotencyKey });
    const { name, text, left, returned } = await operatorApi.readPayoutFile({ params: { batch }, query: { format } });
    downloadFile(name, text);
    if (left.payouts > 0)
      toast.info(`${formatMoney(left.amount)} is not in the file`, { description: describeLeft(format, left.payouts) });
    if (returned.payouts > 0)
      toast.info(`${formatMoney(returned.amount)} came back`, {
        description: 'It is not in the file. It is paid in another batch.',
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
      <Downloads downloads={downloads} />
      <p>It has the bank accounts of the people in it. Send it to the bank, and keep no other copy.</p>
      {format.startsWith('csv') && (
        <p>
          Do not save the table with a spreadsheet program: it takes away the zeros at the start of account numbers.
          Import their columns as text to look at them.
        </p>
      )}
    </ActButton>
  );
}

/** Why people are not in a file, and how they are paid. */
function describeLeft(format: BankFile, payouts: number): string {
  const people = payouts === 1 ? 'One person is' : `${payouts} people are`;
  return format === 'csv-rest'
    ? `${people} in a file for a bank that was made before. Pay them with that one only.`
    : `${people} not in this file. Download the table with those in no other file for them.`;
}

/** Sending a file to the bank twice pays people twice. */
function Downloads({ downloads }: { downloads: readonly FileDownload[] }) {
  if (downloads.length === 0) return null;
  return (
    <>
      <p>Downloaded before. Do not send the same payouts to the bank twice:</p>
      <ul>
        {downloads.map(({ format, by, at }) => (
          <li key={format}>
            {format === null ? 'A file' : FORMAT_TEXTS[format]}: by {by}, <TownTime at={at} isInText />
          </li>
        ))}
      </ul>
    </>
  );
}
