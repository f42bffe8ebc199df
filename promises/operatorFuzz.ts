import { OPERATOR_API, type OperatorCallName } from '../contract/operator/api.ts';
import type { OperatorCall } from '../contract/operator/call.ts';
import { generateBody, generatePath, type Request } from './fuzz.ts';
import type { FuzzOptions } from './fuzzValues.ts';

/** The calls that end the operator who sends the requests, or wait until a code is right. */
const NOT_SENT: readonly OperatorCallName[] = ['operatorSignOut', 'endOperator', 'changeRights', 'resetFactor'];

/** Every call of the console that requests are generated for. */
export const FUZZED_CALLS = (Object.entries(OPERATOR_API) as [OperatorCallName, OperatorCall][]).filter(
  ([name]) => !NOT_SENT.includes(name),
);

/** A request to a call of the console, with this token. */
export function generateOperatorRequest(options: FuzzOptions, call: OperatorCall, token: string): Request {
  const headers: Record<string, string> = { authorization: `Bearer ${token}` };
  const body = call.method === 'GET' ? undefined : generateBody(options, call, headers);
  return { method: call.method, path: `/api${generatePath(options, call)}`, headers, body };
}
