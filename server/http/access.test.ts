import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { API, type CallName } from '../../contract/api.ts';
import type { Call } from '../../contract/call.ts';
import { buildUrl } from '../../contract/callClient.ts';
import { ROLES, type Role } from '../../domain/accounts.ts';
import { ORDER_EXCEPTIONS, ORDER_FLOW } from '../../domain/process/order.ts';
import { expectMatchesContract, sendRequest } from '../../testing/checkedClient.ts';
import { createDelivery } from '../../testing/deliveryExceptionCalls.ts';
import {
  advanceDelivery,
  createOrderInStatus,
  createParticipants,
  findDeliveryId,
  type Participants,
  REVIEW,
} from '../../testing/orderSteps.ts';
import { DATABASE_KINDS, openTestServer, type TestServer } from '../../testing/testServer.ts';
import { participantWithRole, type RequestInput, type ValidCall } from '../../testing/validCall.ts';
import { VALID_CALLS } from '../../testing/validCalls.ts';

const DEAD_TOKENS = ['x', 'A'.repeat(43), "'or'1'='1", '%00'];

type CallRequest = { readonly call: Call; readonly input: RequestInput };

describe.each(DATABASE_KINDS)('who may make each call, on %s', (kind) => {
  let testServer: TestServer;
  let participants: Participants;
  let strangers: Participants;
  const answers: Record<string, unknown> = {};

  beforeAll(async () => {
    testServer = await openTestServer(kind);
    [participants, strangers] = [await createParticipants(testServer), await createParticipants(testServer)];
    // One of everything, so that there is something to leak.
    const { id } = await createOrderInStatus(participants, 'Completed');
    await participants.bud.api.reviewToScrub({
      params: { id },
      body: { ...REVIEW, scrubId: participants.scrub.user.id },
    });
    await createDelivery({ testServer, participants }, 3);
    const order = await createOrderInStatus(participants, 'Accepted');
    await advanceDelivery(participants.duber, findDeliveryId(order, 'Bud_To_Scrub'), 2);
  });
  afterAll(async () => {
    await testServer?.close();
    if (process.env.RECORD_ANSWERS && kind === 'embedded') await recordAnswers(answers, testServer);
  });

  const send = ({ call, input }: CallRequest, raw: { token?: string; headers?: Record<string, string> } = {}) =>
    sendRequest(testServer.apiUrl, call.method, buildUrl(call, input), {
      ...raw,
      ...(call.method === 'POST' && input.body ? { body: input.body } : {}),
      ...(input.photo ? { photo: input.photo } : {}),
    });
  const refusal = async (request: CallRequest, token?: string): Promise<[number, unknown]> => {
    const { status, body } = await send(request, token === undefined ? {} : { token });
    return [status, body?.message];
  };

  test.each(Object.keys(VALID_CALLS) as CallName[])('%s', async (name) => {
    const call: Call = API[name];
    const { prepare, strangerResult: stranger } = VALID_CALLS[name] as ValidCall;
    const { input, callers: as, inputFor: perRole } = await prepare({ testServer, participants });
    const roles: readonly Role[] = call.who === 'anyone' ? [] : call.who;
    const inputOf = (role: Role): CallRequest => ({ call, input: perRole ? perRole(role) : input });
    const tokenOf = (role: Role) => (as?.[role] ?? participantWithRole(participants, role)).token;
    const first = roles[0];

    if (first) {
      await refuseWithoutSession(inputOf(first));
      await refuseTokensElsewhere(inputOf(first), tokenOf(first));
      for (const role of ROLES.filter((one) => !roles.includes(one))) await refuseRole(inputOf(first), role);
    }
    await refuseOtherMethods({ call, input: first ? inputOf(first).input : input }, first && tokenOf(first));
    for (const role of roles) {
      if (stranger === 404) await refuseStranger(inputOf(role), role, 404);
      if (stranger === 'own') await hideFromStrangers(inputOf(role), role);
    }

    // None of the refused requests had an effect: the right person can still take the step.
    for (const role of first ? roles : ([undefined] as const)) {
      const reply = await send(role ? inputOf(role) : { call, input }, role ? { token: tokenOf(role) } : {});
      expect(reply.status, JSON.stringify(reply.body)).toBe(call.status);
      expectMatchesContract(name, reply.body);
      if (reply.body !== undefined && !call.answersFile) answers[name] ??= reply.body;
    }
    for (const role of roles) if (stranger === 409) await refuseStranger(inputOf(role), role, 409);
  });

  /** The valid request, and one with invalid input: both get the same refusal, because access is checked first. */
  const validAndInvalid = (request: CallRequest): CallRequest[] => {
    const params = request.call.params ? { params: { id: 'x' } } : {};
    return [request, { ...request, input: { ...params, query: { no: 1 }, body: { no: 1 } } }];
  };

  async function refuseWithoutSession(request: CallRequest): Promise<void> {
    for (const attempt of validAndInvalid(request)) {
      for (const token of [undefined, ...DEAD_TOKENS]) {
        expect(await refusal(attempt, token)).toEqual([401, 'User not authenticated']);
      }
    }
  }

  async function refuseRole(request: CallRequest, role: Role): Promise<void> {
    for (const attempt of validAndInvalid(request)) {
      expect(await refusal(attempt, participantWithRole(participants, role).token)).toEqual([
        403,
        'This is not for your role',
      ]);
    }
  }

  /** Only the Bearer header counts: browsers send cookies with requests that other sites cause. */
  async function refuseTokensElsewhere(request: CallRequest, token: string): Promise<void> {
    const elsewhere = [
      { cookie: `auth-token=${token}` },
      { authorization: token },
      { authorization: `Basic ${token}` },
      { authorization: `Bearer ${token} x` },
      { 'x-auth-token': token },
    ];
    for (const headers of elsewhere) expect((await send(request, { headers })).status).toBe(401);
    const query = { ...request.input.query, token, 'auth-token': token };
    expect((await send({ ...request, input: { ...request.input, query } })).status).toBe(401);
  }

  /** Most of all HEAD, which must not take a step that is a GET. */
  async function refuseOtherMethods({ call, input }: CallRequest, token: string | undefined): Promise<void> {
    const methods = (Object.values(API) as Call[])
      .filter((other) => other.path === call.path)
      .map(({ method }) => method);
    // A GET of /deliveries/find-… is the call that reads a delivery, with that id.
    const looksLikeId = /^\/(scrub-orders|deliveries)\/[a-z-]+$/.test(call.path);
    for (const method of ['HEAD', 'PUT', 'PATCH', 'DELETE', 'POST', ...(looksLikeId ? [] : ['GET'])]) {
      if (methods.includes(method as 'GET')) continue;
      const reply = await sendRequest(testServer.apiUrl, method, buildUrl(call, input), { token });
      expect(reply.status, method).toBe(405);
      expect(reply.headers.get('allow')?.split(', ').toSorted()).toEqual([...new Set(methods)].toSorted());
    }
  }

  async function refuseStranger(request: CallRequest, role: Role, status: 404 | 409): Promise<void> {
    const message = status === 404 ? 'Not found' : 'This delivery has already been accepted';
    expect(await refusal(request, participantWithRole(strangers, role).token), `another ${role}`).toEqual([
      status,
      message,
    ]);
  }

  async function hideFromStrangers(request: CallRequest, role: Role): Promise<void> {
    const reply = await send(request, { token: participantWithRole(strangers, role).token });
    expect(reply.status).toBe(request.call.status);
    const text = JSON.stringify(reply.body ?? null);
    const theirs = [participants.bud, participants.scrub, participants.duber].flatMap(({ user }) => [
      user.id,
      user.email,
    ]);
    // A Duber sees everyone's pending deliveries, but no e-mail address.
    const hidden = request.call === API.duberDashboard ? theirs.filter((text) => text.includes('@')) : theirs;
    for (const secret of hidden) expect(text, `another ${role}`).not.toContain(secret);
  }

  test('a call without a token ignores one that has ended', async () => {
    expect((await sendRequest(testServer.apiUrl, 'GET', '/config', { token: 'dead' })).status).toBe(200);
  });

  test('the live stream needs a token in the Bearer header, as every call does', async () => {
    const refused = [{}, { token: 'x' }, { headers: { cookie: `auth-token=${participants.bud.token}` } }];
    for (const raw of refused) expect((await sendRequest(testServer.apiUrl, 'GET', '/events', raw)).status).toBe(401);
    expect((await sendRequest(testServer.apiUrl, 'GET', `/events?token=${participants.bud.token}`)).status).toBe(401);
    expect((await sendRequest(testServer.apiUrl, 'HEAD', '/events', { token: participants.bud.token })).status).toBe(
      405,
    );
  });

  test('a row of the System or of operators cannot be taken by anybody', async () => {
    const { id } = await createOrderInStatus(participants, 'Requested');
    const [{ bud, scrub, duber }, tokens] = [participants, [undefined, ...DEAD_TOKENS]];
    const rows = [...ORDER_FLOW, ...ORDER_EXCEPTIONS];
    const isOfTown = ({ by }: { by: string }) => by === 'System' || by === 'Operator';
    const ofPeople = new Set(rows.filter((row) => !isOfTown(row)).map(({ action }) => action));
    for (const action of new Set(rows.map((row) => row.action).filter((one) => !ofPeople.has(one)))) {
      for (const token of [bud.token, scrub.token, duber.token, ...tokens]) {
        for (const method of ['GET', 'POST']) {
          const reply = await sendRequest(testServer.apiUrl, method, `/scrub-orders/${id}/${action}`, { token });
          expect(reply.status, `${method} ${action}`).toBe(404);
        }
      }
    }
    expect((await bud.api.readOrder({ params: { id } })).status).toBe('Requested');
  });

  test('a path outside the contract gets a 404', async () => {
    for (const path of ['/nothing', '/scrub-orders/1/2/3', '/auth/signup', '/', '/deliveries/x/fly']) {
      expect((await sendRequest(testServer.apiUrl, 'GET', path)).status, path).toBe(404);
    }
  });
});

const LONG_LISTS = ['items', 'latestScrubOrders', 'latestJobs', 'latestDeliveries', 'pendingDeliveries'];

/** With RECORD_ANSWERS=1, saves the answers as the examples of the API's documentation. Long lists keep one item. */
async function recordAnswers(answers: Record<string, unknown>, testServer: TestServer): Promise<void> {
  const shorten = (key: string, value: unknown) =>
    Array.isArray(value) && LONG_LISTS.includes(key) ? value.slice(0, 1) : value;
  const lines = Object.entries(answers).map(([name, answer]) => {
    const short = Array.isArray(answer) ? answer.slice(0, 1) : answer;
    return `${JSON.stringify(name)}: ${JSON.stringify(short, shorten)}`;
  });
  const text = `{\n${lines.join(',\n')}\n}\n`
    .replaceAll(new URL(testServer.sandboxUrl).origin, 'http://127.0.0.1:3000')
    .replaceAll(/"authToken":"[^"]+"/g, '"authToken":"q0m3v2C7mB1mXn8m6d1n3u0t5wYkZ4s9aJ2bR7eL0fH"')
    .replaceAll(/([a-z]+)-[0-9a-f-]{13,36}@rubadub\.test/g, '$1@rubadub.test');
  await writeFile(new URL('./openapi/answers.json', import.meta.url), text);
}
