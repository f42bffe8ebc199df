import { distanceBetween, lengthOf, nearestOnSegment, type Point, sliceLine } from '../city/geometry.ts';
import { createGridIndex } from '../city/gridIndex.ts';
import { createCornerQueue } from './cornerQueue.ts';
import { type StreetEdge, type StreetGraph, TOP_SPEED } from './streetGraph.ts';

/** A place on a street: `at` metres along an edge, `metres` away from the point that was searched for. */
export type Snap = { edge: number; street: number; at: number; point: Point; metres: number };
export type Route = { points: Point[]; metres: number; seconds: number };
export type Router = {
  // The nearest place on a street within `metres`.
  snap: (p: Point, metres: number) => Snap | undefined;
  // The fastest way, if there is one.
  findRoute: (from: Snap, to: Snap) => Route | undefined;
};

export function createRouter(graph: StreetGraph): Router {
  return { snap: createSnap(graph), findRoute: (from, to) => findRoute(graph, from, to) };
}

function createSnap({ edges }: StreetGraph): Router['snap'] {
  const segments = createGridIndex<{ edge: number; a: Point; b: Point; from: number }>(100);
  edges.forEach(({ points }, edge) => {
    let from = 0;
    for (let i = 1; i < points.length; i += 1) {
      const [a, b] = [points[i - 1] as Point, points[i] as Point];
      segments.addBox(a, b, { edge, a, b, from });
      from += distanceBetween(a, b);
    }
  });
  const streetOf = (edge: number) => (edges[edge] as StreetEdge).street;
  return (p, limit) => {
    let best: Snap | undefined;
    for (let reach = Math.min(60, limit); !best; reach = Math.min(4 * reach, limit)) {
      segments.someNear(p, reach, ({ edge, a, b, from }) => {
        const { point, metres, share } = nearestOnSegment(p, a, b);
        if (metres <= reach && metres < (best?.metres ?? Number.POSITIVE_INFINITY))
          best = { edge, street: streetOf(edge), at: from + share * distanceBetween(a, b), point, metres };
        return false;
      });
      if (reach >= limit) break;
    }
    return best;
  };
}

// How the search came to a corner.
type Step = { seconds: number; edge: number; before: number };

// A*: the straight line at top speed never takes longer than the streets.
function findRoute(graph: StreetGraph, from: Snap, to: Snap): Route | undefined {
  const { corners, edges, edgesAt } = graph;
  const [first, last] = [edges[from.edge] as StreetEdge, edges[to.edge] as StreetEdge];
  const steps = new Map<number, Step>();
  const queue = createCornerQueue();
  const reach = (corner: number, step: Step) => {
    if (step.seconds >= (steps.get(corner)?.seconds ?? Number.POSITIVE_INFINITY)) return;
    steps.set(corner, step);
    queue.push(corner, step.seconds + distanceBetween(corners[corner] as Point, to.point) / TOP_SPEED);
  };
  const secondsOn = (edge: StreetEdge, metres: number) => (edge.seconds * metres) / edge.metres;
  const direct = from.edge === to.edge ? secondsOn(first, Math.abs(to.at - from.at)) : Number.POSITIVE_INFINITY;
  let best = { seconds: direct, corner: -1 };
  reach(first.from, { seconds: secondsOn(first, from.at), edge: from.edge, before: -1 });
  reach(first.to, { seconds: secondsOn(first, first.metres - from.at), edge: from.edge, before: -1 });
  for (let next = queue.pop(); next && next.cost < best.seconds; next = queue.pop()) {
    const { corner } = next;
    const { seconds } = steps.get(corner) as Step;
    for (const [end, metres] of [
      [last.from, to.at],
      [last.to, last.metres - to.at],
    ] as const) {
      const total = seconds + secondsOn(last, metres);
      if (corner === end && total < best.seconds) best = { seconds: total, corner };
    }
    for (const index of edgesAt[corner] as number[]) {
      const edge = edges[index] as StreetEdge;
      const other = edge.from === corner ? edge.to : edge.from;
      reach(other, { seconds: seconds + edge.seconds, edge: index, before: corner });
    }
  }
  if (best.seconds === Number.POSITIVE_INFINITY) return undefined;
  const points = best.corner === -1 ? pieceOf(first, from.at, to.at) : tracePoints(graph, steps, best.corner, from, to);
  return { points, metres: lengthOf(points), seconds: best.seconds };
}

// Part of an edge, in either direction.
function pieceOf({ points }: StreetEdge, from: number, to: number): Point[] {
  return from <= to ? sliceLine(points, from, to) : sliceLine(points, to, from).reverse();
}

function tracePoints({ edges }: StreetGraph, steps: Map<number, Step>, end: number, from: Snap, to: Snap): Point[] {
  const last = edges[to.edge] as StreetEdge;
  // A street that begins and ends at one corner is left at the nearer of its two ends.
  const isFromStart = last.from === end && (last.to !== end || to.at <= last.metres / 2);
  const pieces = [pieceOf(last, isFromStart ? 0 : last.metres, to.at)];
  let corner = end;
  for (let step = steps.get(corner) as Step; ; step = steps.get(corner) as Step) {
    const edge = edges[step.edge] as StreetEdge;
    if (step.before === -1) {
      const isToStart = edge.from === corner && (edge.to !== corner || from.at <= edge.metres / 2);
      pieces.push(pieceOf(edge, from.at, isToStart ? 0 : edge.metres));
      break;
    }
    pieces.push(step.before === edge.from ? edge.points : [...edge.points].reverse());
    corner = step.before;
  }
  const points = pieces.reverse().flat();
  return points.filter((p, i) => i === 0 || distanceBetween(p, points[i - 1] as Point) > 0.01);
}
