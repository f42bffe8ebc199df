import { randomUUID } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { expect } from 'vitest';
import { CallFailed } from '../contract/callClient.ts';
import { FAILURES } from '../contract/failures.ts';
import { OPERATOR_API, type OperatorCallName } from '../contract/operator/api.ts';
import type { OperatorCall } from '../contract/operator/call.ts';
import { createOperatorClient, type OperatorClient } from '../contract/operator/client.ts';
import { failuresOfOperatorCall } from '../contract/operator/failuresOf.ts';
import type { OperatorSession } from '../contract/operator/session.ts';
import { CODE_PERIOD_S, PERMISSIONS, type Permission } from '../domain/operators.ts';
import { writeSetting } from '../server/town/settings.sql.ts';
import { PASSWORD, type TestServer } from './testServer.ts';

export type TestOperator = {
  readonly session: OperatorSession;
  readonly email: string;
  readonly token: string;
  readonly api: OperatorClient;
  /** The code that the authenticator app shows now. */
  readonly currentCode: () => string;
  /** A code of the authenticator app that was not used yet. Moves the server's clock. */
  readonly nextCode: () => string;
};

/** The code of an authenticator app at a time. */
export const codeAt = (secret: string, at: Date): string =>
  new TOTP({ secret: Secret.fromBase32(secret), period: CODE_PERIOD_S }).generate({ timestamp: at.getTime() });

/** The token of a link that the server made. */
export const tokenOf = (link: string): string => new URLSearchParams(link.split('?')[1]).get('token') ?? '';

/** A client whose answers and failures are checked against the contract. */
export function operatorClient({ apiUrl }: Pick<TestServer, 'apiUrl'>, token?: string): OperatorClient {
  const client = createOperatorClient({ host: apiUrl, token: () => token });
  const check = (name: OperatorCallName) => {
    const send = client[name] as (...args: unknown[]) => Promise<unknown>;
    return async (...args: unknown[]) => {
      const answer = await send(...args).catch((error: unknown) => {
        if (error instanceof CallFailed) {
          const declared = failuresOfOperatorCall(OPERATOR_API[name]).map((failure) => FAILURES[failure][0] as number);
          expect(declared, `the failures of ${name}: ${error.message}`).toContain(error.statusCode);
        }
        throw error;
      });
      expectMatchesOperatorContract(name, answer);
      return answer;
    };
  };
  const names = Object.keys(OPERATOR_API) as OperatorCallName[];
  return Object.fromEntries(names.map((name) => [name, check(name)])) as unknown as OperatorClient;
}

/** Checks that an answer has exactly the properties of its schema. */
export function expectMatchesOperatorContract(name: OperatorCallName, answer: unknown): void {
  const { answer: shape }: OperatorCall = OPERATOR_API[name];
  const parsed = shape.safeParse(answer);
  expect(parsed.error?.issues, `the answer of ${name}`).toBeUndefined();
  expect(parsed.data, `the answer of ${name} has nothing extra`).toStrictEqual(answer);
}

/** Makes an operator with these rights as people do: with the link of an invitation, a password and a code. */
export async function createOperator(
  testServer: TestServer,
  {
    caps = PERMISSIONS,
    fullname = `Operator ${randomUUID()}`,
  }: { caps?: readonly Permission[]; fullname?: string } = {},
): Promise<TestOperator> {
  const email = `operator-${randomUUID()}@rubadub.test`;
  const link = await testServer.server.inviteOperator({ email, caps });
  const token = tokenOf(link);
  const visitor = operatorClient(testServer);
  const { secret, setup } = await visitor.readInvitation({ body: { token } });
  const code = codeAt(secret, testServer.now());
  const account = { token, setup, email, fullname, password: PASSWORD, code };
  const { authToken, session } = await visitor.acceptInvitation({ body: account });
  return {
    session,
    email,
    token: authToken,
    api: operatorClient(testServer, authToken),
    currentCode: () => codeAt(secret, testServer.now()),
    nextCode: () => {
      testServer.advanceClock(CODE_PERIOD_S * 1000);
      return codeAt(secret, testServer.now());
    },
  };
}

/** Lets operators move much money alone, where a test is about something else. */
export async function raiseLimits({ server, now }: Pick<TestServer, 'server' | 'now'>): Promise<void> {
  const setting = { value: 1_000_000, setBy: 'the test', from: now() };
  for (const name of ['refundLimitOrder', 'refundLimitDay'] as const)
    await writeSetting(server.db, { name, ...setting });
}
