import { useComputedColorScheme } from '@mantine/core';
import { useConfig } from '../config.ts';

/** The URL of the map style for the current colour scheme. A style without themes ignores the parameter. */
export function useMapStyle(): string | undefined {
  const scheme = useComputedColorScheme('light');
  const address = useConfig()?.mapStyleUrl;
  if (!address) return undefined;
  const url = new URL(address, window.location.href);
  url.searchParams.set('theme', scheme);
  return url.href;
}
