import type { BankTransfer } from './payoutAccounts.ts';

/** Who pays, with the town's own IBAN. */
export type SepaOrigin = { readonly name: string; readonly iban: string };

const MAX_NAME = 70;

const escapeXml = (value: string) => value.replaceAll(/[<>&'"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

const amount = (cents: number) => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;

/** An id without hyphens has 32 signs; SEPA allows 35. */
const idOf = (uuid: string) => uuid.replaceAll('-', '');

/** A file of transfers to accounts with an IBAN: pain.001.001.09 of ISO 20022. The same transfers make the same file. */
export function renderSepa(
  { name, iban }: SepaOrigin,
  transfers: readonly BankTransfer[],
  { id, at, currency }: { readonly id: string; readonly at: Date; readonly currency: string },
): string {
  const total = amount(transfers.reduce((sum, { cents }) => sum + cents, 0));
  const payer = escapeXml(name.slice(0, MAX_NAME));
  const payments = transfers.map(({ id: transfer, cents, account }) => {
    if (account.method !== 'iban') throw new Error('a SEPA file has accounts with an IBAN only');
    return [
      '<CdtTrfTxInf>',
      `<PmtId><EndToEndId>${idOf(transfer)}</EndToEndId></PmtId>`,
      `<Amt><InstdAmt Ccy="${currency}">${amount(cents)}</InstdAmt></Amt>`,
      `<Cdtr><Nm>${escapeXml(account.holder.slice(0, MAX_NAME))}</Nm></Cdtr>`,
      `<CdtrAcct><Id><IBAN>${account.iban}</IBAN></Id></CdtrAcct>`,
      '</CdtTrfTxInf>',
    ].join('');
  });
  const count = `<NbOfTxs>${transfers.length}</NbOfTxs><CtrlSum>${total}</CtrlSum>`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"><CstmrCdtTrfInitn>',
    `<GrpHdr><MsgId>${id}</MsgId><CreDtTm>${at.toISOString().slice(0, 19)}</CreDtTm>${count}<InitgPty><Nm>${payer}</Nm></InitgPty></GrpHdr>`,
    `<PmtInf><PmtInfId>${id}</PmtInfId><PmtMtd>TRF</PmtMtd>${count}`,
    '<PmtTpInf><SvcLvl><Cd>SEPA</Cd></SvcLvl></PmtTpInf>',
    `<ReqdExctnDt><Dt>${at.toISOString().slice(0, 10)}</Dt></ReqdExctnDt><Dbtr><Nm>${payer}</Nm></Dbtr>`,
    `<DbtrAcct><Id><IBAN>${iban}</IBAN></Id></DbtrAcct><DbtrAgt><FinInstnId><Othr><Id>NOTPROVIDED</Id></Othr></FinInstnId></DbtrAgt>`,
    '<ChrgBr>SLEV</ChrgBr>',
    ...payments,
    '</PmtInf></CstmrCdtTrfInitn></Document>',
    '',
  ].join('\n');
}
