import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Pin } from './LaundryCard.tsx';

const role = 'Scrub';

/** What a Scrub reads of their PIN while the laundry is with `holder`. */
function shown(pin: string | null, isPinBlocked: boolean, holder: 'Duber' | 'Scrub' = 'Duber') {
  const custody = { pin, isPinBlocked, holder: { role: holder, id: 'h', fullname: 'Alan D.' } };
  return renderToStaticMarkup(<Pin custody={custody} role={role} />);
}

test('a person whose PIN was wrong five times reads that it no longer works, and what to press', () => {
  expect(shown('7699', false)).toContain('<span>Your PIN </span><strong>7699</strong>');
  const blocked = shown(null, true);
  expect(blocked).toContain('no longer works. Press “I have … bags” once you have the laundry.');
  expect(blocked).not.toContain('Your PIN');
  expect(shown(null, false)).toBe('');
});

test('and nothing of it once they have pressed it: the button is gone', () => {
  expect(shown(null, true, 'Scrub')).toBe('');
});
