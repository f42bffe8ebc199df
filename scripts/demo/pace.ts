import type { FastifyInstance } from 'fastify';
import { DEMO_PACE_PATH, DEMO_PACES, type DemoPace, DemoPaceBody } from '../../contract/demo.ts';
import { Refusal } from '../../server/http/refusals.ts';

export type PaceControl = {
  readonly pace: () => DemoPace;
  /** Serves the control that visitors of the demo have in their bar. */
  readonly register: (app: FastifyInstance) => void;
};

/** How fast the neighbours act, for everybody who looks at this demo. */
export function createPaceControl(): PaceControl {
  let pace: DemoPace = DEMO_PACES[0];
  return {
    pace: () => pace,
    register: (app) => {
      app.get(DEMO_PACE_PATH, async (_request, reply) => reply.header('cache-control', 'no-store').send({ pace }));
      app.put(DEMO_PACE_PATH, async ({ body }) => {
        const read = DemoPaceBody.safeParse(body);
        if (!read.success) throw new Refusal('invalid', { message: `pace must be one of ${DEMO_PACES.join(', ')}` });
        ({ pace } = read.data);
        return { pace };
      });
    },
  };
}
