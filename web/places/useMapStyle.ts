import { useComputedColorScheme } from '@mantine/core';
import { useConfig } from '../config.ts';

/** Spread these into each map. MapLibre compares styles, which fails with a warning when the one before is still loading. */
export const STYLE_CHANGES = { styleDiffing: false } as const;

/** The URL of the map style for the current colour scheme. A style without themes ignores the parameter. */
export function useMapStyle(): string | undefined {
  const scheme = useComputedColorScheme('light');
  const address = useConfig()?.mapStyleUrl;
  if (!address) return undefined;
  const url = new URL(address, window.location.href);
  url.searchParams.set('theme', scheme);
  return url.href;
}
