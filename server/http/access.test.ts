import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { API, type CallName } from '../../contract/api.ts';
import type { Call } from '../../contract/call.ts';
import { buildUrl } from '../../contract/client.ts';
import { ROLES, type Role } from '../../domain/accounts.ts';
import { expectMatchesContract, sendRequest } from '../../testing/checkedClient.ts';
import {
  advanceDelivery,
  createOrderInStatus,
  createParticipants,
  findLegId,
  type Participants,
  REVIEW,
} from '../../testing/orderSteps.ts';
import { DATABASE_KINDS, openTestServer, type TestServer } from '../../testing/testServer.ts';
import {
  createDelivery,
  participantWithRole,
  type RequestInput,
  VALID_CALLS,
  type ValidCall,
} from '../../testing/validCalls.ts';

const DEAD_TOKENS = ['x', 'A'.repeat(43), "'or'1'='1", '%00'];

type CallRequest = { readonly call: Call; readonly input: RequestInput };

describe.each(DATABASE_KINDS)('who may make each call, on %s', (kind) => {
  let world: TestServer;
  let cast: Participants;
  let strangers: Participants;
  const answers: Record<string, unknown> = {};

  beforeAll(async () => {
    world = await openTestServer(kind);
    [cast, strangers] = [await createParticipants(world), await createParticipants(world)];
    // Something of everything, so that there is something to leak.
    const { id } = await createOrderInStatus(cast, 'Completed');
    await cast.bud.api.reviewToScrub({ params: { id }, body: { ...REVIEW, scrubId: cast.scrub.user.id } });
    await createDelivery({ testServer: world, participants: cast }, 3);
    const order = await createOrderInStatus(cast, 'Accepted');
    await advanceDelivery(cast.duber, findLegId(order, 'Bud_To_Scrub'), 2);
  });
  afterAll(async () => {
    await world?.close();
    if (process.env.RECORD_ANSWERS && kind === 'embedded') await recordAnswers(answers, world);
  });

  const send = ({ call, input }: CallRequest, raw: { token?: string; headers?: Record<string, string> } = {}) =>
    sendRequest(world.apiUrl, call.method, buildUrl(call, input), {
      ...raw,
      ...(call.method === 'POST' && input.body ? { body: input.body } : {}),
    });
  const refusal = async (asked: CallRequest, token?: string): Promise<[number, unknown]> => {
    const { status, body } = await send(asked, token === undefined ? {} : { token });
    return [status, body?.message];
  };

  test.each(Object.keys(VALID_CALLS) as CallName[])('%s', async (name) => {
    const call: Call = API[name];
    const { prepare, strangerResult: stranger } = VALID_CALLS[name] as ValidCall;
    const { input, callers: as, inputFor: perRole } = await prepare({ testServer: world, participants: cast });
    const roles: readonly Role[] = call.who === 'anyone' ? [] : call.who;
    const inputOf = (role: Role): CallRequest => ({ call, input: perRole ? perRole(role) : input });
    const tokenOf = (role: Role) => (as?.[role] ?? participantWithRole(cast, role)).token;
    const first = roles[0];

    if (first) {
      await refuseNobodies(inputOf(first));
      await refuseTokensElsewhere(inputOf(first), tokenOf(first));
      for (const role of ROLES.filter((one) => !roles.includes(one))) await refuseRole(inputOf(first), role);
    }
    await refuseOtherMethods({ call, input: first ? inputOf(first).input : input }, first && tokenOf(first));
    for (const role of roles) {
      if (stranger === 404) await refuseStranger(inputOf(role), role, 404);
      if (stranger === 'own') await showStrangersTheirOwn(inputOf(role), role);
    }

    // Nothing of the above took the step: the rightful person still can.
    for (const role of first ? roles : ([undefined] as const)) {
      const reply = await send(role ? inputOf(role) : { call, input }, role ? { token: tokenOf(role) } : {});
      expect(reply.status, JSON.stringify(reply.body)).toBe(call.status);
      expectMatchesContract(name, reply.body);
      if (reply.body !== undefined) answers[name] ??= reply.body;
    }
    for (const role of roles) if (stranger === 409) await refuseStranger(inputOf(role), role, 409);
  });

  /** The rightful request, and one that is wrong in every part: who is asking comes first. */
  const rightAndWrong = (asked: CallRequest): CallRequest[] => {
    const params = asked.call.params ? { params: { id: 'x' } } : {};
    return [asked, { ...asked, input: { ...params, query: { no: 1 }, body: { no: 1 } } }];
  };

  async function refuseNobodies(rightful: CallRequest): Promise<void> {
    for (const asked of rightAndWrong(rightful)) {
      for (const token of [undefined, ...DEAD_TOKENS]) {
        expect(await refusal(asked, token)).toEqual([401, 'User not authenticated']);
      }
    }
  }

  async function refuseRole(rightful: CallRequest, role: Role): Promise<void> {
    for (const asked of rightAndWrong(rightful)) {
      expect(await refusal(asked, participantWithRole(cast, role).token)).toEqual([403, 'This is not for your role']);
    }
  }

  /** The token counts in the Bearer header alone: a cookie travels with every request, whoever caused it. */
  async function refuseTokensElsewhere(asked: CallRequest, token: string): Promise<void> {
    const elsewhere = [
      { cookie: `auth-token=${token}` },
      { authorization: token },
      { authorization: `Basic ${token}` },
      { authorization: `Bearer ${token} x` },
      { 'x-auth-token': token },
    ];
    for (const headers of elsewhere) expect((await send(asked, { headers })).status).toBe(401);
    const query = { ...asked.input.query, token, 'auth-token': token };
    expect((await send({ ...asked, input: { ...asked.input, query } })).status).toBe(401);
  }

  /** HEAD above all: a step that is a GET must not be taken by what only looks at it. */
  async function refuseOtherMethods({ call, input }: CallRequest, token: string | undefined): Promise<void> {
    const taken = (Object.values(API) as Call[])
      .filter((other) => other.path === call.path)
      .map(({ method }) => method);
    // A GET of /deliveries/find-… is a GET of a delivery of that name.
    const looksLikeId = /^\/(scrub-orders|deliveries)\/[a-z-]+$/.test(call.path);
    for (const method of ['HEAD', 'PUT', 'PATCH', 'DELETE', 'POST', ...(looksLikeId ? [] : ['GET'])]) {
      if (taken.includes(method as 'GET')) continue;
      const reply = await sendRequest(world.apiUrl, method, buildUrl(call, input), { token });
      expect(reply.status, method).toBe(405);
      expect(reply.headers.get('allow')?.split(', ').toSorted()).toEqual([...new Set(taken)].toSorted());
    }
  }

  async function refuseStranger(asked: CallRequest, role: Role, status: 404 | 409): Promise<void> {
    const words = status === 404 ? 'Not found' : 'This delivery has already been accepted';
    expect(await refusal(asked, participantWithRole(strangers, role).token), `a strange ${role}`).toEqual([
      status,
      words,
    ]);
  }

  async function showStrangersTheirOwn(asked: CallRequest, role: Role): Promise<void> {
    const reply = await send(asked, { token: participantWithRole(strangers, role).token });
    expect(reply.status).toBe(asked.call.status);
    const text = JSON.stringify(reply.body);
    const theirs = [cast.bud, cast.scrub, cast.duber].flatMap(({ user }) => [user.id, user.email]);
    // A Duber finds anybody's pending deliveries, but never anybody's e-mail address.
    const hidden = asked.call === API.duberDashboard ? theirs.filter((one) => one.includes('@')) : theirs;
    for (const one of hidden) expect(text, `a strange ${role}`).not.toContain(one);
  }

  test('a call that takes no token does not mind a dead one', async () => {
    expect((await sendRequest(world.apiUrl, 'GET', '/config', { token: 'dead' })).status).toBe(200);
  });

  test('the live stream asks for a token like every call, and not in a cookie', async () => {
    const refused = [{}, { token: 'x' }, { headers: { cookie: `auth-token=${cast.bud.token}` } }];
    for (const raw of refused) expect((await sendRequest(world.apiUrl, 'GET', '/events', raw)).status).toBe(401);
    expect((await sendRequest(world.apiUrl, 'GET', `/events?token=${cast.bud.token}`)).status).toBe(401);
    expect((await sendRequest(world.apiUrl, 'HEAD', '/events', { token: cast.bud.token })).status).toBe(405);
  });

  test('a path that is not of the contract is a 404 of the one shape', async () => {
    for (const path of ['/nothing', '/scrub-orders/1/2/3', '/auth/signup', '/', '/deliveries/x/fly']) {
      expect((await sendRequest(world.apiUrl, 'GET', path)).status, path).toBe(404);
    }
  });
});

const LONG_LISTS = ['items', 'latestScrubOrders', 'latestJobs', 'latestDeliveries', 'pendingDeliveries'];

/** Keeps the answers of a run as the examples of the API's description, long lists cut to their first: RECORD_ANSWERS=1. */
async function recordAnswers(answers: Record<string, unknown>, world: TestServer): Promise<void> {
  const cut = (key: string, value: unknown) =>
    Array.isArray(value) && LONG_LISTS.includes(key) ? value.slice(0, 1) : value;
  const lines = Object.entries(answers).map(([name, answer]) => {
    const short = Array.isArray(answer) ? answer.slice(0, 1) : answer;
    return `${JSON.stringify(name)}: ${JSON.stringify(short, cut)}`;
  });
  const text = `{\n${lines.join(',\n')}\n}\n`
    .replaceAll(new URL(world.sandboxUrl).origin, 'http://127.0.0.1:3000')
    .replaceAll(/"authToken":"[^"]+"/g, '"authToken":"q0m3v2C7mB1mXn8m6d1n3u0t5wYkZ4s9aJ2bR7eL0fH"')
    .replaceAll(/([a-z]+)-[0-9a-f-]{13,36}@rubadub\.test/g, '$1@rubadub.test');
  await writeFile(new URL('./openapi/answers.json', import.meta.url), text);
}
