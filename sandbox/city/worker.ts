import { parentPort } from 'node:worker_threads';
import { drawCity } from '../city.ts';
import type { City, House } from './types.ts';

/** A part of a drawn city: some of its houses, and at last everything else. */
export type Piece = { readonly houses: House[] } | { readonly rest: Omit<City, 'houses'> };

const HOUSES_AT_ONCE = 2_000;

function* cut({ houses, ...rest }: City): Generator<Piece> {
  for (let from = 0; from < houses.length; from += HOUSES_AT_ONCE) {
    yield { houses: houses.slice(from, from + HOUSES_AT_ONCE) };
  }
  yield { rest };
}

const port = parentPort;
const pieces = cut(drawCity());
port?.on('message', () => {
  const { value, done } = pieces.next();
  if (done) port.close();
  else port.postMessage(value);
});
