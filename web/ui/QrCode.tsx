import { generate } from 'lean-qr';

const QUIET_ZONE = 4;

/** Dark on light in both colour schemes: scanners expect it. */
export function QrCode({ text }: { text: string }) {
  const code = generate(text);
  const squares = Array.from({ length: code.size ** 2 }, (_, index) => [
    index % code.size,
    Math.floor(index / code.size),
  ]);
  const dark = squares.filter(([x = 0, y = 0]) => code.get(x, y));
  const side = code.size + 2 * QUIET_ZONE;
  return (
    <svg viewBox={`${-QUIET_ZONE} ${-QUIET_ZONE} ${side} ${side}`} aria-hidden="true" shapeRendering="crispEdges">
      <path d={dark.map(([x, y]) => `M${x} ${y}h1v1h-1z`).join('')} fill="#000" />
    </svg>
  );
}
