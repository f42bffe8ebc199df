import { request } from 'node:http';
import { userInfo } from 'node:os';
import { text } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';
import { CallFailed, Unreachable } from '../../contract/callClient.ts';
import type { OperatorClient } from '../../contract/operator/client.ts';
import { readConfig } from '../config/config.ts';
import { AS_HEADER, runForCommandLine, USER_HEADER } from '../operator/commandLineUser.ts';
import { toKebab } from './callCommand.ts';
import type { CommandResult } from './command.ts';
import type { CommandRequest } from './commandApp.ts';
import { CommandError, errorMessageOf } from './commandError.ts';
import { COMMANDS_PATH, commandSocketOf, isAnswered } from './commandSocketPath.ts';

/** The command line's connection to the running server, or to the database when none runs. */
export type CommandClient = {
  /** The calls of the console. */
  readonly api: () => Promise<OperatorClient>;
  /** Runs a command that is no call. */
  readonly run: (command: CommandRequest) => Promise<CommandResult>;
  readonly close: () => Promise<void>;
};

type Send = (path: string, init: RequestInit) => Promise<Response>;

export async function openCommandClient(
  env: Record<string, string | undefined>,
  as: string | undefined,
): Promise<CommandClient> {
  const socketPath = commandSocketOf(readConfig(env).dataDir);
  return (await isAnswered(socketPath)) ? createSocketClient(socketPath, as) : openDatabaseClient(env, as);
}

const API_BASE = '/api';

async function createApi(send: Send, as: string | undefined): Promise<OperatorClient> {
  const { createOperatorClient } = await import('../../contract/operator/client.ts');
  return createOperatorClient({ host: API_BASE, token: () => undefined, send: sendAs(send, as) as typeof fetch });
}

/** Sends who acts, and who typed the command. */
const sendAs =
  (send: Send, as: string | undefined): Send =>
  (path, init) => {
    const who = { [USER_HEADER]: userInfo().username, ...(as === undefined ? {} : { [AS_HEADER]: as }) };
    const encoded = Object.fromEntries(Object.entries(who).map(([name, value]) => [name, encodeURIComponent(value)]));
    return send(path, { ...init, headers: { ...(init.headers as Record<string, string>), ...encoded } });
  };

function createSocketClient(socketPath: string, as: string | undefined): CommandClient {
  const send = sendOverSocket(socketPath);
  return {
    api: () => createApi(send, as),
    run: async (command) => {
      const headers = { 'content-type': 'application/json' };
      const answer = await sendAs(send, as)(COMMANDS_PATH, { method: 'POST', headers, body: JSON.stringify(command) });
      const body = (await answer.json()) as CommandResult & { message?: string };
      if (!answer.ok) throw new CommandError(body.message ?? `the server answered ${answer.status}`);
      return body;
    },
    close: async () => {},
  };
}

/** The same in this process. Its parts are loaded when a command needs them, because loading takes longer than running. */
async function openDatabaseClient(
  env: Record<string, string | undefined>,
  as: string | undefined,
): Promise<CommandClient> {
  const { openCommandContext } = await import('./commandContext.ts');
  const { context, close } = await openCommandContext(env);
  let app: FastifyInstance | undefined;
  const send: Send = async (path, { method, headers, body }) => {
    app ??= (await import('./commandApp.ts')).createCommandApp(context);
    const options = { url: path, method: method as 'GET', headers: headers as Record<string, string> };
    const answer = await app.inject({ ...options, ...(typeof body === 'string' ? { payload: body } : {}) });
    return toResponse(answer.statusCode, answer.payload);
  };
  return {
    api: () => createApi(send, as),
    run: async ({ name, words }) => {
      const { runOperatorCommand } = await import('./operatorCommands.ts');
      const { username: user } = userInfo();
      return runForCommandLine(user, () => runOperatorCommand({ ...context, user }, name, words));
    },
    close: async () => {
      await app?.close();
      await close();
    },
  };
}

const sendOverSocket =
  (socketPath: string): Send =>
  (path, { method = 'GET', headers, body }) =>
    new Promise((resolve, reject) => {
      const options = { socketPath, path, method, headers: headers as Record<string, string> };
      const sent = request(options, (answer) => {
        text(answer).then((content) => resolve(toResponse(answer.statusCode ?? 500, content)), reject);
      });
      sent.once('error', reject);
      sent.end(body);
    });

const toResponse = (status: number, content: string) => new Response(status === 204 ? null : content, { status });

/** The problem with a field, named by its option. */
function nameField(problem: string, property: string): string {
  const option = `--${toKebab(property)}`;
  return problem.startsWith(`${property} `) ? `${option}${problem.slice(property.length)}` : `${problem} (${option})`;
}

/** The text to print for an error. For a console call it has all problems. */
export function toCommandError(error: unknown): unknown {
  if (error instanceof Unreachable)
    return new CommandError(`the server did not answer: ${errorMessageOf(error.cause)}`);
  if (!(error instanceof CallFailed)) return error;
  const problems = error.validationErrors.flatMap(({ property, constraints }) =>
    Object.values(constraints).map((problem) => nameField(problem, property)),
  );
  return new CommandError(problems.join('; ') || error.message);
}
