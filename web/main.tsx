import './theme/styles.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { queryClient } from './api/queryClient.ts';
import { loadFirstScreen, prefetchRoute, router } from './routes.tsx';
import { ThemeProvider } from './theme/ThemeProvider.tsx';
import { Questions } from './ui/Questions.tsx';
import { Toasts } from './ui/toast.tsx';

for (const intent of ['pointerover', 'focusin', 'touchstart']) {
  document.addEventListener(intent, prefetchRoute, { passive: true });
}

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

/** Waits for the first screen's code, so that the prerendered page stays until then. */
loadFirstScreen().then(() =>
  createRoot(root).render(
    <ThemeProvider>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <Questions />
        <Toasts />
      </QueryClientProvider>
    </ThemeProvider>,
  ),
);
