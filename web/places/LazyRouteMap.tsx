import { type ComponentProps, lazy, Suspense, useEffect, useState } from 'react';
import { useOffline } from '../offline/useOffline.ts';
import { hasWebGL } from './webgl.ts';

const RouteMap = lazy(async () => ({ default: (await import('./RouteMap.tsx')).RouteMap }));

/** A map with a route, which loads after the words around it. Its box needs a height of its own. */
export function LazyRouteMap(props: ComponentProps<typeof RouteMap>) {
  return (
    <Suspense fallback={null}>
      <RouteMap {...props} />
    </Suspense>
  );
}

/** Whether maps can be drawn here: in a browser with WebGL that has a network, or had one while this was shown. */
export function useCanDrawMaps(): boolean {
  return useHasBeenOnline() && hasWebGL();
}

/** Whether there was a network since this was shown: without one an empty map would be grey, but a drawn map stays. */
function useHasBeenOnline(): boolean {
  const isOffline = useOffline();
  const [hadNetwork, setHadNetwork] = useState(!isOffline);
  useEffect(() => {
    if (!isOffline) setHadNetwork(true);
  }, [isOffline]);
  return hadNetwork;
}
