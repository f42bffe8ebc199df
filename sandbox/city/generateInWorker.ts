import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { City, House } from './types.ts';
import type { CityChunk } from './worker.ts';

// Draws the city on a thread of its own: it takes a second, in which nobody else should have to wait. Nor should they for
// the whole of it to come over: it comes piece by piece.
export async function generateCityInWorker(): Promise<City> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url));
  // Nothing of it is worth keeping a process alive for.
  worker.unref();
  const houses: House[] = [];
  for (;;) {
    worker.postMessage('more');
    const [piece] = (await once(worker, 'message')) as [CityChunk];
    if ('rest' in piece) {
      worker.postMessage('more');
      return { ...piece.rest, houses };
    }
    houses.push(...piece.houses);
    await setImmediate();
  }
}
