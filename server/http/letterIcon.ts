import { crc32, deflateSync } from 'node:zlib';
import type { Color } from '../../domain/colors.ts';

// Phones and notifications show no SVG, and a server has no fonts: the first letter of a town is drawn from its strokes.

/** The strokes of each letter on a field of 4 by 6: lines between points, which are a column and a row. */
const STROKES: Readonly<Record<string, string>> = Object.fromEntries(
  [
    'A 06 20 46;14 34|B 06 00 30 41 42 33 03;33 44 45 36 06|C 41 30 10 01 05 16 36 45|D 06 00 20 42 44 26 06',
    'E 40 00 06 46;03 33|F 40 00 06;03 33|G 41 30 10 01 05 16 36 45 43 23|H 00 06;40 46;03 43|I 20 26|J 40 45 36 16 05',
    'K 00 06;40 03 46|L 00 06 46|M 06 00 23 40 46|N 06 00 46 40|O 10 30 41 45 36 16 05 01 10|P 06 00 30 41 42 33 03',
    'Q 10 30 41 45 36 16 05 01 10;24 46|R 06 00 30 41 42 33 03;23 46|S 41 30 10 01 02 13 33 44 45 36 16 05|T 00 40;20 26',
    'U 00 05 16 36 45 40|V 00 26 40|W 00 16 23 36 40|X 00 46;40 06|Y 00 23 40;23 26|Z 00 40 06 46',
    '0 10 30 41 45 36 16 05 01 10|1 11 20 26|2 01 10 30 41 42 06 46|3 00 40 23 33 44 45 36 16 05|4 36 30 04 44',
    '5 40 00 02 32 43 45 36 06|6 40 20 02 05 16 36 45 44 33 03|7 00 40 16|8 13 02 01 10 30 41 42 33 13 04 05 16 36 45 44 33',
    '9 43 13 02 01 10 30 41 44 26',
  ]
    .join('|')
    .split('|')
    .map((glyph) => [glyph.slice(0, 1), glyph.slice(2)]),
);

const SIDE = 192;
/** Pixels of a column and a row. */
const UNIT = SIDE / 10;
const HALF_STROKE = UNIT * 0.55;
const [LEFT, TOP] = [SIDE / 2 - 2 * UNIT, SIDE / 2 - 3 * UNIT];

type Point = readonly [x: number, y: number];

function linesOf(strokes: string): (readonly [Point, Point])[] {
  const pointOf = (text: string): Point => [LEFT + Number(text[0]) * UNIT, TOP + Number(text[1]) * UNIT];
  return strokes.split(';').flatMap((stroke) => {
    const points = stroke.split(' ').map(pointOf);
    return points.slice(1).map((point, index) => [points[index] ?? point, point] as const);
  });
}

function distanceTo([[ax, ay], [bx, by]]: readonly [Point, Point], x: number, y: number): number {
  const [dx, dy] = [bx - ax, by - ay];
  const along = Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)));
  return Math.hypot(x - ax - along * dx, y - ay - along * dy);
}

/** A PNG of a name's first letter, white on a colour. Undefined for a letter whose strokes are not known. */
export function drawLetterIcon(name: string, color: Color): Buffer | undefined {
  const [letter = ''] = name.normalize('NFD').toUpperCase();
  const strokes = STROKES[letter];
  if (strokes === undefined) return undefined;
  const lines = linesOf(strokes);
  const ground = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  // Each row begins with its filter, which is none.
  const rows = Buffer.alloc(SIDE * (1 + SIDE * 3));
  for (let y = 0; y < SIDE; y += 1) {
    for (let x = 0; x < SIDE; x += 1) {
      const distance = Math.min(...lines.map((line) => distanceTo(line, x + 0.5, y + 0.5)));
      const white = Math.min(1, Math.max(0, HALF_STROKE - distance + 0.5));
      rows.set(
        ground.map((channel) => channel + (255 - channel) * white),
        y * (1 + SIDE * 3) + 1 + x * 3,
      );
    }
  }
  return encodePng(rows);
}

/** 8 bits of three channels: the last numbers of the header. */
const RGB = [8, 2, 0, 0, 0];

function encodePng(rows: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(SIDE, 0);
  header.writeUInt32BE(SIDE, 4);
  header.set(RGB, 8);
  const start = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([
    start,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, sum]);
}
