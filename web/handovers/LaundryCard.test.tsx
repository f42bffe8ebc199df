import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Pin } from './LaundryCard.tsx';

const shown = (pin: string | null, isPinBlocked: boolean, role = 'Bud' as const) =>
  renderToStaticMarkup(<Pin custody={{ pin, isPinBlocked }} role={role} />);

test('a person whose PIN was wrong five times reads that it no longer works, and what to press', () => {
  expect(shown('7699', false)).toContain('Your PIN <strong>7699</strong>');
  const blocked = shown(null, true);
  expect(blocked).toContain('no longer works. Press “I have … bags” once you have the laundry.');
  expect(blocked).not.toContain('Your PIN');
  expect(shown(null, false)).toBe('');
});
