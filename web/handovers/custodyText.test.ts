import { expect, test } from 'vitest';
import { custodyText } from './custodyText.ts';

const holder = { role: 'Duber', id: 'd', fullname: 'Alan Duber' } as const;

test('says who has the laundry, since when, and how many bags', () => {
  const custody = { holder, since: '2026-11-21T10:42:00.000Z', bags: 2 };
  expect(custodyText(custody, 'Bud')).toMatch(/^With Alan Duber since .+, 2 bags\.$/);
  expect(custodyText({ ...custody, bags: 1 }, 'Bud')).toMatch(/, 1 bag\.$/);
  expect(custodyText({ ...custody, since: null, bags: null }, 'Duber')).toBe('With you.');
});
