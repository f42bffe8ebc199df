import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { SignIn } from './accounts/SignIn.tsx';
import { queryClient } from './api/queryClient.ts';
import { Landing } from './pages/Landing.tsx';
import { ThemeProvider } from './theme/ThemeProvider.tsx';

/**
 * Letters that nobody sees (base.css). While the code of another screen loads, the browser looks up the fonts that it begins
 * with, which takes a slow phone a twentieth of a second or more.
 */
const LETTERS = '<p data-prerendered="letters" hidden aria-hidden="true">Aa <b>Bb</b> <strong>Cc</strong></p>';

/** The screens that show before any script has run, as HTML, and their styles. The build puts both into index.html; boot.js chooses one. */
export function renderScreens(): { readonly html: string; readonly styles: string } {
  const signIn = renderSignIn();
  const html = [
    `<div data-prerendered="landing">${renderLanding()}</div>`,
    `<div data-prerendered="sign-in">${toSecondScreen(signIn.replaceAll(STYLE, ''))}</div>`,
    LETTERS,
  ].join('');
  // In the body they would not be valid.
  return { html, styles: [...signIn.matchAll(STYLE)].map(([, css]) => css).join('') };
}

const STYLE = /<style[^<>]*>([^<]*)<\/style>/g;

/** A page has one main part, header and footer: those of the landing page, while the other screen is not shown. */
const toSecondScreen = (html: string) => html.replaceAll(/(<\/?)(?:main|header|footer)\b/g, '$1div');

/** The landing page. The prices are not known yet. */
export const renderLanding = (): string => render(<Landing />);

/** The sign-in. Its form works once the app has replaced it, so until then nothing can be typed into it. */
export const renderSignIn = (): string =>
  render(
    <ThemeProvider>
      <MemoryRouter>
        <SignIn />
      </MemoryRouter>
    </ThemeProvider>,
  )
    .replaceAll('<form ', '<form inert ')
    .replaceAll('<input ', '<input readonly ')
    // The app's router takes its paths from the hash.
    .replaceAll('href="/', 'href="#/');

const render = (screen: ReactElement) =>
  renderToStaticMarkup(<QueryClientProvider client={queryClient}>{screen}</QueryClientProvider>);
