import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { BankTransfer } from '../../../domain/bankFiles.ts';
import { hasBankLetters, renderNacha, toBankLetters } from '../../../domain/nacha.ts';
import { renderIso20022, toEpcLetters } from './iso20022.ts';

const ORIGIN = {
  routingNumber: '021000021',
  bankName: 'Première Banque',
  companyName: 'Soapwick',
  companyId: '1234567890',
};
const AT = { date: '2026-11-23', time: '08:15', paidOn: '2026-11-24', number: 1 };
const CLARK = {
  id: '0192f0c1-7a3b-7c4d-8e5f-0123456789ab',
  cents: 1_205,
  place: 1,
  account: { method: 'us-bank', routingNumber: '011401533', accountNumber: '000123456', accountType: 'savings' },
} as const;
const clarkAs = (holder: string) => ({ ...CLARK, account: { ...CLARK.account, holder } });

const american = fc.record({
  id: fc.uuid(),
  cents: fc.integer({ min: 1, max: 9_999_999 }),
  reference: fc.constantFrom('Payout', 'Zahlung für März'),
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
    fc.property(
      fc.array(american, { minLength: 1, maxLength: 30 }),
      fc.integer({ min: 1, max: 150 }),
      (drawn, number) => {
        const transfers = drawn.map((transfer, index) => ({ ...transfer, place: index + 1 }));
        const lines = renderNacha(ORIGIN, transfers, { ...AT, number })
          .split('\r\n')
          .slice(0, -1);
        expect(lines.length % 10).toBe(0);
        for (const line of lines) expect(line).toMatch(/^[\x20-\x7e]{94}$/);
        for (const [index, line] of lines.entries())
          if (line.startsWith('6') && line.charAt(78) === '1') expect(lines[index + 1]).toMatch(/^705/);
        const entries = lines.filter((line) => line.startsWith('6'));
        expect(entries.map((line) => Number(line.slice(29, 39)))).toEqual(transfers.map(({ cents }) => cents));
        const control = lines.find((line) => line.startsWith('9000001')) ?? '';
        const total = transfers.reduce((sum, { cents }) => sum + cents, 0);
        const banks = transfers.reduce((sum, { account }) => sum + Number(account.routingNumber.slice(0, 8)), 0);
        expect([control.slice(7, 13), control.slice(13, 21)].map(Number)).toEqual([
          lines.length / 10,
          lines.filter((line) => /^[67]/.test(line)).length,
        ]);
        expect([control.slice(21, 31), control.slice(43, 55)].map(Number)).toEqual([banks, total]);
      },
    ),
  );
});

test('a NACHA file has each field in its place', () => {
  expect(
    renderNacha(ORIGIN, [clarkAs('Zoë Soap')], AT)
      .split('\r\n')
      .slice(0, 5),
  ).toEqual([
    '101 02100002112345678902611230815A094101PREMIERE BANQUE        SOAPWICK                       ',
    '5220SOAPWICK                            1234567890PPDPAYOUT          261124   1021000020000001',
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
  const xml = renderIso20022(origin, [transfer, { ...transfer, cents: 1 }], { ...AT, id: 'batch', currency: 'USD' });
  expect(xml.match(/<InstdAmt Ccy="USD">[\d.]+/g)).toEqual(['<InstdAmt Ccy="USD">12.05', '<InstdAmt Ccy="USD">0.01']);
  expect(xml).toContain('<NbOfTxs>2</NbOfTxs><CtrlSum>12.06</CtrlSum>');
  expect(xml).toContain('<Nm>Eve /Nm Amt 1</Nm>');
  expect(xml).toContain('<Nm>Soapwick + Sons</Nm>');
  expect(xml).toContain('<EndToEndId>0192f0c17a3b7c4d8e5f0123456789ab</EndToEndId>');
});

test('an ISO 20022 file can be read, whatever was stored as a name', () => {
  const account = {
    method: 'iban',
    holder: 'Sid\uFFFF\uFFFE\u0001 So\u{1FFFF}ap',
    iban: 'DE89370400440532013000',
  } as const;
  const origin = { name: 'Soapwick', iban: 'GB82WEST12345698765432' };
  const transfer = { id: CLARK.id, cents: 1, account };
  const xml = renderIso20022(origin, [transfer], { ...AT, id: 'batch', currency: 'USD' });
  expect(xml).toContain('<Nm>Sid Soap</Nm>');
  expect(xml).toContain('<ReqdExctnDt><Dt>2026-11-24</Dt></ReqdExctnDt>');
  expect(xml).toContain('<CreDtTm>2026-11-23T08:15:00</CreDtTm>');
});

test.each([
  ['Łukasz Øß', 'LUKASZ OSS'],
  ['Đặng Æsir Þór', 'DANG AESIR THOR'],
  ['Œuvre Ñandú', 'OEUVRE NANDU'],
  ['Ömer Işık', 'OMER ISIK'],
  ['O’Neil', "O'NEIL"],
])('%s is %s for the banks of the USA', (name, letters) => {
  expect(toBankLetters(name)).toBe(letters);
  expect(hasBankLetters(name)).toBe(true);
  expect(renderNacha(ORIGIN, [clarkAs(name)], AT)).toContain(`E5F0123456789AB${letters.padEnd(22)}  0`);
});

test('a name without Latin letters is none that the banks of the USA can read', () => {
  for (const name of ['王小明', 'Олег', 'محمد', '1 2']) expect(hasBankLetters(name)).toBe(false);
});

test('two files of a day have different modifiers, batch numbers and trace numbers', () => {
  const linesOf = (number: number) => renderNacha(ORIGIN, [clarkAs('Zoë Soap')], { ...AT, number }).split('\r\n');
  const [head, batch, entry, control] = linesOf(2);
  expect(head?.charAt(33)).toBe('B');
  expect([batch?.slice(-7), control?.slice(-7)]).toEqual(['0000002', '0000002']);
  expect(entry?.slice(-7)).toBe('0100001');
});

test.each([
  ['Олег Щукин', 'Oleg Shchukin'],
  ['Ελένη', 'Eleni'],
  ['王小明', 'WangXiaoMing'],
  ['Łukasz Größe', 'Lukasz Grosse'],
  ['Zo\u0065\u0308 & Co', 'Zoe + Co'],
  ['Ёлка 😀👑 1/2', 'Elka 1/2'],
  ['O’Neil', "O'Neil"],
  ['//Slash//er/', 'Slash/er'],
  ['🧺', 'NOTPROVIDED'],
  ['х'.repeat(200), 'kh'.repeat(35)],
])('%s is written as %s for the banks of Europe', (name, letters) => {
  expect(toEpcLetters(name, 70)).toBe(letters);
});

test('a file for the banks of Europe has only letters that each of them reads, whatever a name is', () => {
  const holder = fc.string({ unit: 'binary', minLength: 1, maxLength: 100 });
  fc.assert(
    fc.property(holder, holder, (name, reference) => {
      const account = { method: 'iban', holder: name, iban: 'DE89370400440532013000' } as const;
      const origin = { name, iban: 'GB82WEST12345698765432' };
      const transfer = { id: CLARK.id, cents: 1, account, reference };
      const xml = renderIso20022(origin, [transfer], { ...AT, id: 'batch', currency: 'USD' });
      const texts = [...xml.matchAll(/<(?:Nm|Ustrd)>(.*?)<\/(?:Nm|Ustrd)>/g)].map(([, text = '']) => text);
      expect(texts).toHaveLength(4);
      for (const text of texts)
        expect(text.replaceAll('&#39;', "'")).toMatch(/^(?!\/)[A-Za-z0-9/\-?:().,'+ ]{1,140}(?<!\/)$/);
    }),
  );
});

test('a statement says what the money is for, in both formats', () => {
  const reference = 'Payout for work before 2026-11-23';
  const iban = { method: 'iban', holder: 'Sid Soap', iban: 'DE89370400440532013000' } as const;
  const xml = renderIso20022(
    { name: 'Soapwick', iban: 'GB82WEST12345698765432' },
    [{ id: CLARK.id, cents: 1, account: iban, reference }],
    { ...AT, id: 'batch', currency: 'USD' },
  );
  expect(xml).toContain(`</CdtrAcct><RmtInf><Ustrd>${reference}</Ustrd></RmtInf></CdtTrfTxInf>`);
  const told = [clarkAs('Zoë Soap'), { ...clarkAs('Bo Soap'), place: 2 }].map((one) => ({ ...one, reference }));
  const lines = renderNacha(ORIGIN, told, AT).split('\r\n').slice(2, 8);
  expect(lines).toEqual([
    '632011401533000123456        0000001205E5F0123456789ABZOE SOAP                1021000020000001',
    `705${'PAYOUT FOR WORK BEFORE 2026-11-23'.padEnd(80)}00010000001`,
    '632011401533000123456        0000001205E5F0123456789ABBO SOAP                 1021000020000002',
    `705${'PAYOUT FOR WORK BEFORE 2026-11-23'.padEnd(80)}00010000002`,
    '822000000400022803060000000000000000000024101234567890                         021000020000001',
    '9000001000001000000040002280306000000000000000000002410                                       ',
  ]);
});
