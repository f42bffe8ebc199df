import type { AchOrigin, BankFileDate, BankFormat, BankTransfer, IbanOrigin } from '../../../domain/bankFiles.ts';
import { renderNacha } from '../../../domain/nacha.ts';
import type { Sealer } from '../../auth/sealing.ts';
import type { Tx } from '../../db/database.ts';
import { refuse } from '../../http/refusals.ts';
import { renderIso20022 } from './iso20022.ts';
import { listPayoutFiles } from './payoutFiles.sql.ts';

/** All amounts are in dollars. */
const CURRENCY = 'USD';

/** The content of a file for a bank. It is stored when the file is first made and never changes. */
export type StoredBankFile = {
  readonly batch: string;
  readonly on: BankFileDate;
} & (
  | { readonly format: 'nacha'; readonly origin: AchOrigin; readonly transfers: readonly BankTransfer<'us-bank'>[] }
  | { readonly format: 'iso-20022'; readonly origin: IbanOrigin; readonly transfers: readonly BankTransfer<'iban'>[] }
);

export const sealBankFile = (sealer: Sealer, file: StoredBankFile): Buffer => sealer.seal(JSON.stringify(file));

/** The files of a batch that were made so far. Refuses a file that was sealed with another key, because a new one could differ. */
export async function readStoredBankFiles(
  { db, sealer }: { db: Tx; sealer: Sealer },
  batch: string,
): Promise<ReadonlyMap<BankFormat, StoredBankFile>> {
  const rows = await listPayoutFiles(db, batch);
  if (rows.some(({ sealed }) => !sealer.isOwn(sealed)))
    refuse('wrongStatus', { message: 'A file of this batch was made with another SEALING_KEY and cannot be read' });
  const files = rows.map(({ sealed }) => JSON.parse(sealer.unseal(sealed)) as StoredBankFile);
  return new Map(files.map((file) => [file.format, file]));
}

/** The text of a file, without returned payouts. Everything else is unchanged. */
export function renderStoredBankFile(
  file: StoredBankFile,
  isSent: (id: string) => boolean,
): { name: string; text: string } {
  const { batch, on } = file;
  if (file.format === 'nacha') {
    const entries = file.transfers.map((transfer, index) => ({ ...transfer, place: index + 1 }));
    const sent = entries.filter(({ id }) => isSent(id));
    if (sent.length === 0) refuseAllReturned();
    return { name: `payouts-${batch}.ach`, text: renderNacha(file.origin, sent, on) };
  }
  const sent = file.transfers.filter(({ id }) => isSent(id));
  if (sent.length === 0) refuseAllReturned();
  return {
    name: `payouts-${batch}.xml`,
    text: renderIso20022(file.origin, sent, { ...on, id: batch, currency: CURRENCY }),
  };
}

const refuseAllReturned = () => refuse('wrongStatus', { message: 'All payouts of this file came back' });
