import { useComputedColorScheme } from '@mantine/core';
import { type ComponentProps, useState } from 'react';
import { Map as MapLibreMap, NavigationControl } from 'react-map-gl/maplibre';
import { useConfig } from '../api/config.ts';
import './maps.css';
import 'maplibre-gl/dist/maplibre-gl.css';
import * as maplibre from 'maplibre-gl';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url';

// The library looks for its worker next to its own file, where the bundler does not put it.
maplibre.setWorkerUrl(workerUrl);

type MapLibreProps = ComponentProps<typeof MapLibreMap>;

type BaseMapProps = Omit<
  MapLibreProps,
  'mapLib' | 'mapStyle' | 'styleDiffing' | 'attributionControl' | 'onIdle' | 'style'
> & {
  /** Called when everything in view is drawn, again after each move. */
  onDrawn?: () => void;
};

/** What all maps have in common: the style of the colour scheme, zoom buttons, the attribution. It fills its box, and is busy until it is drawn. */
export function BaseMap({ children, onDrawn, ...props }: BaseMapProps) {
  const style = useMapStyle();
  const [isDrawn, setDrawn] = useState(false);
  if (!style) return null;
  return (
    <div style={{ height: '100%' }} aria-busy={!isDrawn}>
      <MapLibreMap
        {...props}
        mapLib={maplibre}
        mapStyle={style}
        // MapLibre compares styles otherwise, which fails with a warning when the one before is still loading.
        styleDiffing={false}
        onIdle={() => {
          setDrawn(true);
          onDrawn?.();
        }}
        attributionControl={{ compact: true }}
      >
        <NavigationControl showCompass={false} />
        {children}
      </MapLibreMap>
    </div>
  );
}

/** The URL of the map style for the current colour scheme. A style without themes ignores the parameter. */
function useMapStyle(): string | undefined {
  const scheme = useComputedColorScheme('light');
  const address = useConfig()?.mapStyleUrl;
  if (!address) return undefined;
  const url = new URL(address, window.location.href);
  url.searchParams.set('theme', scheme);
  return url.href;
}
