import type { Position } from './types.ts';

/** Metres east and north of the city's centre. Over ten kilometres a flat earth is accurate enough. */
export type Point = { x: number; y: number };

const CENTRE = { latitude: 24, longitude: 67 }; // spec 9: the picker's default centre

const METRES_PER_DEGREE = (Math.PI / 180) * 6371008.8;
const LONGITUDE_SCALE = Math.cos((CENTRE.latitude * Math.PI) / 180);

export function toPosition({ x, y }: Point): Position {
  return [
    round6(CENTRE.longitude + x / (METRES_PER_DEGREE * LONGITUDE_SCALE)),
    round6(CENTRE.latitude + y / METRES_PER_DEGREE),
  ];
}

export function toPoint([longitude, latitude]: Position): Point {
  return {
    x: (longitude - CENTRE.longitude) * METRES_PER_DEGREE * LONGITUDE_SCALE,
    y: (latitude - CENTRE.latitude) * METRES_PER_DEGREE,
  };
}

function round6(degrees: number): number {
  return Math.round(degrees * 1e6) / 1e6;
}

export function distanceBetween(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

export function movePoint(from: Point, angle: number, metres: number): Point {
  return { x: from.x + Math.cos(angle) * metres, y: from.y + Math.sin(angle) * metres };
}

export function interpolate(a: Point, b: Point, share: number): Point {
  return { x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share };
}

export function lengthOf(line: readonly Point[]): number {
  let sum = 0;
  for (let i = 1; i < line.length; i += 1) sum += distanceBetween(line[i - 1] as Point, line[i] as Point);
  return sum;
}

/** The point `metres` along the line and the direction there, clamped to the line's ends. */
export function pointAlong(line: readonly Point[], metres: number): { point: Point; angle: number } {
  let left = Math.max(0, metres);
  for (let i = 1; i < line.length; i += 1) {
    const a = line[i - 1] as Point;
    const b = line[i] as Point;
    const span = distanceBetween(a, b);
    if (left <= span || i === line.length - 1) {
      const share = span === 0 ? 0 : Math.min(1, left / span);
      return { point: interpolate(a, b, share), angle: Math.atan2(b.y - a.y, b.x - a.x) };
    }
    left -= span;
  }
  return { point: line[0] as Point, angle: 0 };
}

/** The part of the line between two distances along it. */
export function sliceLine(line: readonly Point[], from: number, to: number): Point[] {
  const piece = [pointAlong(line, from).point];
  let at = 0;
  for (let i = 1; i < line.length; i += 1) {
    at += distanceBetween(line[i - 1] as Point, line[i] as Point);
    if (at > from + 0.01 && at < to - 0.01) piece.push(line[i] as Point);
  }
  piece.push(pointAlong(line, to).point);
  return piece;
}

export function nearestOnSegment(p: Point, a: Point, b: Point): { point: Point; metres: number; share: number } {
  const dx = b.x - a.x;
  const dy = b.y - a.y;
  const square = dx * dx + dy * dy;
  const share = square === 0 ? 0 : Math.max(0, Math.min(1, ((p.x - a.x) * dx + (p.y - a.y) * dy) / square));
  const point = interpolate(a, b, share);
  return { point, metres: distanceBetween(p, point), share };
}

export function isInside(p: Point, ring: readonly Point[]): boolean {
  let inside = false;
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i, i += 1) {
    const a = ring[i] as Point;
    const b = ring[j] as Point;
    if (a.y > p.y !== b.y > p.y && p.x < ((b.x - a.x) * (p.y - a.y)) / (b.y - a.y) + a.x) inside = !inside;
  }
  return inside;
}

/** Positive when the ring runs counter-clockwise. */
export function signedAreaOf(ring: readonly Point[]): number {
  let sum = 0;
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i, i += 1) {
    const a = ring[j] as Point;
    const b = ring[i] as Point;
    sum += a.x * b.y - b.x * a.y;
  }
  return sum / 2;
}

export function centroidOf(ring: readonly Point[]): Point {
  const area = signedAreaOf(ring);
  if (Math.abs(area) < 1) return ring[0] as Point;
  let x = 0;
  let y = 0;
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i, i += 1) {
    const a = ring[j] as Point;
    const b = ring[i] as Point;
    const cross = a.x * b.y - b.x * a.y;
    x += (a.x + b.x) * cross;
    y += (a.y + b.y) * cross;
  }
  return { x: x / (6 * area), y: y / (6 * area) };
}

/** Douglas-Peucker: drops points within `slack` metres of the simplified line. */
export function simplify(line: readonly Point[], slack: number): Point[] {
  if (line.length < 3) return [...line];
  const first = line[0] as Point;
  const last = line[line.length - 1] as Point;
  let worst = 0;
  let split = 0;
  for (let i = 1; i < line.length - 1; i += 1) {
    const { metres } = nearestOnSegment(line[i] as Point, first, last);
    if (metres > worst) {
      worst = metres;
      split = i;
    }
  }
  if (worst <= slack) return [first, last];
  return [...simplify(line.slice(0, split + 1), slack).slice(0, -1), ...simplify(line.slice(split), slack)];
}

/** Chaikin's corner cutting; the ends do not move. */
export function smooth(line: readonly Point[], rounds: number): Point[] {
  let current = [...line];
  for (let round = 0; round < rounds; round += 1) {
    const next = [current[0] as Point];
    for (let i = 1; i < current.length; i += 1) {
      const a = current[i - 1] as Point;
      const b = current[i] as Point;
      next.push(interpolate(a, b, 0.25), interpolate(a, b, 0.75));
    }
    next.push(current[current.length - 1] as Point);
    current = next;
  }
  return current;
}
