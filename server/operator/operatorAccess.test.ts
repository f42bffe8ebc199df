import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildUrl } from '../../contract/callClient.ts';
import { type ActName, OPERATOR_API, type OperatorCallName } from '../../contract/operator/api.ts';
import type { OperatorCall } from '../../contract/operator/call.ts';
import { PERMISSIONS } from '../../domain/operators.ts';
import { sendRequest } from '../../testing/checkedClient.ts';
import { createOperator, type TestOperator } from '../../testing/operators.ts';
import { createParticipants, type Participants } from '../../testing/orderSteps.ts';
import { CHEAPEST_DATABASE, openTestServer, type TestServer } from '../../testing/testServer.ts';

const CALLS = Object.entries(OPERATOR_API) as [OperatorCallName, OperatorCall][];
const GUARDED = CALLS.filter(([, { permission }]) => permission !== 'anyone');
const DEAD_TOKENS = [undefined, 'x', 'A'.repeat(43), "'or'1'='1", '%00'];
const INVALID = { query: { no: 1 }, body: { no: 1 } };

describe('the contract of the console', () => {
  test('every call that changes something is an act, belongs to signing in or to approvals, or tries a connection', () => {
    const others = CALLS.filter(([, { method, act }]) => method !== 'GET' && !act).map(([, { path }]) => path);
    expect(others).toEqual([
      '/operator/session',
      '/operator/session/end',
      '/operator/session/code',
      '/operator/session/passkey/sign-in',
      '/operator/session/passkey/begin',
      '/operator/session/passkey',
      '/operator/passkeys/begin',
      '/operator/passkeys',
      '/operator/passkeys/:id/remove',
      '/operator/invitation',
      '/operator/join',
      '/operator/approvals/:id/approve',
      '/operator/approvals/:id/decline',
      '/operator/approvals/:id/withdraw',
      '/operator/approvals/stop',
      '/operator/connections/test',
    ]);
  });

  test.each(CALLS.filter(([, { act }]) => act))('%s needs a right and a reason', (_name, call) => {
    expect(PERMISSIONS).toContain(call.permission);
    const example = (call.example?.body ?? {}) as { reason?: string };
    expect(call.body?.safeParse(example).error).toBeUndefined();
    for (const reason of [undefined, '', '   ', null, 7])
      expect(call.body?.safeParse({ ...example, reason }).success, String(reason)).toBe(false);
  });
});

describe('who may make each call of the console', () => {
  let testServer: TestServer;
  let people: Participants;
  const operators = new Map<string, TestOperator>();

  beforeAll(async () => {
    testServer = await openTestServer(CHEAPEST_DATABASE);
    people = await createParticipants(testServer);
    for (const permission of PERMISSIONS)
      operators.set(permission, await createOperator(testServer, { caps: [permission] }));
    operators.set('none', await createOperator(testServer, { caps: [] }));
  });
  afterAll(() => testServer?.close());

  const send = (call: OperatorCall, token: string | undefined, input: object = call.example ?? {}) =>
    sendRequest(testServer.apiUrl, call.method, buildUrl(call, input), {
      token,
      ...(call.method === 'POST' ? { body: (input as { body?: object }).body ?? {} } : {}),
    });
  const countAudit = async () =>
    Number((await testServer.server.db.selectFrom('audit_head').select('id').executeTakeFirstOrThrow()).id);

  test.each(GUARDED)('%s is refused to everybody else, whether or not the input is valid', async (_name, call) => {
    const before = await countAudit();
    const params = call.example?.params ?? {};
    for (const input of [call.example ?? {}, { params, ...INVALID }]) {
      for (const token of [...DEAD_TOKENS, people.bud.token, people.scrub.token, people.duber.token]) {
        const { status, body } = await send(call, token, input);
        expect([status, body.code]).toEqual([401, 'unauthenticated']);
      }
      if (call.permission === 'operator') continue;
      for (const [permission, { token }] of operators) {
        if (permission === call.permission) continue;
        const { status, body } = await send(call, token, input);
        expect([status, body.code], `an operator with the right ${permission}`).toEqual([403, 'noRight']);
      }
    }
    expect(await countAudit(), 'nothing was written').toBe(before);
  });

  test.each(GUARDED)('%s gets past the checks of an operator with its right', async (_name, call) => {
    const operator = operators.get(call.permission === 'operator' ? 'none' : call.permission);
    if (call.path === '/operator/session/end') return;
    const { body } = await send(call, operator?.token);
    expect(['unauthenticated', 'noRight', 'codeTooOld', 'broken']).not.toContain(body?.code);
  });

  test("an operator's token opens nothing of the marketplace", async () => {
    const { token } = operators.get('admin') as TestOperator;
    for (const path of ['/auth/session', '/scrub-orders', '/deliveries', '/dashboards/bud', '/profile/sessions'])
      expect((await sendRequest(testServer.apiUrl, 'GET', path, { token })).status, path).toBe(401);
  });

  test('nobody signs up or in as an operator where people do', async () => {
    const { email } = operators.get('admin') as TestOperator;
    const body = { email, password: 'Rubadub1!' };
    expect((await sendRequest(testServer.apiUrl, 'POST', '/auth/login', { body })).status).toBe(401);
  });

  test.each(CALLS.filter(([, { act }]) => act?.takesCode) as [ActName, OperatorCall][])(
    '%s asks for a new code once the last one is old',
    async (_name, call) => {
      const operator = await createOperator(testServer, { caps: [call.permission as 'see'] });
      testServer.advanceClock(16 * 60_000);
      expect((await send(call, operator.token)).body.code).toBe('codeTooOld');
      await operator.api.enterCode({ body: { code: operator.nextCode() } });
      expect((await send(call, operator.token)).body?.code).not.toBe('codeTooOld');
    },
  );
});
