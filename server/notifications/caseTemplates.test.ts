import { expect, test } from 'vitest';
import type { Role } from '../../domain/accounts.ts';
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
  readerPays: 0,
  order: 'R-1042',
  townWords: null,
  isAboutReader: false,
  canReaderContest: false,
  hasReaderCounted: false,
};
const linesFor = (more: Partial<CaseTemplateData>, role: Role = 'Bud') =>
  caseTemplate({ ...ANSWERED, ...more }, role).lines.join(' ');

test('an answer that offers nothing is not mailed as an offer that happens', () => {
  expect(linesFor({})).toContain('Accept it, or ask the town to decide. Without an answer it happens after 72 hours.');
  const nothing = linesFor({ offer: 'was-before', cents: null });
  expect(nothing).not.toMatch(/accept|happens/i);
  expect(nothing).toContain('Without an answer within 72 hours, nothing is given back.');
});

test('a decision or an offer says what of it is taken from the reader’s earnings, as the page does', () => {
  for (const event of [
    { action: 'decide', by: 'Operator' },
    { action: 'silent-bud', by: 'System' },
  ] as const) {
    const happened = { ...event, status: 'decided', offer: 'give-back' } as const;
    expect(linesFor({ ...happened, readerPays: 459 }, 'Scrub')).toContain(
      '$5.00 goes back to the card of the Bud. $4.59 of it is taken from what you earned.',
    );
    expect(linesFor(happened)).toContain('$5.00 goes back to your card.');
    expect(linesFor(happened)).not.toContain('taken from');
    expect(linesFor({ ...happened, cents: 0 })).not.toContain('taken from');
  }
});

test('a mail about five wrong PINs says what hands the laundry over now', () => {
  const event = { id: 'a-case', no: 7, kind: 'wrong-pin', action: 'open', status: 'with-town', by: 'System' } as const;
  const { title, lines } = caseTemplate(
    {
      ...event,
      offer: null,
      cents: null,
      aboutName: null,
      aboutRole: null,
      readerPays: 0,
      order: null,
      townWords: null,
      isAboutReader: false,
      canReaderContest: false,
      hasReaderCounted: false,
    },
    'Scrub',
  );
  expect(title).toBe('Five wrong PINs');
  expect(lines.join(' ')).toContain('presses “I have … bags” at their order once they have it');
  expect(lines.join(' ')).not.toMatch(/next PIN|do not need to do anything/);
});

test('only who bears a decision reads that they can contest it', () => {
  const decided = { action: 'decide', by: 'Operator', status: 'decided', cents: 500 } as const;
  expect(linesFor({ ...decided, canReaderContest: true }, 'Scrub')).toContain(
    'you can contest it once, within 7 days.',
  );
  expect(linesFor(decided)).not.toContain('contest');
});

test('a person who did not answer, counted the bags or has not started reads this in the notice', () => {
  const found = { action: 'open', by: 'System', status: 'with-town' } as const;
  const late = { action: 'no-answer', by: 'System', status: 'with-town' } as const;
  expect(linesFor({ ...late, isAboutReader: true }, 'Scrub')).toContain('You did not answer within 24 hours.');
  expect(linesFor(late)).toContain('The Scrub did not answer within 24 hours.');
  expect(linesFor({ ...found, kind: 'handover', hasReaderCounted: true })).toContain('You counted a different number');
  expect(linesFor({ ...found, kind: 'handover' })).toContain('The person who took the laundry counted');
  expect(linesFor({ ...found, kind: 'scrub-silent' }, 'Scrub')).toContain('you have not pressed Start. Press it if');
  expect(linesFor({ ...found, kind: 'scrub-silent' })).toContain('nobody has started.');
  const denied = { action: 'deny', by: 'Bud', status: 'with-town', kind: 'failed-pickup' } as const;
  expect(linesFor(denied, 'Duber')).toContain('What you are paid for it waits');
  expect(linesFor(denied, 'Scrub')).toContain('What the Duber is paid for it waits');
});
