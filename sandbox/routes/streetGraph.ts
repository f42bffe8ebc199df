import type { StreetLine } from '../city/avenues.ts';
import { type Crossing, findCrossings, indexSegments } from '../city/crossings.ts';
import { distanceBetween, lengthOf, nearestOnSegment, type Point, sliceLine, toPoint } from '../city/geometry.ts';
import { createGridIndex } from '../city/gridIndex.ts';
import type { City, StreetKind } from '../city/types.ts';

/** A piece of a street between two corners. It can be driven both ways. */
export type StreetEdge = {
  from: number;
  to: number;
  points: Point[];
  metres: number;
  seconds: number;
  street: number;
};

export type StreetGraph = {
  corners: Point[];
  edges: StreetEdge[];
  // The edges at each corner, by their index.
  edgesAt: number[][];
};

// In metres per second, with the stops at corners in them.
const SPEEDS: Record<StreetKind, number> = { road: 15, avenue: 10, street: 6.5 };
export const TOP_SPEED = Math.max(...Object.values(SPEEDS));

// Corners that are closer than this are one: positions are rounded, and a street overshoots the one it meets.
const SAME_CORNER_METRES = 2.5;

type Stop = { at: number; point: Point };

/** The streets of a city as corners and the pieces between them. */
export function createStreetGraph(city: Pick<City, 'streets'>): StreetGraph {
  const lines = city.streets.map(({ kind, line }): StreetLine => ({ kind, points: line.map(toPoint) }));
  const graph: StreetGraph = { corners: [], edges: [], edgesAt: [] };
  const cornerAt = createCornerLookup(graph);
  findStops(lines).forEach((stops, street) => {
    const { kind, points } = lines[street] as StreetLine;
    for (let i = 1; i < stops.length; i += 1) {
      const [a, b] = [stops[i - 1] as Stop, stops[i] as Stop];
      const [from, to] = [cornerAt(a.point), cornerAt(b.point)];
      const piece = sliceLine(points, a.at, b.at);
      if (from === to && lengthOf(piece) < 4 * SAME_CORNER_METRES) continue;
      // The pieces that meet at a corner end at exactly the same point.
      piece[0] = graph.corners[from] as Point;
      piece[piece.length - 1] = graph.corners[to] as Point;
      const metres = lengthOf(piece);
      addEdge(graph, { from, to, points: piece, metres, seconds: metres / SPEEDS[kind], street });
    }
  });
  return graph;
}

function addEdge(graph: StreetGraph, edge: StreetEdge): void {
  const index = graph.edges.push(edge) - 1;
  graph.edgesAt[edge.from]?.push(index);
  if (edge.to !== edge.from) graph.edgesAt[edge.to]?.push(index);
}

function createCornerLookup(graph: StreetGraph): (p: Point) => number {
  const known = createGridIndex<number>(20);
  return (p) => {
    let nearest: number | undefined;
    known.someNear(p, SAME_CORNER_METRES, (corner) => {
      const isSame = distanceBetween(graph.corners[corner] as Point, p) < SAME_CORNER_METRES;
      if (isSame) nearest = corner;
      return isSame;
    });
    if (nearest !== undefined) return nearest;
    const corner = graph.corners.push(p) - 1;
    graph.edgesAt.push([]);
    known.add(p, corner);
    return corner;
  };
}

// Where each line has corners, in order along it: its ends, its intersections, and the ends of lines that meet it.
function findStops(lines: StreetLine[]): Stop[][] {
  const stops: Stop[][] = findCrossings(lines).map((crossings) =>
    crossings.map(({ at, point }: Crossing) => ({ at, point })),
  );
  const segments = indexSegments(lines);
  lines.forEach(({ points }, line) => {
    const [first, last] = [points[0] as Point, points[points.length - 1] as Point];
    stops[line]?.push({ at: 0, point: first }, { at: lengthOf(points), point: last });
    for (const end of [first, last]) {
      segments.someNear(end, SAME_CORNER_METRES, (other) => {
        const { metres, share } = nearestOnSegment(end, other.a, other.b);
        const at = other.from + share * distanceBetween(other.a, other.b);
        if (other.line !== line && metres < SAME_CORNER_METRES) stops[other.line]?.push({ at, point: end });
        return false;
      });
    }
  });
  return stops.map((list) => list.sort((a, b) => a.at - b.at));
}
