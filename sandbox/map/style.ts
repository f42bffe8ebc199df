import type { City } from '../city/types.ts';
import { labelLayers } from './labels.ts';
import { byZoom, filterByKind, type Layer } from './layer.ts';
import { PALETTES, type Palette, type Theme } from './palette.ts';
import { TILE_ZOOM } from './tiles.ts';

/** A MapLibre style without glyphs and sprites: MapLibre draws text with the page's own fonts when there are none. */
export function toMapStyle(city: City, theme: Theme, base: string, version: string) {
  const palette = PALETTES[theme];
  return {
    version: 8,
    name: `${city.name} (${theme})`,
    center: city.centre,
    zoom: 13,
    metadata: { 'rubadub:theme': theme },
    sources: {
      city: {
        type: 'geojson',
        data: `${base}/city.json?v=${version}`,
        attribution: city.name,
        tolerance: 0.3,
        maxzoom: 16,
      },
      houses: {
        type: 'vector',
        tiles: [`${base}/houses/{z}/{x}/{y}.pbf?v=${version}`],
        minzoom: TILE_ZOOM,
        maxzoom: TILE_ZOOM,
        bounds: city.bounds,
      },
    },
    layers: [...groundLayers(palette), ...streetLayers(palette), ...labelLayers(palette)],
  };
}

function groundLayers(p: Palette): Layer[] {
  const fill = (id: string, kinds: string[], color: string): Layer => ({
    id,
    type: 'fill',
    source: 'city',
    filter: filterByKind(...kinds),
    paint: { 'fill-color': color },
  });
  return [
    { id: 'country', type: 'background', paint: { 'background-color': p.country } },
    fill('ground', ['ground'], p.ground),
    fill('woods', ['wood'], p.wood),
    fill('parks', ['park'], p.park),
    fill('squares', ['square'], p.square),
    fill('water', ['water'], p.water),
    {
      id: 'buildings',
      type: 'fill',
      source: 'houses',
      'source-layer': 'buildings',
      minzoom: TILE_ZOOM,
      paint: {
        'fill-color': p.building,
        'fill-outline-color': p.buildingLine,
        'fill-opacity': ['interpolate', ['linear'], ['zoom'], TILE_ZOOM, 0, TILE_ZOOM + 0.6, 1],
      },
    },
  ];
}

function streetLayers(p: Palette): Layer[] {
  const round = { 'line-cap': 'round', 'line-join': 'round' };
  const road = (id: string, kinds: string[], color: string, width: unknown, more: Partial<Layer> = {}): Layer => ({
    id,
    type: 'line',
    source: 'city',
    filter: filterByKind(...kinds),
    layout: round,
    paint: { 'line-color': color, 'line-width': width },
    ...more,
  });
  const narrow = byZoom([11, 0.5], [13, 1.5], [14, 2.6], [16, 9.5], [18, 36], [20, 140]);
  const narrowEdge = byZoom([11, 0.9], [13, 2.4], [14, 3.8], [16, 11.5], [18, 39], [20, 144]);
  const wide = byZoom([10, 0.7], [12, 2], [14, 5.4], [16, 16], [18, 60], [20, 238]);
  const wideEdge = byZoom([10, 1.2], [12, 3.2], [14, 7.2], [16, 18.5], [18, 63], [20, 242]);
  const roadWidth = byZoom([9, 0.6], [12, 1.5], [14, 3.4], [16, 10], [18, 36], [20, 140]);
  const roadEdge = byZoom([9, 1], [12, 2.5], [14, 5], [16, 12], [18, 39], [20, 144]);
  return [
    road('road-edges', ['road'], p.avenueLine, roadEdge),
    road('street-edges', ['street'], p.streetLine, narrowEdge, { minzoom: 11 }),
    road('avenue-edges', ['avenue'], p.avenueLine, wideEdge),
    road('roads', ['road'], p.avenue, roadWidth),
    road('streets', ['street'], p.street, narrow),
    road('avenues', ['avenue'], p.avenue, wide),
    road('rails', ['rail'], p.rail, byZoom([10, 0.8], [14, 2.6], [18, 8]), { layout: { 'line-join': 'round' } }),
    road('rail-ties', ['rail'], p.railGap, byZoom([10, 0.4], [14, 1.3], [18, 5]), {
      minzoom: 12,
      layout: { 'line-join': 'round' },
      paint: { 'line-color': p.railGap, 'line-width': byZoom([10, 0.4], [14, 1.3], [18, 5]), 'line-dasharray': [4, 4] },
    }),
  ];
}
