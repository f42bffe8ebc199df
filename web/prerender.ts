import { QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { Landing } from './pages/Landing.tsx';
import { queryClient } from './queryClient.ts';

/** The landing page as HTML, for the build to put into index.html. The prices are not known yet. */
export function renderLanding(): string {
  return renderToStaticMarkup(createElement(QueryClientProvider, { client: queryClient }, createElement(Landing)));
}
