import type { Plant } from './plant.ts';

/** Bugs at the door: limits, guesses, requests that nobody meant, foreign code. */
export const AT_THE_DOOR: readonly Plant[] = [];
