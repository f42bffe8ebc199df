import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { Landing } from './pages/Landing.tsx';

/** The landing page as HTML, for the build to put into index.html. */
export function printLanding(): string {
  return renderToStaticMarkup(createElement(Landing));
}
