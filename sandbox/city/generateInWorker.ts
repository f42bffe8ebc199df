import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { City, House } from './types.ts';
import type { CityChunk } from './worker.ts';

/**
 * Generates the city in a worker thread: it takes a second, which must not block the event loop. The result arrives
 * in pieces, because receiving it at once would block too.
 */
export async function generateCityInWorker(): Promise<City> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url));
  // It does not keep the process alive.
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
