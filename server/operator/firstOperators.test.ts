import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PERMISSIONS } from '../../domain/operators.ts';
import { expectFailure } from '../../testing/checkedClient.ts';
import { codeAt, createOperator, operatorClient, tokenOf } from '../../testing/operators.ts';
import { openTestServer, PASSWORD, RULE_DATABASES, type TestServer } from '../../testing/testServer.ts';

const DEMO = { email: 'operator@rubadub.test', fullname: 'Greta Stone' };
const OTHER_PASSWORD = 'Demo-1another';

describe.each(RULE_DATABASES)('the first operator, on %s', (kind) => {
  let testServer: TestServer;
  beforeAll(async () => {
    // The demo needs stand-ins, which the test server has; with PostgreSQL it is off unless it is asked for.
    testServer = await openTestServer(kind, { env: { DEMO: 'on' } });
  });
  afterAll(() => testServer?.close());

  const signIn = (password: string) =>
    operatorClient(testServer).operatorSignIn({ body: { email: DEMO.email, password } });
  const addDemo = (password: string) => testServer.server.addDemoOperator({ ...DEMO, password });

  test('of the demo signs in without a second factor, and is added once', async () => {
    await Promise.all([addDemo(PASSWORD), addDemo(PASSWORD)]);
    const { authToken, session } = await signIn(PASSWORD);
    expect(session).toMatchObject({ isDemo: true, operator: { caps: PERMISSIONS } });
    const demo = operatorClient(testServer, authToken);
    // Everybody who looks around would have it.
    expect((await expectFailure(demo.beginPasskey({ body: {} }))).status).toBe(403);
    await addDemo(PASSWORD);
    expect((await operatorClient(testServer, authToken).listOperators()).items).toHaveLength(1);
  });

  test('of the demo loses the password that everybody knows, and every session, once there is another one', async () => {
    await addDemo(PASSWORD);
    const { authToken } = await signIn(PASSWORD);
    await addDemo(OTHER_PASSWORD);
    expect((await expectFailure(operatorClient(testServer, authToken).readOperatorSession())).status).toBe(401);
    expect((await expectFailure(signIn(PASSWORD))).status).toBe(401);
    expect((await signIn(OTHER_PASSWORD)).session.isDemo).toBe(true);
  });

  test('has the link of any of several starts; the other links end, and there are no more', async () => {
    // The operator of the demo is nobody who runs the town.
    await addDemo(PASSWORD);
    const links = await Promise.all(Array.from({ length: 4 }, () => testServer.server.inviteFirstOperator()));
    const tokens = links.map((link) => tokenOf(link ?? ''));
    expect(new Set(tokens).size).toBe(4);
    const visitor = operatorClient(testServer);
    const join = async (token: string, n: number) => {
      const { secret, setup, email } = await visitor.readInvitation({ body: { token } });
      expect(email).toBeNull();
      const account = { email: `first-${n}@rubadub.test`, fullname: 'Ada Operator', password: PASSWORD };
      return visitor.acceptInvitation({ body: { token, setup, ...account, code: codeAt(secret, testServer.now()) } });
    };
    const joined = await Promise.allSettled(tokens.map(join));
    expect(joined.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const token of tokens)
      expect((await expectFailure(visitor.readInvitation({ body: { token } }))).message).toContain('was used');
    expect(await testServer.server.inviteFirstOperator()).toBeUndefined();
  });
});

test('nobody is the operator of a demo that is off, and a real operator keeps the address and the password', async () => {
  const testServer = await openTestServer('embedded', { env: { DEMO: 'off' } });
  await testServer.server.addDemoOperator({ ...DEMO, password: PASSWORD });
  const signIn = () => operatorClient(testServer).operatorSignIn({ body: { email: DEMO.email, password: PASSWORD } });
  expect((await expectFailure(signIn())).message).toBe('Invalid email or password');
  expect(await testServer.server.inviteFirstOperator()).toContain('/#/operator/join?token=');
  const real = await createOperator(testServer);
  await testServer.server.addDemoOperator({ ...DEMO, email: real.email, password: OTHER_PASSWORD });
  expect((await real.api.readOperatorSession()).operator.email).toBe(real.email);
  await testServer.close();
});
