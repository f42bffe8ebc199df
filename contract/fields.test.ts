import { describe, expect, test } from 'vitest';
import { stepReport } from './exceptions.ts';
import { otp, searchText } from './fields.ts';

describe('a code of six digits', () => {
  test.each(['509975', ' 509 975 ', '509-975', '509\u00a0975', '٥٠٩٩٧٥', '５０９９７５'])(
    'may be sent as “%s”',
    (sent) => {
      expect(otp.parse(sent)).toBe('509975');
    },
  );

  test.each(['50997', '5099750', '50997x', '', '½09975'])('is not “%s”', (sent) => {
    expect(otp.safeParse(sent).success).toBe(false);
  });
});

test.each(['4821', '٤٨٢١', '４８２１', '48 21'])('a PIN may be sent as “%s”', (sent) => {
  expect(stepReport.pin.parse(sent)).toBe('4821');
});

test('a search finds a name in whatever way the system of the person writes its accents', () => {
  expect(searchText('q', 100).parse(' Mu\u0308ller ')).toBe('M\u00fcller');
});
