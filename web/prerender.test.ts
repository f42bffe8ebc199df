import { afterEach, expect, test } from 'vitest';
import { queryClient } from './api/queryClient.ts';
import { describeTotals } from './pages/priceEstimate.ts';
import { renderLanding, renderScreens, renderSignIn } from './prerender.tsx';

afterEach(() => queryClient.clear());

test('the landing page reads well before any script runs, and names no price that may differ', () => {
  const html = renderLanding();
  expect(html).toContain(describeTotals(undefined));
  expect(html).not.toContain('$');
  for (const words of [
    'Get Started - Create Account',
    'I Already Have an Account',
    'Join thousands of users who trust Rubadub for their laundry needs',
    'You pay nothing unless someone accepts.',
  ])
    expect(html).toContain(words);
  for (const role of ['Bud', 'Scrub', 'Duber']) expect(html).toContain(`href="#/signup?role=${role}"`);
});

test('the landing page is built without the demo and its reviews', () => {
  expect(renderLanding()).not.toMatch(/Just curious|made up|What people write/);
});

test('the sign-in reads well before any script runs, and takes no input that the app would lose', () => {
  const html = renderSignIn();
  for (const words of ['Welcome to Rubadub', 'Sign in to your account', 'Email', 'Password', 'Forgot your password?'])
    expect(html).toContain(words);
  expect(html).toMatch(/<form[^>]* inert/);
  expect(html.match(/<input /g)).toHaveLength(2);
  expect(html.match(/<input readonly /g)).toHaveLength(2);
});

test('both screens are one page: it has one main part, and its styles are for the head', () => {
  const { html, styles } = renderScreens();
  for (const tag of ['<main', '<header', '<footer']) expect(html.split(tag)).toHaveLength(2);
  expect(html).not.toContain('<style');
  expect(styles).toContain('--mantine-color-');
  expect(html).toContain('Sign in to your account');
});

test('the links of the prerendered screens lead to routes of the app', () => {
  const links = `${renderLanding()}${renderSignIn()}`.matchAll(/href="([^"]*)"/g);
  const targets = [...links].map(([, target]) => target);
  expect(targets.length).toBeGreaterThan(8);
  expect(targets.filter((target) => !/^#(\/|[\w-]+$)/.test(target ?? ''))).toEqual([]);
});
