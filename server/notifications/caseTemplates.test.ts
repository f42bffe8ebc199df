import { expect, test } from 'vitest';
import { caseTemplate } from './caseTemplates.ts';

test('a mail about five wrong PINs says what hands the laundry over now', () => {
  const event = { id: 'a-case', no: 7, kind: 'wrong-pin', action: 'open', status: 'with-town', by: 'System' } as const;
  const { title, lines } = caseTemplate(
    { ...event, offer: null, cents: null, aboutName: null, aboutRole: null, readerPays: 0 },
    'Scrub',
  );
  expect(title).toBe('Five wrong PINs');
  expect(lines.join(' ')).toContain('presses “I have … bags” at their order once they have it');
  expect(lines.join(' ')).not.toMatch(/next PIN|do not need to do anything/);
});
