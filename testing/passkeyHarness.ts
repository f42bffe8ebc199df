import { afterAll, beforeAll } from 'vitest';
import type { UsedPasskey } from '../contract/operator/passkeys.ts';
import { operatorClient, type TestOperator } from './operators.ts';
import { type DatabaseKind, openTestServer, PASSWORD, type TestServer } from './testServer.ts';

/** A server for the tests of a suite, and how operators sign in to it with a passkey. */
export function openPasskeyHarness(kind: DatabaseKind) {
  let testServer: TestServer;
  beforeAll(async () => {
    testServer = await openTestServer(kind);
  });
  afterAll(() => testServer?.close());

  const visitor = () => operatorClient(testServer);
  const account = ({ email }: TestOperator) => ({ email, password: PASSWORD });
  return {
    get testServer() {
      return testServer;
    },
    visitor,
    account,
    requestOf: (operator: TestOperator) => visitor().beginPasskeySignIn({ body: account(operator) }),
    signIn: (operator: TestOperator, passkey: UsedPasskey) =>
      visitor().operatorSignIn({ body: { ...account(operator), passkey } }),
  };
}
