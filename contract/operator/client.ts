import type { Answer } from '../call.ts';
import { type CallOptions, type ClientOptions, createCalls } from '../callClient.ts';
import type { OperatorApi, OperatorCallName } from './api.ts';
import { OPERATOR_API } from './api.ts';
import type { OperatorCall, OperatorClientInput } from './call.ts';

type Arguments<C extends OperatorCall> =
  Partial<OperatorClientInput<C>> extends OperatorClientInput<C>
    ? [input?: OperatorClientInput<C>, options?: CallOptions]
    : [input: OperatorClientInput<C>, options?: CallOptions];

export type OperatorClient = {
  [N in OperatorCallName]: (...args: Arguments<OperatorApi[N]>) => Promise<Answer<OperatorApi[N]>>;
};

/** The typed client of the console. */
export function createOperatorClient(options: ClientOptions): OperatorClient {
  return createCalls(OPERATOR_API, options) as unknown as OperatorClient;
}
