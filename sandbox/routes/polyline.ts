import type { Position } from '../city/types.ts';

/** Google's encoded polyline: differences of latitude and longitude, five bits a character. OSRM uses 5 or 6 decimals. */
export function encodePolyline(positions: readonly Position[], decimals: 5 | 6): string {
  const scale = 10 ** decimals;
  let [lastLatitude, lastLongitude] = [0, 0];
  return positions
    .map(([longitude, latitude]) => {
      const [y, x] = [Math.round(latitude * scale), Math.round(longitude * scale)];
      const text = encodeNumber(y - lastLatitude) + encodeNumber(x - lastLongitude);
      [lastLatitude, lastLongitude] = [y, x];
      return text;
    })
    .join('');
}

function encodeNumber(value: number): string {
  let rest = value < 0 ? ~(value << 1) : value << 1;
  let text = '';
  for (; rest >= 0x20; rest >>= 5) text += String.fromCharCode((0x20 | (rest & 0x1f)) + 63);
  return text + String.fromCharCode(rest + 63);
}
