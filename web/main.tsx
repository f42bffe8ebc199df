import './theme/styles.css';
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { queries } from './queries.ts';
import { fetchAhead, router } from './routes.tsx';
import { resolveVariables, theme } from './theme/theme.ts';
import { Toasts } from './ui/toast.tsx';

const schemes = localStorageColorSchemeManager({ key: 'rubadub-color-scheme' });

for (const intent of ['pointerover', 'focusin', 'touchstart']) {
  document.addEventListener(intent, fetchAhead, { passive: true });
}

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

createRoot(root).render(
  <MantineProvider
    theme={theme}
    cssVariablesResolver={resolveVariables}
    colorSchemeManager={schemes}
    defaultColorScheme="auto"
    deduplicateCssVariables={false}
  >
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
      <Toasts />
    </QueryClientProvider>
  </MantineProvider>,
);
