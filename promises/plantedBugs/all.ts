import { BUSINESS_BUGS } from './business.ts';
import { HTTP_BUGS } from './http.ts';
import type { PlantedBug } from './plantedBug.ts';

/** The bugs that `npm run planted` plants, at least two per promise. */
export const PLANTED_BUGS: readonly PlantedBug[] = [...BUSINESS_BUGS, ...HTTP_BUGS];
