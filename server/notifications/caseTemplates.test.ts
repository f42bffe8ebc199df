import { expect, test } from 'vitest';
import { caseTemplate } from './caseTemplates.ts';
import type { CaseTemplateData } from './templateData.sql.ts';

const ANSWERED: CaseTemplateData = {
  id: 'c1',
  no: 109,
  kind: 'claim',
  action: 'answer',
  status: 'with-bud',
  offer: 'give-back',
  cents: 500,
  by: 'Scrub',
  aboutRole: 'Scrub',
  aboutName: 'Sam Suds',
};
const linesFor = (more: Partial<CaseTemplateData>) => caseTemplate({ ...ANSWERED, ...more }, 'Bud').lines.join(' ');

test('an answer that offers nothing is not mailed as an offer that happens', () => {
  expect(linesFor({})).toContain('Accept it, or ask the town to decide. Without an answer it happens after 72 hours.');
  const nothing = linesFor({ offer: 'was-before', cents: null });
  expect(nothing).not.toMatch(/accept|happens/i);
  expect(nothing).toContain('Without an answer within 72 hours, nothing is given back.');
});
