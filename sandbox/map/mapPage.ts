import { toPoint } from '../city/geometry.ts';
import type { City, Position, StreetKind } from '../city/types.ts';
import { escapeHtml, renderPage } from '../page.ts';
import { PALETTES, type Palette } from './palette.ts';

const VIEW_RADIUS = 5600;

/** The whole city as one SVG, for browsers without WebGL. `at` puts a pin on "longitude,latitude". */
export function renderMapPage(city: City, at: string): string {
  const pin = readPin(at);
  const body = `
<p class="quiet">${escapeHtml(city.name)} does not exist: it is drawn from seed ${city.seed}, around latitude
${city.centre[1]} and longitude ${city.centre[0]}, and served without any network. The same drawing feeds the address search.</p>
<p><a href="/sandbox/map/style.json">Style (light)</a> · <a href="/sandbox/map/style.json?theme=dark">Style (dark)</a> ·
<a href="/sandbox/map/city.json">Data (GeoJSON)</a> · <a href="/sandbox/places">Address search</a></p>
<figure class="card map">${drawSvg(city, pin)}<figcaption class="quiet">${city.streets.length} streets, ${city.houses.length.toLocaleString(
    'en',
  )} houses, ${city.parks.length} parks and squares, ${city.districts.length} districts.</figcaption></figure>
<style>${STYLE}</style>`;
  return renderPage({ title: `Map of ${city.name}`, body, nav: [{ href: '/sandbox/places', text: 'Places' }] });
}

function readPin(at: string): Position | undefined {
  const [longitude, latitude] = at.split(',').map(Number);
  if (longitude === undefined || latitude === undefined) return undefined;
  return Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90 ? [longitude, latitude] : undefined;
}

function drawSvg(city: City, pin: Position | undefined): string {
  // One path for all streets of a kind keeps the page small.
  const lines = (kinds: StreetKind[]) =>
    city.streets
      .filter(({ kind }) => kinds.includes(kind))
      .map(({ line }) => toSvgPath(line))
      .join('');
  const names = city.districts.map(({ name, centre }) => {
    const { x, y } = toPoint(centre);
    return `<text x="${Math.round(x)}" y="${Math.round(-y)}">${escapeHtml(name)}</text>`;
  });
  const view = pin ? viewBoxAround(pin) : `${-VIEW_RADIUS} ${-VIEW_RADIUS} ${2 * VIEW_RADIUS} ${2 * VIEW_RADIUS}`;
  const size = pin ? 42 : 150;
  const greens = (kind: string) =>
    city.parks
      .filter((park) => park.kind === kind)
      .map(({ outline }) => `${toSvgPath(outline)}Z`)
      .join('');
  return `<svg viewBox="${view}" role="img" aria-label="Map of ${escapeHtml(city.name)}">
<path class="ground" d="${toSvgPath(city.ground)}Z"/><path class="wood" d="${greens('wood')}"/><path class="park" d="${greens('park')}"/>
<path class="square" d="${greens('square')}"/>${city.water.map(({ outline }) => `<path class="water" d="${toSvgPath(outline)}Z"/>`).join('')}
<path class="street edge" d="${lines(['street'])}"/><path class="avenue edge" d="${lines(['avenue', 'road'])}"/>
<path class="street" d="${lines(['street'])}"/><path class="avenue" d="${lines(['avenue', 'road'])}"/>
${city.railways.map(({ line }) => `<path class="rail" d="${toSvgPath(line)}"/>`).join('')}
<g class="names" font-size="${size}" stroke-width="${size / 4}">${names.join('')}</g>${pin ? drawPin(pin) : ''}</svg>`;
}

function toSvgPath(line: Position[]): string {
  const steps = line.map((position) => {
    const { x, y } = toPoint(position);
    return `${Math.round(x)} ${Math.round(-y)}`;
  });
  return `M${steps.join('L')}`;
}

function viewBoxAround(pin: Position): string {
  const { x, y } = toPoint(pin);
  return `${Math.round(x - 900)} ${Math.round(-y - 900)} 1800 1800`;
}

function drawPin(pin: Position): string {
  const { x, y } = toPoint(pin);
  return `<path class="pin" transform="translate(${Math.round(x)} ${Math.round(-y)})" d="M0 0C-16 -34 -34 -46 -34 -70A34 34 0 1 1 34 -70C34 -46 16 -34 0 0ZM0 -84a14 14 0 1 0 0.1 0Z"/>`;
}

function cssVariables(p: Palette): string {
  return `--country:${p.country};--ground:${p.ground};--water:${p.water};--park:${p.park};--wood:${p.wood};--square:${p.square};
--street:${p.street};--street-line:${p.streetLine};--avenue:${p.avenue};--avenue-line:${p.avenueLine};--rail:${p.rail};--halo:${p.halo}`;
}

const STYLE = `
.map { ${cssVariables(PALETTES.light)}; padding: 0; overflow: hidden; margin: 16px 0; }
@media (prefers-color-scheme: dark) { .map { ${cssVariables(PALETTES.dark)}; } }
.map svg { display: block; width: 100%; height: auto; max-height: 86vh; background: var(--country); }
.map figcaption { padding: 12px 16px; }
.map .ground { fill: var(--ground); } .map .wood { fill: var(--wood); } .map .park { fill: var(--park); }
.map .square { fill: var(--square); } .map .water { fill: var(--water); }
.map .street, .map .avenue, .map .rail { fill: none; stroke-linecap: round; stroke-linejoin: round; }
.map .street { stroke: var(--street); stroke-width: 14; } .map .street.edge { stroke: var(--street-line); stroke-width: 22; }
.map .avenue { stroke: var(--avenue); stroke-width: 28; } .map .avenue.edge { stroke: var(--avenue-line); stroke-width: 40; }
.map .rail { stroke: var(--rail); stroke-width: 14; stroke-dasharray: 60 24; }
.map text { font-weight: 600; fill: var(--ink); text-anchor: middle; paint-order: stroke; stroke: var(--halo); stroke-linejoin: round; }
.map .pin { fill: #f7c948; stroke: #3a2a00; stroke-width: 5; fill-rule: evenodd; }
`;
