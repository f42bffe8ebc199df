import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CallName } from '../contract/api.ts';
import { isReadOnly } from '../contract/call.ts';
import { openServerDatabase } from '../server/db/database.ts';
import { setPolicy } from '../server/town/policies.sql.ts';
import { allFieldsOf, answerPathsOf, FIELDS_OF_CALLS } from '../testing/fieldSets.ts';
import { partialValue, pathsOf } from '../testing/partialSchema.ts';
import type { TestUser } from '../testing/testServer.ts';
import { waitUntil } from '../testing/waits.ts';
import {
  AUTHENTICATED_CALLS,
  buildRequest,
  canTakeStep,
  expectedRefusalStatuses,
  isParticipant,
  type RequestIds,
  requestIdsOf,
} from './accessCases.ts';
import { createOrderScenario, findLeaks, type OrderScenario, type Privacy, SCENARIO_STATES } from './canaries.ts';
import { describePromise, isNight, TEST_TIMEOUT_MS } from './promiseSuite.ts';
import { openServerPair, type ServerPair } from './serverPair.ts';
import { type StreamClient, startStreamClient } from './streamClients.ts';

let pair: ServerPair;
let scenarios: OrderScenario[];
let strangers: TestUser[];
const streamClients = new Map<TestUser, StreamClient>();

beforeAll(async () => {
  pair = await openServerPair({ env: { SQUARE_ACCESS_TOKEN: 'canary-card-network-key' } });
  strangers = await Promise.all(
    (['Bud', 'Scrub', 'Duber'] as const).map((role) => pair.createUser(role, { north: 350 })),
  );
  const hosts = () => [pair.first.apiUrl, pair.second.apiUrl];
  for (const one of strangers) streamClients.set(one, startStreamClient(hosts, one.token, Math.random));
  await Promise.all([...streamClients.values()].map(({ connected }) => connected));
  // One after the other: all sign-ups at once are more password hashes than a busy machine finishes in time.
  scenarios = [];
  for (const state of Object.keys(SCENARIO_STATES)) scenarios.push(await createOrderScenario(pair, state));
}, TEST_TIMEOUT_MS);
afterAll(async () => {
  await Promise.all([...streamClients.values()].map((one) => one.stop()));
  await pair?.close();
});

let requestCount = 0;
const INVALID_TOKEN = 'A'.repeat(43);

type Answer = { readonly status: number; readonly text: string };

/** Sends a request, with or without a token, and returns the status and the whole answer including headers. */
async function sendRequest(
  method: string,
  path: string,
  options: { token?: string; body?: string | undefined },
  isRetry = false,
): Promise<Answer> {
  const { token, body } = options;
  requestCount += 1;
  const apiUrl = path.length % 2 ? pair.first.apiUrl : pair.second.apiUrl;
  const response = await fetch(apiUrl + path, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
  });
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
  const text = `${headers}\n${await response.text()}`;
  // A busy machine answers 503 once; a bug answers it every time.
  if (response.status === 503 && !isRetry) return sendRequest(method, path, options, true);
  return { status: response.status, text };
}

const bodyOf = (text: string): unknown => JSON.parse(text.slice(text.lastIndexOf('\n') + 1));

/** The policy of the installation; the suites below change it once. */
let privacy: Privacy = 'open';

async function makeCareful(): Promise<void> {
  const { db, close } = openServerDatabase(pair.databaseUrl, 1);
  await setPolicy(db, { name: 'privacy', value: 'careful', setBy: 'a test' }, new Date()).finally(close);
  privacy = 'careful';
}

const findAllLeaks = (text: string, caller: TestUser | undefined) =>
  scenarios.flatMap((scenario) => findLeaks(text, scenario, caller, privacy));

describePromise('access', (suite) => {
  type Caller = { readonly user: TestUser | undefined; readonly token: string | undefined };

  test.each(Object.keys(SCENARIO_STATES))(
    'no caller sees or changes what is not theirs while the order is %s',
    { timeout: TEST_TIMEOUT_MS },
    checkState,
  );

  async function checkState(state: string): Promise<void> {
    const scenario = scenarios.find((one) => one.state === state) as OrderScenario;
    const users = [scenario.bud, scenario.scrub, scenario.duber, ...strangers];
    const unauthenticated: Caller[] = [undefined, INVALID_TOKEN].map((token) => ({ user: undefined, token }));
    const callers = [...unauthenticated, ...users.map((user): Caller => ({ user, token: user.token }))];
    for (const call of AUTHENTICATED_CALLS)
      for (const caller of callers)
        if (isNight || mayDiffer(call, caller, state)) await checkAccess(call, caller, scenario);
  }

  /**
   * CI leaves out what the state or the policy does not change: callers without a session are refused before anything is
   * read, and a policy changes what a call shows, not what a step does. The night leaves out nothing.
   */
  const mayDiffer = ([, call]: (typeof AUTHENTICATED_CALLS)[number], { user }: Caller, state: string) =>
    user ? privacy === 'open' || isReadOnly(call) : privacy === 'open' && state === 'Accepted, Pending';

  async function checkAccess(
    [name, call]: (typeof AUTHENTICATED_CALLS)[number],
    { user, token }: Caller,
    scenario: OrderScenario,
  ): Promise<void> {
    const requestIds = requestIdsOf(scenario);
    const { path, body, ids } = buildRequest(call, requestIds);
    const role = user?.user.role;
    const owns =
      user &&
      (isParticipant(scenario, user) || (user === scenario.bud && ids.every((id) => id === requestIds.address)));
    // Steps that the caller may take are tested elsewhere and would change the scenario.
    if ((owns && !isReadOnly(call)) || canTakeStep(name, scenario, role)) return;
    suite.expectCases(1);
    const title = `${role ?? token ?? 'no token'} calls ${name} (${scenario.state})`;
    const { status, text } = await sendRequest(call.method, path, { ...(token === undefined ? {} : { token }), body });
    expect(findAllLeaks(text, user), title).toEqual([]);
    const allowed = expectedRefusalStatuses(name, call, scenario, role);
    if (user === undefined || status === 403) expect(allowed, title).toContain(status);
    else if (!owns && ids.length > 0 && allowed) expect(allowed, title).toContain(status);
    expect(status, title).toBeLessThan(500);
    suite.countCases();
    if (status === 200 && token !== undefined) await checkFields(name, { path, token, text, title, user });
  }

  type WholeAnswer = {
    path: string;
    token: string;
    text: string;
    title: string;
    user: Parameters<typeof findAllLeaks>[1];
  };

  /** Asking for some fields shows these as the whole answer has them, and nothing else. */
  async function checkFields(name: CallName, asked: WholeAnswer) {
    const { owner, screenSets } = FIELDS_OF_CALLS[name] ?? {};
    if (!owner || !screenSets) return;
    const parts = ['email', 'phone', 'address', 'latitude', 'longitude', 'orderInstructions', 'message', 'fullname'];
    const privatePaths = pathsOf(owner).filter((path) => parts.includes(path.split('.').at(-1) ?? ''));
    const ask = async (fields: readonly string[]) => {
      const path = `${asked.path}${asked.path.includes('?') ? '&' : '?'}fields=${fields.join()}`;
      const { status, text } = await sendRequest('GET', path, { token: asked.token });
      const title = `${asked.title} with ${path}`;
      expect(status, title).toBe(200);
      expect(findAllLeaks(text, asked.user), title).toEqual([]);
      return { body: bodyOf(text), title };
    };
    const whole = await ask(allFieldsOf(owner));
    expect(whole.body, whole.title).toMatchObject(bodyOf(asked.text) as object);
    for (const fields of [...screenSets, privatePaths].filter(({ length }) => length > 0)) {
      const { body, title } = await ask(fields);
      expect(body, title).toEqual(partialValue(whole.body, answerPathsOf(name, fields)));
    }
  }

  test('no mail contains private data of someone other than its reader', async () => {
    const response = await fetch(`${pair.standIns.url}/sandbox/mail/messages`);
    const mails = (await response.json()) as { to: string; subject: string; text: string; html: string }[];
    const users = [...scenarios.flatMap(({ bud, scrub, duber }) => [bud, scrub, duber]), ...strangers];
    for (const mail of mails) {
      const reader = users.find(({ user }) => mail.to.includes(user.email));
      const found = findAllLeaks(`${mail.subject}\n${mail.text}\n${mail.html}`, reader);
      expect(found, `the mail to ${mail.to}: ${mail.subject}`).toEqual([]);
    }
    suite.recordFigure('mails', mails.length);
  });

  test('no log line contains private data', async () => {
    const readLog = () => [...pair.first.log, ...pair.second.log];
    // Each request writes at least one line. The log comes through a pipe of its own, so it can be later than the answers.
    await waitUntil(() => readLog().length > requestCount);
    const lines = readLog();
    for (const line of lines) {
      expect(findAllLeaks(line, undefined), line).toEqual([]);
      expect(line).not.toMatch(/canary|Rubadub1!|@rubadub\.test|cnon:/);
    }
    suite.recordFigure('log lines', lines.length);
  });

  test('no event contains private data, and strangers receive no events about orders', () => {
    for (const [{ user }, { events }] of streamClients) {
      expect(findAllLeaks(JSON.stringify(events), undefined)).toEqual([]);
      // A Duber nearby learns that a delivery is pending, and that it was accepted.
      for (const event of events) {
        expect(user.role).toBe('Duber');
        expect(event.entity).toBe('delivery');
        if (event.entity === 'delivery') expect(['Pending', 'Accepted']).toContain(event.status);
      }
    }
  });

  describe('under the policy careful', () => {
    beforeAll(makeCareful);

    test.each(Object.keys(SCENARIO_STATES))(
      'no exact place and no full name is shown to people who have not accepted the work, while the order is %s',
      { timeout: TEST_TIMEOUT_MS },
      checkState,
    );
  });
});

const LISTS = [
  {
    path: '/scrub-orders',
    roles: ['Bud', 'Scrub'],
    fields: ({ order, bud, scrub }: RequestIds) => Object.entries({ id: order, budId: bud, scrubId: scrub }),
  },
  {
    path: '/deliveries',
    roles: ['Bud', 'Scrub', 'Duber'],
    fields: ({ order, delivery, bud, scrub, duber }: RequestIds) =>
      Object.entries({ id: delivery, orderId: order, budId: bud, scrubId: scrub, duberId: duber }),
  },
];

describePromise('foreign-ids', (suite) => {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(suite.random() * list.length)] as T;

  test('refuses requests and filters with the ids of other people and reveals nothing', {
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    const users = [...scenarios.flatMap(({ bud, scrub, duber }) => [bud, scrub, duber]), ...strangers];
    const statuses: Record<string, number> = {};
    let [remaining, filtered] = [suite.cases, 0];
    const sendForeignIds = async () => {
      const [name, call] = pick(AUTHENTICATED_CALLS);
      const [scenario, other, caller] = [pick(scenarios), pick(scenarios), pick(users)];
      if (isParticipant(scenario, caller) || caller === scenario.duber) return;
      const address = pick([scenario.bud, scenario.scrub, scenario.duber]);
      const requestIds = {
        ...requestIdsOf(scenario, address),
        bud: other.bud.user.id,
        scrub: pick([scenario, other]).scrub.user.id,
      };
      const { path, body, ids } = buildRequest(call, requestIds);
      const allowed = expectedRefusalStatuses(name, call, scenario, caller.user.role);
      if (ids.length === 0 || !allowed) return;
      const { status, text } = await sendRequest(call.method, path, { token: caller.token, body });
      const title = `a ${caller.user.role} without a part in the order calls ${name} (${scenario.state})`;
      expect(findAllLeaks(text, caller), title).toEqual([]);
      expect(allowed, title).toContain(status);
      statuses[status] = (statuses[status] ?? 0) + 1;
      remaining -= 1;
      suite.countCases();
    };
    // Filters narrow what a caller may see and never widen it.
    const filterByForeignIds = async () => {
      const [list, scenario, caller] = [pick(LISTS), pick(scenarios), pick(users)];
      if (isParticipant(scenario, caller) || caller === scenario.duber || !list.roles.includes(caller.user.role))
        return;
      const [field, value] = pick(list.fields(requestIdsOf(scenario)));
      const operator = pick(['eq', 'in']);
      const filters = JSON.stringify([{ field, operator, value: operator === 'in' ? [value] : value }]);
      const path = `${list.path}?filters=${encodeURIComponent(filters)}`;
      const { status, text } = await sendRequest('GET', path, { token: caller.token });
      expect(findAllLeaks(text, caller), path).toEqual([]);
      expect(status, path).toBe(200);
      expect(text, path).toContain('"items":[],"totalCount":0');
      filtered += 1;
      remaining -= 1;
      suite.countCases();
    };
    const lane = async () => {
      while (remaining > 0) await (suite.random() < 0.2 ? filterByForeignIds() : sendForeignIds());
    };
    await Promise.all(Array.from({ length: 6 }, lane));
    for (const [status, count] of Object.entries(statuses)) suite.recordFigure(`answered ${status}`, count);
    suite.recordFigure('filters without a result', filtered);
    expect(statuses[404]).toBeGreaterThan(suite.cases / 10);
  });
});
