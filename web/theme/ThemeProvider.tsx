import { localStorageColorSchemeManager, type MantineColorSchemeManager, MantineProvider } from '@mantine/core';
import type { ReactNode } from 'react';
import { writeStored } from '../storage/stores.ts';
import { resolveCssVariables, theme } from './theme.ts';

const SCHEME_KEY = 'rubadub-color-scheme';
const colorSchemeManager: MantineColorSchemeManager = {
  ...localStorageColorSchemeManager({ key: SCHEME_KEY }),
  set: (value) => writeStored(SCHEME_KEY, value),
};

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
