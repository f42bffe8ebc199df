import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { City } from './types.ts';

// Draws the city on a thread of its own: it takes a second, in which nobody else should have to wait.
export async function drawCityAside(): Promise<City> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url));
  // Nothing of it is worth keeping a process alive for.
  worker.unref();
  const [city] = (await once(worker, 'message')) as [City];
  return city;
}
