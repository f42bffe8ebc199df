import { API, type CallName } from '../../contract/api.ts';
import { type Call, isReadOnly } from '../../contract/call.ts';
import { CallFailed, createCalls } from '../../contract/callClient.ts';
import type { Client } from '../../contract/client.ts';
import { OPERATOR_API, type OperatorCallName } from '../../contract/operator/api.ts';
import type { OperatorClient } from '../../contract/operator/client.ts';
import type { Recorder } from './recorder.ts';

type Input = { readonly idempotencyKey?: string } | undefined;
type Calls = Record<string, (input?: never) => Promise<unknown>>;

const failureOf = ({ statusCode, code, message, validationErrors, retryAfter }: CallFailed) => ({
  ...{ status: statusCode, code, message },
  ...(validationErrors.length > 0 ? { validationErrors } : {}),
  ...(retryAfter === undefined ? {} : { retryAfter }),
});

/** A client that records each call of `who`. */
function recordCalls(calls: Calls, who: string, isRead: (name: string) => boolean, recorder: Recorder): Calls {
  const record = (name: string) => {
    const note = isRead(name) ? recorder.noteRead : recorder.noteCall;
    return async (input?: Input) => {
      const { idempotencyKey, ...said } = input ?? {};
      try {
        const answer = await calls[name]?.(input as never);
        note(who, name, said, { status: 200, answer });
        return answer;
      } catch (error) {
        if (error instanceof CallFailed) note(who, name, said, failureOf(error));
        if (!(error instanceof CallFailed) || error.statusCode >= 500) recorder.noteTrouble(`${name}: ${error}`);
        throw error;
      }
    };
  };
  return Object.fromEntries(Object.keys(calls).map((name) => [name, record(name)]));
}

type Asker = { readonly host: string; readonly who: string; readonly token: string };

export const recordedClient = (recorder: Recorder, { host, who, token }: Asker): Client =>
  recordCalls(
    createCalls(API, { host, token: () => token }) as Calls,
    who,
    (name) => isReadOnly(API[name as CallName] as Call),
    recorder,
  ) as unknown as Client;

export const recordedOperator = (recorder: Recorder, { host, who, token }: Asker): OperatorClient =>
  recordCalls(
    createCalls(OPERATOR_API, { host, token: () => token }) as Calls,
    who,
    (name) => OPERATOR_API[name as OperatorCallName].method === 'GET',
    recorder,
  ) as unknown as OperatorClient;
