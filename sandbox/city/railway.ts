import { type Point, smooth } from './geometry.ts';
import { type Random, randomBetween } from './random.ts';

type RailwayLine = { name: string; line: Point[]; stops: { name: string; near: Point }[] };

/** One line through the town: from the north-west, past the old town, across the river, out to the east. */
export function generateRailway(random: Random): RailwayLine {
  const shift = (x: number, y: number): Point => ({
    x: x + randomBetween(random, -90, 90),
    y: y + randomBetween(random, -90, 90),
  });
  // biome-ignore format: pairs of numbers
  const knots = [
    shift(-30000, 17000), shift(-9500, 5200), shift(-5600, 3500), shift(-3300, 2600), shift(-1500, 1900), shift(200, 1330), shift(1500, 900),
    shift(2500, 150), shift(3600, -700), shift(5200, -1300), shift(9500, -1500), shift(30000, 1500),
  ];
  return {
    name: 'Lather Coast Line',
    line: smooth(knots, 5),
    stops: [
      { name: 'Soapwick North Station', near: shift(-2400, 2250) },
      { name: 'Soapwick Central Station', near: shift(300, 1300) },
      { name: 'Soapwick East Station', near: shift(2900, -150) },
    ],
  };
}
