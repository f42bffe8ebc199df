import { interpolate, type Line, locateOnLine, restOfLine } from '../../domain/mapLines.ts';
import type { Point } from '../../domain/places.ts';

/** A position this near to a line is on it: positions are rounded to 11 m, and streets are wide. */
const ON_LINE_M = 80;

/** The place on a line that belongs to a position, as metres along it; undefined when the position is not on the line. */
function placeOnLine(line: Line, point: Point): number | undefined {
  const { along, away } = locateOnLine(line, point);
  return away <= ON_LINE_M ? along : undefined;
}

/** Whether a position is on a line. */
export const isOnLine = (line: Line, point: Point) => placeOnLine(line, point) !== undefined;

/** Where a position is drawn, and what of the line is left from there. A position beside the line is drawn as it is. */
export function drawOnLine(line: Line | undefined, point: Point): { readonly at: Point; readonly rest: Line } {
  const along = line && placeOnLine(line, point);
  if (!line || along === undefined) return { at: point, rest: [] };
  const rest = restOfLine(line, along);
  return { at: rest[0] as Point, rest };
}

/**
 * The way of the driver's pin from one position to the next, by its share from 0 to 1: along the line where both are on it,
 * in order, otherwise straight.
 */
export function glideBetween(line: Line | undefined, from: Point, to: Point): (share: number) => Point {
  const [start, end] = line ? [placeOnLine(line, from), placeOnLine(line, to)] : [];
  const isForward = start !== undefined && end !== undefined && start <= end;
  if (!line || !isForward) return (share) => interpolate(from, to, share);
  return (share) => restOfLine(line, start + (end - start) * share)[0] as Point;
}
