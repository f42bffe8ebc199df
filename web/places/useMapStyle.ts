import { useComputedColorScheme } from '@mantine/core';
import { useConfig } from '../config.ts';

/** The address of the map's style for the colours in use; a style that knows no themes ignores the question. */
export function useMapStyle(): string | undefined {
  const scheme = useComputedColorScheme('light');
  const address = useConfig()?.mapStyleUrl;
  if (!address) return undefined;
  const url = new URL(address, window.location.href);
  url.searchParams.set('theme', scheme);
  return url.href;
}
