import { AT_WORK } from './business.ts';
import { AT_THE_DOOR } from './http.ts';
import type { Plant } from './plantedBug.ts';

/** The bugs that npm run planted plants; at least two a promise. */
export const PLANTS: readonly Plant[] = [...AT_WORK, ...AT_THE_DOOR];
