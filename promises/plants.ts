import { AT_THE_DOOR } from './plants/door.ts';
import type { Plant } from './plants/plant.ts';
import { AT_WORK } from './plants/work.ts';

/** The bugs that npm run planted plants; at least two a promise. */
export const PLANTS: readonly Plant[] = [...AT_WORK, ...AT_THE_DOOR];
