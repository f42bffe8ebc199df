import { crc32, deflateSync } from 'node:zlib';

const [WIDTH, HEIGHT] = [320, 240];
const [CLOTH, SEAM, STAIN] = [
  [122, 168, 205],
  [88, 130, 168],
  [112, 62, 34],
] as const;

/** The photo of a claim in the demo: blue cloth with a stain. */
export function drawStainedShirt(): Blob {
  const rows: number[] = [];
  for (let y = 0; y < HEIGHT; y += 1) {
    // Each row begins with its filter: none.
    rows.push(0);
    for (let x = 0; x < WIDTH; x += 1) rows.push(...colorAt(x, y));
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  // Eight bits for each of red, green and blue.
  header.set([8, 2], 8);
  const chunks = [chunk('IHDR', header), chunk('IDAT', deflateSync(Buffer.from(rows))), chunk('IEND', Buffer.alloc(0))];
  const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...chunks]);
  return new Blob([new Uint8Array(png)], { type: 'image/png' });
}

function colorAt(x: number, y: number): readonly number[] {
  const angle = Math.atan2(y - 130, x - 190);
  const radius = 42 + 7 * Math.sin(3 * angle) + 4 * Math.sin(7 * angle);
  if (Math.hypot(x - 190, y - 130) < radius) return STAIN;
  return x % 107 < 3 ? SEAM : CLOTH;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const all = Buffer.alloc(body.length + 8);
  all.writeUInt32BE(data.length);
  body.copy(all, 4);
  all.writeUInt32BE(crc32(body), body.length + 4);
  return all;
}
