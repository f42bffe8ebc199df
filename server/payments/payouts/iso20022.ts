import anyAscii from 'any-ascii';
import { type BankFileDate, type BankTransfer, formatBankAmount, type IbanOrigin } from '../../../domain/bankFiles.ts';

const [MAX_NAME, MAX_REFERENCE] = [70, 140];

/** The letters that every bank in Europe reads (EPC217-08), where a text may not begin with a slash or have two in a row. */
const NOT_EPC = /[^A-Za-z0-9/\-?:().,'+ ]+/g;
/** The library names pictures by words, which nobody has in their name. */
const PICTURES = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}]/gu;
const NO_LETTERS = 'NOTPROVIDED';

/** A text in the letters of the banks of Europe: other scripts as they are read in Latin letters, and nothing in place of pictures. */
export function toEpcLetters(text: string, length: number): string {
  const latin = anyAscii(text.normalize('NFC').replaceAll(PICTURES, ' ')).replaceAll('&', '+');
  const letters = latin
    .replaceAll(NOT_EPC, ' ')
    .replaceAll(/\/{2,}/g, '/')
    .replaceAll(/ {2,}/g, ' ');
  const kept = trimEdges(letters).slice(0, length);
  return trimEdges(kept) || NO_LETTERS;
}

/** Without blanks and slashes at its ends. */
function trimEdges(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && ' /'.includes(text.charAt(start))) start += 1;
  while (end > start && ' /'.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

const nameOf = (name: string) => `<Nm>${escapeXml(toEpcLetters(name, MAX_NAME))}</Nm>`;
const escapeXml = (value: string) => value.replaceAll("'", '&#39;');

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

function transferOf(transfer: BankTransfer<'iban'>, currency: string): string {
  const { id, cents, account, reference } = transfer;
  const { holder, iban } = account;
  const amount = `<InstdAmt Ccy="${currency}">${formatBankAmount(cents)}</InstdAmt>`;
  const to = `<Cdtr>${nameOf(holder)}</Cdtr><CdtrAcct><Id><IBAN>${iban}</IBAN></Id></CdtrAcct>`;
  const text = reference === undefined ? '' : escapeXml(toEpcLetters(reference, MAX_REFERENCE));
  const told = text && `<RmtInf><Ustrd>${text}</Ustrd></RmtInf>`;
  return `<CdtTrfTxInf><PmtId><EndToEndId>${idOf(id)}</EndToEndId></PmtId><Amt>${amount}</Amt>${to}${told}</CdtTrfTxInf>`;
}
