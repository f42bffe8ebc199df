import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { BankTransfer } from './bankFiles.ts';
import { renderIso20022 } from './iso20022.ts';
import { renderNacha } from './nacha.ts';

const ORIGIN = {
  routingNumber: '021000021',
  bankName: 'Première Banque',
  companyName: 'Soapwick',
  companyId: '1234567890',
};
const AT = new Date('2026-11-23T08:15:00Z');

const american = fc.record({
  id: fc.uuid(),
  cents: fc.integer({ min: 1, max: 9_999_999 }),
  account: fc.record({
    method: fc.constant('us-bank' as const),
    holder: fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }),
    routingNumber: fc.constantFrom('021000021', '011401533', '091000019'),
    accountNumber: fc.stringMatching(/^\d{4,17}$/),
    accountType: fc.constantFrom('checking' as const, 'savings' as const),
  }),
});

test('a NACHA file has lines of 94 characters in blocks of ten, and its totals are those of its entries', () => {
  fc.assert(
    fc.property(fc.array(american, { minLength: 1, maxLength: 30 }), (transfers) => {
      const lines = renderNacha(ORIGIN, transfers, AT).split('\r\n').slice(0, -1);
      expect(lines.length % 10).toBe(0);
      for (const line of lines) expect(line).toMatch(/^[\x20-\x7e]{94}$/);
      const entries = lines.filter((line) => line.startsWith('6'));
      expect(entries.map((line) => Number(line.slice(29, 39)))).toEqual(transfers.map(({ cents }) => cents));
      const control = lines.find((line) => line.startsWith('9000001')) ?? '';
      const total = transfers.reduce((sum, { cents }) => sum + cents, 0);
      const banks = transfers.reduce((sum, { account }) => sum + Number(account.routingNumber.slice(0, 8)), 0);
      expect([control.slice(7, 13), control.slice(13, 21)].map(Number)).toEqual([lines.length / 10, transfers.length]);
      expect([control.slice(21, 31), control.slice(43, 55)].map(Number)).toEqual([banks, total]);
    }),
  );
});

test('a NACHA file has each field in its place', () => {
  const account = { method: 'us-bank', holder: 'Zoë Soap', routingNumber: '011401533', accountNumber: '000123456' };
  const id = '0192f0c1-7a3b-7c4d-8e5f-0123456789ab';
  const transfer: BankTransfer<'us-bank'> = {
    id,
    cents: 1_205,
    account: { ...account, accountType: 'savings' } as never,
  };
  expect(renderNacha(ORIGIN, [transfer], AT).split('\r\n').slice(0, 5)).toEqual([
    '101 02100002112345678902611230815A094101PREMIERE BANQUE        SOAPWICK                       ',
    '5220SOAPWICK                            1234567890PPDPAYOUT    261123261123   1021000020000001',
    '632011401533000123456        0000001205E5F0123456789ABZOE SOAP                0021000020000001',
    '822000000100011401530000000000000000000012051234567890                         021000020000001',
    '9000001000001000000010001140153000000000000000000001205                                       ',
  ]);
});

test('an ISO 20022 file names each payout once, and a name cannot add anything to it', () => {
  const transfer: BankTransfer<'iban'> = {
    id: '0192f0c1-7a3b-7c4d-8e5f-0123456789ab',
    cents: 1_205,
    account: { method: 'iban', holder: 'Eve </Nm><Amt>1', iban: 'DE89370400440532013000' },
  };
  const origin = { name: 'Soapwick & Sons', iban: 'GB82WEST12345698765432' };
  const xml = renderIso20022(origin, [transfer, { ...transfer, cents: 1 }], { id: 'batch', at: AT, currency: 'USD' });
  expect(xml.match(/<InstdAmt Ccy="USD">[\d.]+/g)).toEqual(['<InstdAmt Ccy="USD">12.05', '<InstdAmt Ccy="USD">0.01']);
  expect(xml).toContain('<NbOfTxs>2</NbOfTxs><CtrlSum>12.06</CtrlSum>');
  expect(xml).toContain('<Nm>Eve &#60;/Nm&#62;&#60;Amt&#62;1</Nm>');
  expect(xml).toContain('<Nm>Soapwick &#38; Sons</Nm>');
  expect(xml).toContain('<EndToEndId>0192f0c17a3b7c4d8e5f0123456789ab</EndToEndId>');
});
