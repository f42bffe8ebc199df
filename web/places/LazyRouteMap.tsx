import { type ComponentProps, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { useOffline } from '../hooks/useOffline.ts';
import { whenIdle } from '../ui/idle.ts';
import { lazyPart } from '../ui/lazyPart.tsx';
import { hasWebGL } from './webgl.ts';

const RouteMap = lazyPart('The map', async () => (await import('./RouteMap.tsx')).RouteMap);

/** How far below the screen a map is before it loads. */
const NEAR = '300px';

/** A map with a route. */
export function LazyRouteMap(props: ComponentProps<typeof RouteMap>) {
  return (
    <NearAtRest>
      <RouteMap {...props} />
    </NearAtRest>
  );
}

/**
 * A place for a map, whose code, half a megabyte, loads when the page is idle and the map is near the visible part. Its box needs
 * a fixed height.
 */
export function NearAtRest({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  const isDue = useIsNearAtRest(box);
  return (
    <div ref={box} style={{ height: '100%' }}>
      {isDue && children}
    </div>
  );
}

/** Becomes true when the element is near the visible part of the page, and the page is idle. */
function useIsNearAtRest(element: RefObject<HTMLElement | null>): boolean {
  const [isDue, setDue] = useState(false);
  useEffect(() => {
    if (!element.current || isDue) return;
    const atRest = new AbortController();
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        observer.disconnect();
        whenIdle(() => setDue(true), atRest.signal);
      },
      { rootMargin: NEAR },
    );
    observer.observe(element.current);
    return () => {
      observer.disconnect();
      atRest.abort();
    };
  }, [element, isDue]);
  return isDue;
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
