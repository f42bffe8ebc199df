import { type BankFileDate, type BankTransfer, formatBankAmount, type IbanOrigin } from './bankFiles.ts';

const MAX_NAME = 70;

const escapeXml = (value: string) => value.replaceAll(/[<>&'"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
/** XML can have none of these, not even escaped. */
const NO_XML = /[\p{Noncharacter_Code_Point}\p{Cc}\p{Cs}]/gu;
const nameOf = (name: string) => `<Nm>${escapeXml([...name.replaceAll(NO_XML, '')].slice(0, MAX_NAME).join(''))}</Nm>`;

/** An id has 35 characters at most; a UUID without hyphens has 32. */
const idOf = (uuid: string) => uuid.replaceAll('-', '');

/**
 * A file of payouts to accounts with an IBAN: pain.001.001.09 of ISO 20022. The same payouts make the same file. `id` is the
 * name of the batch, 35 characters at most; the currency is a code of ISO 4217.
 */
export function renderIso20022(
  origin: IbanOrigin,
  transfers: readonly BankTransfer<'iban'>[],
  { id, currency, date, time, paidOn }: BankFileDate & { readonly id: string; readonly currency: string },
): string {
  const sum = formatBankAmount(transfers.reduce((total, { cents }) => total + cents, 0));
  const count = `<NbOfTxs>${transfers.length}</NbOfTxs><CtrlSum>${sum}</CtrlSum>`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09">',
    '<CstmrCdtTrfInitn>',
    `<GrpHdr><MsgId>${id}</MsgId><CreDtTm>${date}T${time}:00</CreDtTm>${count}<InitgPty>${nameOf(origin.name)}</InitgPty></GrpHdr>`,
    `<PmtInf><PmtInfId>${id}</PmtInfId><PmtMtd>TRF</PmtMtd>${count}`,
    `<ReqdExctnDt><Dt>${paidOn}</Dt></ReqdExctnDt>`,
    `<Dbtr>${nameOf(origin.name)}</Dbtr><DbtrAcct><Id><IBAN>${origin.iban}</IBAN></Id></DbtrAcct>`,
    '<DbtrAgt><FinInstnId><Othr><Id>NOTPROVIDED</Id></Othr></FinInstnId></DbtrAgt>',
    ...transfers.map((transfer) => transferOf(transfer, currency)),
    '</PmtInf>',
    '</CstmrCdtTrfInitn>',
    '</Document>',
    '',
  ].join('\n');
}

function transferOf({ id, cents, account: { holder, iban } }: BankTransfer<'iban'>, currency: string): string {
  const amount = `<InstdAmt Ccy="${currency}">${formatBankAmount(cents)}</InstdAmt>`;
  const to = `<Cdtr>${nameOf(holder)}</Cdtr><CdtrAcct><Id><IBAN>${iban}</IBAN></Id></CdtrAcct>`;
  return `<CdtTrfTxInf><PmtId><EndToEndId>${idOf(id)}</EndToEndId></PmtId><Amt>${amount}</Amt>${to}</CdtTrfTxInf>`;
}
