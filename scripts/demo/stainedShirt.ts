import { encodePng } from '../../sandbox/png.ts';

const [WIDTH, HEIGHT] = [320, 240];
const [CLOTH, SEAM, STAIN] = [
  [122, 168, 205],
  [88, 130, 168],
  [112, 62, 34],
] as const;

/** The photo of a claim in the demo: blue cloth with a stain. */
export function drawStainedShirt(): Blob {
  const columns = Array.from({ length: WIDTH }, (_, x) => x);
  const rows = Array.from({ length: HEIGHT }, (_, y) => Buffer.from([0, ...columns.flatMap((x) => colorAt(x, y))]));
  return new Blob([new Uint8Array(encodePng(WIDTH, HEIGHT, rows))], { type: 'image/png' });
}

function colorAt(x: number, y: number): readonly number[] {
  const angle = Math.atan2(y - 130, x - 190);
  const radius = 42 + 7 * Math.sin(3 * angle) + 4 * Math.sin(7 * angle);
  if (Math.hypot(x - 190, y - 130) < radius) return STAIN;
  return x % 107 < 3 ? SEAM : CLOTH;
}
