import { z } from 'zod';

// The speed of a living demo. Its path exists only on a machine that plays one.

/** How many times faster than usual the demo's neighbours act. */
export const DEMO_PACES = [1, 3, 10] as const;
export type DemoPace = (typeof DEMO_PACES)[number];

export const DEMO_PACE_PATH = '/sandbox/demo/pace';
export const DemoPaceBody = z.object({ pace: z.literal(DEMO_PACES) });
