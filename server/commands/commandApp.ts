import Fastify, { type FastifyInstance } from 'fastify';
import { z } from 'zod';
import { handleError } from '../http/errors.ts';
import { readCommandUser, serveCommandLine } from '../operator/commandLine.ts';
import { runForCommandLine } from '../operator/commandLineUser.ts';
import type { ConsoleContext } from '../operatorContext.ts';
import { OTHER_COMMANDS } from './command.ts';
import { CommandError, describeError } from './commandError.ts';
import { COMMANDS_PATH } from './commandSocketPath.ts';
import { runOperatorCommand } from './operatorCommands.ts';

const texts = z.array(z.string()).max(100);
const CommandRequest = z.strictObject({
  name: z.enum(OTHER_COMMANDS),
  words: texts,
});
export type CommandRequest = z.output<typeof CommandRequest>;

/**
 * The server of the command line: console calls, authenticated by an e-mail address only, and the commands that are not calls.
 * Never expose it on the network: it listens on a socket that only the server's user can open, or runs in the command's own
 * process.
 */
export function createCommandApp(context: ConsoleContext): FastifyInstance {
  const app = Fastify({ exposeHeadRoutes: false, forceCloseConnections: true });
  app.setErrorHandler(async (error, request, reply) => {
    if (error instanceof CommandError) return reply.code(422).send({ message: error.message });
    // The user of the command may read internal errors.
    context.log.error({ err: error }, 'a command failed');
    return handleError(error, request, reply);
  });
  serveCommandLine(app, context);
  app.post(COMMANDS_PATH, async (request) => {
    const { name, words } = CommandRequest.parse(request.body);
    const { user } = readCommandUser(request);
    return runForCommandLine(user, async () => runOperatorCommand({ ...context, user }, name, words)).catch(
      (error: unknown) => {
        throw error instanceof CommandError ? error : new CommandError(describeError(error));
      },
    );
  });
  return app;
}
