import fc from 'fast-check';
import { expect, test } from 'vitest';
import { renderNacha } from './nacha.ts';
import { type BankTransfer, isIban, isRoutingNumber, lastDigitsOf, normalizeIban } from './payoutAccounts.ts';
import { renderSepa } from './sepa.ts';

const ORIGIN = { routingNumber: '021000021', bankName: 'First Bank', companyName: 'Soapwick', companyId: '1234567890' };
const AT = new Date('2026-11-23T08:15:00Z');

test('routing numbers and IBANs are checked by their digits', () => {
  expect(['021000021', '011401533', '091000019'].map(isRoutingNumber)).toEqual([true, true, true]);
  expect(['021000022', '02100002', '000000000', '02100002a', ''].map(isRoutingNumber)).not.toContain(true);
  expect(['DE89 3704 0044 0532 0130 00', 'gb82 west 1234 5698 7654 32'].map(normalizeIban).map(isIban)).toEqual([
    true,
    true,
  ]);
  expect(['DE88370400440532013000', 'DE89', '', 'XX00', 'DE893704004405320130001'].map(isIban)).not.toContain(true);
});

test('a wrong digit of an IBAN is noticed', () => {
  const iban = 'DE89370400440532013000';
  fc.assert(
    fc.property(fc.integer({ min: 2, max: iban.length - 1 }), fc.integer({ min: 1, max: 9 }), (place, add) => {
      const digit = (Number(iban[place]) + add) % 10;
      expect(isIban(`${iban.slice(0, place)}${digit}${iban.slice(place + 1)}`)).toBe(false);
    }),
  );
});

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

test('a NACHA file has lines of 94 signs in blocks of ten, and its totals are those of its entries', () => {
  fc.assert(
    fc.property(fc.array(american, { minLength: 1, maxLength: 30 }), (transfers) => {
      const lines = renderNacha(ORIGIN, transfers, AT).split('\r\n').slice(0, -1);
      expect(lines.length % 10).toBe(0);
      for (const line of lines) expect(line).toMatch(/^[\x20-\x7e]{94}$/);
      const entries = lines.filter((line) => line.startsWith('6'));
      expect(entries).toHaveLength(transfers.length);
      const cents = entries.map((line) => Number(line.slice(29, 39)));
      expect(cents).toEqual(transfers.map((transfer) => transfer.cents));
      const control = lines.find((line) => line.startsWith('9000001')) ?? '';
      expect(Number(control.slice(43, 55))).toBe(cents.reduce((sum, one) => sum + one, 0));
      expect(Number(control.slice(13, 21))).toBe(transfers.length);
      const banks = transfers.reduce((sum, { account }) => sum + Number(account.routingNumber.slice(0, 8)), 0);
      expect(Number(control.slice(21, 31))).toBe(banks);
    }),
  );
});

test('a SEPA file names each payment once, and a name cannot add anything to it', () => {
  const transfer: BankTransfer = {
    id: '0192f0c1-7a3b-7c4d-8e5f-0123456789ab',
    cents: 1205,
    account: { method: 'iban', holder: 'Eve </Nm><Amt>1', iban: 'DE89370400440532013000' },
  };
  const origin = { name: 'Soapwick & Sons', iban: 'GB82WEST12345698765432' };
  const xml = renderSepa(origin, [transfer, { ...transfer, cents: 1 }], { id: 'batch', at: AT, currency: 'EUR' });
  expect(xml.match(/<InstdAmt Ccy="EUR">[\d.]+/g)).toEqual(['<InstdAmt Ccy="EUR">12.05', '<InstdAmt Ccy="EUR">0.01']);
  expect(xml).toContain('<NbOfTxs>2</NbOfTxs><CtrlSum>12.06</CtrlSum>');
  expect(xml).toContain('<Nm>Eve &#60;/Nm&#62;&#60;Amt&#62;1</Nm>');
  expect(lastDigitsOf(transfer.account)).toBe('3000');
});
