import { afterEach, expect, test } from 'vitest';
import { describeTotals } from './pages/priceEstimate.ts';
import { renderLanding } from './prerender.ts';
import { queryClient } from './queryClient.ts';

afterEach(() => queryClient.clear());

test('the landing page reads well before any script runs, and names no price that may differ', () => {
  const html = renderLanding();
  expect(html).toContain(describeTotals(undefined));
  expect(html).not.toContain('$');
  for (const words of [
    'Get Started - Create Account',
    'I Already Have an Account',
    'Join thousands of users who trust Rubadub for their laundry needs',
    'Your card is charged only when someone accepts.',
  ])
    expect(html).toContain(words);
  for (const role of ['Bud', 'Scrub', 'Duber']) expect(html).toContain(`href="#/signup?role=${role}"`);
});

test('the landing page is built without the demo and its reviews', () => {
  expect(renderLanding()).not.toMatch(/Just curious|made up|What people write/);
});
