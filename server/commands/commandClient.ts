import { request } from 'node:http';
import { userInfo } from 'node:os';
import { text } from 'node:stream/consumers';
import { CallFailed, Unreachable } from '../../contract/callClient.ts';
import { createOperatorClient, type OperatorClient } from '../../contract/operator/client.ts';
import { readConfig } from '../config/config.ts';
import { API_BASE } from '../http/routes.ts';
import { AS_HEADER, USER_HEADER } from '../operator/commandLine.ts';
import { COMMANDS_PATH, type CommandRequest, createCommandApp } from './commandApp.ts';
import { openCommandContext } from './commandContext.ts';
import { CommandError, errorMessageOf } from './commandError.ts';
import { commandSocketOf, isAnswered } from './commandSocket.ts';
import type { PayoutResult } from './payoutCommand.ts';

/** The command line's way to the server that runs, or to the database when none does. */
export type CommandClient = {
  /** The calls of the console. */
  readonly api: OperatorClient;
  /** Runs a command that is no call. */
  readonly run: (command: CommandRequest) => Promise<PayoutResult>;
  readonly close: () => Promise<void>;
};

type Send = (path: string, init: RequestInit) => Promise<Response>;

export async function openCommandClient(
  env: Record<string, string | undefined>,
  as: string | undefined,
): Promise<CommandClient> {
  const socketPath = commandSocketOf(readConfig(env).dataDir);
  if (await isAnswered(socketPath)) return createClient(sendOverSocket(socketPath), as, async () => {});
  const { context, close } = await openCommandContext(env);
  const app = createCommandApp(context);
  const closeAll = () => app.close().finally(close);
  const send: Send = async (path, { method, headers, body }) => {
    const options = { url: path, method: method as 'GET', headers: headers as Record<string, string> };
    const answer = await app.inject({ ...options, ...(typeof body === 'string' ? { payload: body } : {}) });
    return toResponse(answer.statusCode, answer.payload);
  };
  return createClient(send, as, closeAll);
}

function createClient(send: Send, as: string | undefined, close: () => Promise<void>): CommandClient {
  const sendAs: Send = (path, init) => {
    const who = { [USER_HEADER]: userInfo().username, ...(as === undefined ? {} : { [AS_HEADER]: as }) };
    const encoded = Object.fromEntries(Object.entries(who).map(([name, value]) => [name, encodeURIComponent(value)]));
    return send(path, { ...init, headers: { ...(init.headers as Record<string, string>), ...encoded } });
  };
  const options = { host: API_BASE, token: () => undefined, send: sendAs as typeof fetch };
  return {
    api: createOperatorClient(options),
    run: async (command) => {
      const headers = { 'content-type': 'application/json' };
      const answer = await sendAs(COMMANDS_PATH, { method: 'POST', headers, body: JSON.stringify(command) });
      const body = (await answer.json()) as PayoutResult & { message?: string };
      if (!answer.ok) throw new CommandError(body.message ?? `the server answered ${answer.status}`);
      return body;
    },
    close,
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

/** What to print for an error: of a call of the console, all its problems. */
export function toCommandError(error: unknown): unknown {
  if (error instanceof Unreachable)
    return new CommandError(`the server did not answer: ${errorMessageOf(error.cause)}`);
  if (!(error instanceof CallFailed)) return error;
  const problems = error.validationErrors.flatMap(({ property, constraints }) =>
    Object.values(constraints).map((problem) => `${problem} (${property})`),
  );
  return new CommandError(problems.join('; ') || error.message);
}
