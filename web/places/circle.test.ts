import { expect, test } from 'vitest';
import { distanceInMeters } from '../../domain/places.ts';
import { circleAround } from './circle.ts';

test.each([0, 24, 59.3])('a circle has its radius in every direction at %d degrees north', (latitude) => {
  const center = { latitude, longitude: 67 };
  const [ring = []] = circleAround(center, 3_000).geometry.coordinates;
  for (const [lng, lat] of ring) {
    const meters = distanceInMeters(center, { latitude: lat, longitude: lng });
    expect(Math.abs(meters - 3_000)).toBeLessThan(5);
  }
  expect(ring.at(0)).toEqual(ring.at(-1)?.map((degrees) => expect.closeTo(degrees, 9)));
});
