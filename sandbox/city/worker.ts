import { parentPort } from 'node:worker_threads';
import { drawCity } from '../city.ts';

parentPort?.postMessage(drawCity());
