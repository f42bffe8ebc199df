/** One layer of a MapLibre style. */
export type Layer = { id: string; type: string; [property: string]: unknown };

export function filterByKind(...kinds: string[]): unknown {
  return ['in', ['get', 'kind'], ['literal', kinds]];
}

/** Values by zoom, growing exponentially like the map. */
export function byZoom(...stops: [zoom: number, value: number][]): unknown {
  return ['interpolate', ['exponential', 1.7], ['zoom'], ...stops.flat()];
}
