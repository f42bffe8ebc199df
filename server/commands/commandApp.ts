import Fastify, { type FastifyInstance } from 'fastify';
import { z } from 'zod';
import { handleError } from '../http/errors.ts';
import { readCommandUser, serveCommandLine } from '../operator/commandLine.ts';
import { runForCommandLine } from '../operator/commandLineUser.ts';
import type { ConsoleParts } from '../operator/operatorTools.ts';
import { CommandError, describeError } from './commandError.ts';
import { COMMANDS_PATH } from './commandSocketPath.ts';
import { runOperatorCommand } from './operatorCommands.ts';

const texts = z.array(z.string()).max(100);
const CommandRequest = z.strictObject({
  name: z.string(),
  words: texts,
  flags: z.record(z.string(), z.string()),
  rest: texts,
});
export type CommandRequest = z.output<typeof CommandRequest>;

/**
 * What answers the command line: the calls of the console, for which an e-mail address is enough to say who acts, and
 * the commands that are no calls. Never reachable over the network: it is for a socket that only the user of the server can
 * open, or runs in the command's own process.
 */
export function createCommandApp(context: ConsoleParts): FastifyInstance {
  const app = Fastify({ exposeHeadRoutes: false, forceCloseConnections: true });
  app.setErrorHandler(async (error, request, reply) => {
    if (error instanceof CommandError) return reply.code(422).send({ message: error.message });
    // The person who typed the command may read what went wrong.
    context.log.error({ err: error }, 'a command failed');
    return handleError(error, request, reply);
  });
  serveCommandLine(app, context);
  app.post(COMMANDS_PATH, async (request) => {
    const { name, ...args } = CommandRequest.parse(request.body);
    const who = readCommandUser(request);
    return runForCommandLine(who.user, () => runOperatorCommand({ ...context, ...who }, name, args)).catch(
      (error: unknown) => {
        throw error instanceof CommandError ? error : new CommandError(describeError(error));
      },
    );
  });
  return app;
}
