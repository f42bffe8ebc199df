import type { FastifyInstance, FastifyRequest } from 'fastify';
import { refuse } from '../http/refusals.ts';
import { AS_HEADER, runForCommandLine, USER_HEADER } from './commandLineUser.ts';
import { findCommandOperator } from './commandOperator.ts';
import { ACTS, createOperatorHandlers } from './handlers.ts';
import type { ConsoleParts } from './operatorTools.ts';
import { hasRight } from './rights.ts';
import { serveOperatorApi } from './routes.ts';

const headerOf = (request: FastifyRequest, name: string): string | undefined => {
  const value = request.headers[name];
  return typeof value === 'string' && value !== '' ? decodeURIComponent(value) : undefined;
};

/** The operator that a command names, and the user who typed it. */
export const readCommandUser = (request: FastifyRequest): { as: string | undefined; user: string } => ({
  as: headerOf(request, AS_HEADER),
  user: headerOf(request, USER_HEADER) ?? 'unknown',
});

/** Serves the calls of the console to commands. Rights, limits and approvals are the same. */
export function serveCommandLine(app: FastifyInstance, context: ConsoleParts): void {
  serveOperatorApi(app, {
    ...{ reads: context, steps: context },
    createHandlers: (one) => createOperatorHandlers(one, context.files),
    acts: ACTS,
    authorize: async (call, request) => {
      const { as } = readCommandUser(request);
      if (as === undefined)
        refuse('unauthenticated', { message: 'Say who you are: --as <your e-mail as an operator>' });
      const operator = await findCommandOperator(context, as);
      if (!operator) refuse('unauthenticated', { message: `There is no operator with the e-mail ${as}` });
      if (!hasRight(operator.caps, call)) refuse('noRight');
      return operator;
    },
    around: (request, work) => runForCommandLine(readCommandUser(request).user, work),
  });
}
