import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import type { ReactNode } from 'react';
import { resolveCssVariables, theme } from './theme.ts';

const colorSchemeManager = localStorageColorSchemeManager({ key: 'rubadub-color-scheme' });

/** Our colours and sizes for everything in it. */
export function ThemeProvider({ children }: { children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={resolveCssVariables}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
      deduplicateCssVariables={false}
    >
      {children}
    </MantineProvider>
  );
}
