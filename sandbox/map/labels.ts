import { byZoom, filterByKind, type Layer } from './layer.ts';
import type { Palette } from './palette.ts';

// MapLibre reads the weight from the first family's name. No such family exists, so the next one is used.
const MEDIUM_FONTS = ['Soapwick Medium', 'Inter Variable', 'Inter', 'system-ui'];
const SEMIBOLD_FONTS = ['Soapwick Semibold', 'Inter Variable', 'Inter', 'system-ui'];
const ITALIC_FONTS = ['Soapwick Medium Italic', 'Inter Variable', 'Inter', 'system-ui'];

const NAME_EXPRESSION = ['get', 'name'];

export function labelLayers(p: Palette): Layer[] {
  return [houseNumbers(p), ...streetNames(p), ...pointsOfInterest(p), ...areaNames(p)];
}

function textPaint(color: string, halo: string, width = 1.6): Record<string, unknown> {
  return { 'text-color': color, 'text-halo-color': halo, 'text-halo-width': width };
}

function houseNumbers(p: Palette): Layer {
  return {
    id: 'house-numbers',
    type: 'symbol',
    source: 'houses',
    'source-layer': 'doors',
    minzoom: 16.5,
    layout: {
      'text-field': ['get', 'n'],
      'text-font': MEDIUM_FONTS,
      'text-size': byZoom([16.5, 9.5], [19, 13]),
      'text-padding': 1,
    },
    paint: textPaint(p.quiet, p.building, 1),
  };
}

function streetNames(p: Palette): Layer[] {
  const along = (id: string, kinds: string[], minzoom: number, size: unknown, font: string[]): Layer => ({
    id,
    type: 'symbol',
    source: 'city',
    minzoom,
    filter: filterByKind(...kinds),
    layout: {
      'symbol-placement': 'line',
      'symbol-spacing': 320,
      'text-field': NAME_EXPRESSION,
      'text-font': font,
      'text-size': size,
      'text-max-angle': 35,
      'text-padding': 4,
    },
    paint: textPaint(p.quiet, p.halo),
  });
  return [
    along('street-names', ['street', 'road'], 14.4, byZoom([14, 10.5], [18, 14]), MEDIUM_FONTS),
    along('avenue-names', ['avenue'], 12.6, byZoom([12, 10.5], [18, 15]), SEMIBOLD_FONTS),
    {
      ...along('river-name', ['river-name'], 11.5, byZoom([11, 11], [16, 15]), ITALIC_FONTS),
      paint: textPaint(p.waterInk, p.water, 1),
    },
  ];
}

function pointsOfInterest(p: Palette): Layer[] {
  const isLaundry = ['in', ['get', 'category'], ['literal', ['laundry', 'dry_cleaners']]];
  const isStation = ['==', ['get', 'category'], 'railway_station'];
  const isSight = filterByKind('sight');
  return [
    ...dotAndNameLayers(p, p.station, 'sights', ['all', isSight, ['!', isStation], ['!', isLaundry]], 15.6),
    ...dotAndNameLayers(p, p.brand, 'laundries', ['all', isSight, isLaundry], 14.6),
    ...dotAndNameLayers(p, p.station, 'stations', ['all', isSight, isStation], 13),
  ];
}

function dotAndNameLayers(p: Palette, color: string, id: string, filter: unknown, minzoom: number): Layer[] {
  return [
    {
      id: `${id}-dots`,
      type: 'circle',
      source: 'city',
      minzoom,
      filter,
      paint: {
        'circle-color': color,
        'circle-radius': byZoom([13, 2.6], [18, 5.5]),
        'circle-stroke-color': p.halo,
        'circle-stroke-width': 1.5,
      },
    },
    {
      id: `${id}-names`,
      type: 'symbol',
      source: 'city',
      minzoom: minzoom + 0.3,
      filter,
      layout: {
        'text-field': NAME_EXPRESSION,
        'text-font': MEDIUM_FONTS,
        'text-size': byZoom([13, 11], [18, 13]),
        'text-variable-anchor': ['left', 'right', 'top', 'bottom'],
        'text-radial-offset': 0.7,
        'text-justify': 'auto',
        'text-max-width': 8,
      },
      paint: textPaint(color, p.halo),
    },
  ];
}

function areaLabel(id: string, filter: unknown, zooms: [number, number], layout: object, paint: object): Layer {
  return {
    id,
    type: 'symbol',
    source: 'city',
    minzoom: zooms[0],
    maxzoom: zooms[1],
    filter,
    layout: { 'text-field': NAME_EXPRESSION, 'text-font': MEDIUM_FONTS, 'text-max-width': 7, ...layout },
    paint,
  };
}

function parkNames(p: Palette, rank: number, from: number): Layer {
  return areaLabel(
    `park-names-${rank}`,
    ['all', filterByKind('park-name'), ['==', ['get', 'rank'], rank]],
    [from, 24],
    { 'text-size': byZoom([12, 10.5], [18, 14]) },
    textPaint(p.parkInk, p.park, 1.2),
  );
}

function areaNames(p: Palette): Layer[] {
  return [
    parkNames(p, 3, 15.2),
    parkNames(p, 2, 14.2),
    parkNames(p, 1, 12.6),
    areaLabel(
      'bay-name',
      filterByKind('bay-name'),
      [9.5, 17],
      { 'text-font': ITALIC_FONTS, 'text-size': byZoom([10, 13], [16, 22]), 'text-letter-spacing': 0.15 },
      textPaint(p.waterInk, p.water, 1),
    ),
    areaLabel(
      'district-names',
      filterByKind('district-name'),
      [11.2, 15.8],
      {
        'text-font': SEMIBOLD_FONTS,
        'text-size': byZoom([11, 10.5], [15, 15]),
        'text-transform': 'uppercase',
        'text-letter-spacing': 0.12,
        'text-padding': 6,
      },
      { ...textPaint(p.ink, p.halo, 1.8), 'text-opacity': 0.86 },
    ),
    areaLabel(
      'city-name',
      filterByKind('city-name'),
      [0, 11.2],
      { 'text-font': SEMIBOLD_FONTS, 'text-size': byZoom([6, 13], [11, 22]) },
      textPaint(p.ink, p.halo, 2),
    ),
  ];
}
