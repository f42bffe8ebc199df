import { parentPort } from 'node:worker_threads';
import { generateCity } from '../city.ts';
import type { City, House } from './types.ts';

/** A part of the generated city: some of its houses, and finally everything else. */
export type CityChunk = { readonly houses: House[] } | { readonly rest: Omit<City, 'houses'> };

const HOUSES_PER_CHUNK = 2_000;

function* splitCity({ houses, ...rest }: City): Generator<CityChunk> {
  for (let from = 0; from < houses.length; from += HOUSES_PER_CHUNK) {
    yield { houses: houses.slice(from, from + HOUSES_PER_CHUNK) };
  }
  yield { rest };
}

const port = parentPort;
const chunks = splitCity(generateCity());
port?.on('message', () => {
  const { value, done } = chunks.next();
  if (done) port.close();
  else port.postMessage(value);
});
