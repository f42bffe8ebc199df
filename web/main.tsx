import './theme/styles.css';
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { queryClient } from './queryClient.ts';
import { prefetchRoute, router } from './routes.tsx';
import { resolveCssVariables, theme } from './theme/theme.ts';
import { Toasts } from './ui/toast.tsx';

const colorSchemeManager = localStorageColorSchemeManager({ key: 'rubadub-color-scheme' });

for (const intent of ['pointerover', 'focusin', 'touchstart']) {
  document.addEventListener(intent, prefetchRoute, { passive: true });
}

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

createRoot(root).render(
  <MantineProvider
    theme={theme}
    cssVariablesResolver={resolveCssVariables}
    colorSchemeManager={colorSchemeManager}
    defaultColorScheme="auto"
    deduplicateCssVariables={false}
  >
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <Toasts />
    </QueryClientProvider>
  </MantineProvider>,
);
