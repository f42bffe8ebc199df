import { distanceBetween, movePoint, type Point, simplify } from './geometry.ts';
import { type Random, randomBetween } from './random.ts';

// The bay is in the south-west; the river comes from the north-east. `along` follows the shore, `inland` leads away from it.
const INLAND_ANGLE = (48 * Math.PI) / 180;
const SHORE_ANGLE = INLAND_ANGLE - Math.PI / 2;
const INLAND_COS = Math.cos(INLAND_ANGLE);
const INLAND_SIN = Math.sin(INLAND_ANGLE);
const COAST_HALF_LENGTH = 45000;

export type WaterMap = {
  // Metres to the nearest shore or river bank; negative in the water.
  clearance: (p: Point) => number;
  // The direction of the nearest shore or river bank.
  bankAngle: (p: Point) => number;
  bay: Point[];
  river: Point[];
  riverMiddle: Point[];
  // Lines at a distance from the water, for streets that follow it.
  shoreLine: (setback: number, from: number, to: number) => Point[];
  bankLine: (side: 1 | -1, setback: number, from: number, to: number) => Point[];
};

type WaterShape = {
  shoreAt: (along: number) => number;
  riverAt: (inland: number) => number;
  halfWidth: (inland: number) => number;
};

export function generateWater(random: Random): WaterMap {
  const shape = generateShape(random);
  const { shoreAt, riverAt, halfWidth } = shape;
  const toShore = (p: Point) => {
    const { along, inland } = toCoastFrame(p);
    return (inland - shoreAt(along)) / Math.hypot(1, slopeAt(shoreAt, along));
  };
  const toBank = (p: Point) => {
    const { along, inland } = toCoastFrame(p);
    if (inland < shoreAt(along) - 400) return Number.POSITIVE_INFINITY;
    return Math.abs(along - riverAt(inland)) / Math.hypot(1, slopeAt(riverAt, inland)) - halfWidth(inland);
  };
  return {
    clearance: (p) => Math.min(toShore(p), toBank(p)),
    bankAngle: (p) => {
      const { along, inland } = toCoastFrame(p);
      if (toShore(p) < toBank(p)) return SHORE_ANGLE + Math.atan(slopeAt(shoreAt, along));
      return INLAND_ANGLE - Math.atan(slopeAt(riverAt, inland));
    },
    ...traceOutlines(shape),
    shoreLine: (setback, from, to) => {
      const line: Point[] = [];
      for (let along = from; along <= to; along += 30) {
        const lean = Math.atan(slopeAt(shoreAt, along));
        line.push(movePoint(fromCoastFrame(along, shoreAt(along)), INLAND_ANGLE + lean, setback));
      }
      return line;
    },
    bankLine: (side, setback, from, to) => {
      const line: Point[] = [];
      for (let inland = from; inland <= to; inland += 30) {
        const lean = slopeAt(riverAt, inland);
        const reach = (halfWidth(inland) + setback) * Math.hypot(1, lean);
        line.push(fromCoastFrame(riverAt(inland) + side * reach, inland));
      }
      return line;
    },
  };
}

function generateShape(random: Random): WaterShape {
  const phases = [
    randomBetween(random, -0.4, 0.4),
    randomBetween(random, 0, 6),
    randomBetween(random, -0.3, 0.3),
    randomBetween(random, 0, 6),
  ];
  const [a, b, c, d] = phases as [number, number, number, number];
  return {
    shoreAt: (along) => {
      const reach = (along / 5200) ** 2;
      const waves = 210 * Math.sin(along / 1250 + a) + 70 * Math.sin(along / 430 + b) + 22 * Math.sin(along / 170 + d);
      // Near the town the coast curves around the bay; farther out it meanders.
      const capes = 1500 * Math.sin(along / 4300 + c) * (reach / (6 + reach));
      return -1750 - (1900 * reach) / (1 + 0.35 * reach) + waves + capes;
    },
    riverAt: (inland) => 640 + 420 * Math.sin(inland / 1050 + 2.4 + c) + 130 * Math.sin(inland / 480 + d),
    halfWidth: (inland) => 52 + 120 * Math.exp(-(inland + 1750) / 420) + 10 * Math.sin(inland / 300 + b),
  };
}

function traceOutlines({ shoreAt, riverAt, halfWidth }: WaterShape): Pick<WaterMap, 'bay' | 'river' | 'riverMiddle'> {
  const bay: Point[] = [];
  for (let along = -COAST_HALF_LENGTH; along <= COAST_HALF_LENGTH; along += Math.abs(along) <= 9000 ? 30 : 150) {
    bay.push(fromCoastFrame(along, shoreAt(along)));
  }
  bay.push(fromCoastFrame(COAST_HALF_LENGTH, -60000), fromCoastFrame(-COAST_HALF_LENGTH, -60000));
  const left: Point[] = [];
  const right: Point[] = [];
  const riverMiddle: Point[] = [];
  // It starts slightly inside the bay, so that there is no gap between the two shapes at the mouth.
  for (let inland = -2150; inland <= 30000; inland += inland < 7000 ? 30 : 120) {
    const reach = halfWidth(inland) * Math.hypot(1, slopeAt(riverAt, inland));
    left.push(fromCoastFrame(riverAt(inland) - reach, inland));
    right.push(fromCoastFrame(riverAt(inland) + reach, inland));
    riverMiddle.push(fromCoastFrame(riverAt(inland), inland));
  }
  return {
    bay: simplify(bay, 1.5),
    river: [...simplify(left, 1.5), ...simplify(right, 1.5).reverse()],
    riverMiddle: simplify(
      riverMiddle.filter((p) => distanceBetween(p, { x: 0, y: 0 }) < 6000),
      4,
    ).reverse(),
  };
}

function slopeAt(curve: (t: number) => number, t: number): number {
  return (curve(t + 1) - curve(t - 1)) / 2;
}

function toCoastFrame({ x, y }: Point): { along: number; inland: number } {
  return { along: x * INLAND_SIN - y * INLAND_COS, inland: x * INLAND_COS + y * INLAND_SIN };
}

function fromCoastFrame(along: number, inland: number): Point {
  return { x: along * INLAND_SIN + inland * INLAND_COS, y: -along * INLAND_COS + inland * INLAND_SIN };
}
