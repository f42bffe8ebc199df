import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestUser } from '../testing/testServer.ts';
import {
  AUTHENTICATED_CALLS,
  buildRequest,
  canTakeStep,
  expectedRefusalStatuses,
  isParticipant,
  isReadOnly,
  type RequestIds,
  requestIdsOf,
} from './accessCases.ts';
import { createOrderScenario, findLeaks, type OrderScenario, SCENARIO_STATES } from './canaries.ts';
import { describePromise, TEST_TIMEOUT_MS } from './promiseSuite.ts';
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
  scenarios = await Promise.all(Object.keys(SCENARIO_STATES).map((state) => createOrderScenario(pair, state)));
}, TEST_TIMEOUT_MS);
afterAll(async () => {
  await Promise.all([...streamClients.values()].map((one) => one.stop()));
  await pair?.close();
});

let requestCount = 0;
const INVALID_TOKEN = 'A'.repeat(43);

type Answer = { readonly status: number; readonly text: string };

/** Asks as somebody, or as nobody, and gives the status and everything that was answered. */
async function sendRequest(
  method: string,
  path: string,
  given: { token?: string; body?: string | undefined },
  again = false,
): Promise<Answer> {
  const { token, body } = given;
  requestCount += 1;
  const host = path.length % 2 ? pair.first.apiUrl : pair.second.apiUrl;
  const response = await fetch(host + path, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
  });
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
  const text = `${headers}\n${await response.text()}`;
  // A machine that is too busy refuses once, a bug of ours refuses always.
  if (response.status === 503 && !again) return sendRequest(method, path, given, true);
  return { status: response.status, text };
}

const findAllLeaks = (text: string, caller: TestUser | undefined) =>
  scenarios.flatMap((story) => findLeaks(text, story, caller));

describePromise('cells', (suite) => {
  type Caller = { readonly who: TestUser | undefined; readonly token: string | undefined };

  test.each(Object.keys(SCENARIO_STATES))(
    'each call by each kind of caller, in the state %s',
    { timeout: TEST_TIMEOUT_MS },
    async (state) => {
      const story = scenarios.find((one) => one.state === state) as OrderScenario;
      const people = [story.bud, story.scrub, story.duber, ...strangers];
      const nobodies: Caller[] = [undefined, INVALID_TOKEN].map((token) => ({ who: undefined, token }));
      const callers = [...nobodies, ...people.map((who): Caller => ({ who, token: who.token }))];
      for (const call of AUTHENTICATED_CALLS) for (const caller of callers) await look(call, caller, story);
    },
  );

  async function look(
    [name, call]: (typeof AUTHENTICATED_CALLS)[number],
    { who, token }: Caller,
    story: OrderScenario,
  ): Promise<void> {
    const naming = requestIdsOf(story);
    const { path, body, ids: names } = buildRequest(call, naming);
    const role = who?.user.role;
    const owns =
      who && (isParticipant(story, who) || (who === story.bud && names.every((id) => id === naming.address)));
    // What the rightful may do is tried elsewhere, and would change the state.
    if ((owns && !isReadOnly(call)) || canTakeStep(name, story, role)) return;
    suite.expectCases(1);
    const words = `${role ?? token ?? 'nobody'} asks ${name} (${story.state})`;
    const { status, text } = await sendRequest(call.method, path, { ...(token === undefined ? {} : { token }), body });
    expect(findAllLeaks(text, who), words).toEqual([]);
    const wanted = expectedRefusalStatuses(name, call, story, role);
    if (who === undefined || status === 403) expect(wanted, words).toContain(status);
    else if (!owns && names.length > 0 && wanted) expect(wanted, words).toContain(status);
    expect(status, words).toBeLessThan(500);
    suite.countCases();
  }

  test('no mail carries what is private of somebody else', async () => {
    const response = await fetch(`${pair.standIns.url}/sandbox/mail/messages`);
    const mails = (await response.json()) as { to: string; subject: string; text: string; html: string }[];
    const all = [...scenarios.flatMap(({ bud, scrub, duber }) => [bud, scrub, duber]), ...strangers];
    for (const mail of mails) {
      const reader = all.find(({ user }) => mail.to.includes(user.email));
      const found = findAllLeaks(`${mail.subject}\n${mail.text}\n${mail.html}`, reader);
      expect(found, `the mail to ${mail.to}: ${mail.subject}`).toEqual([]);
    }
    suite.recordFigure('mails', mails.length);
  });

  test('no log line carries anything private', () => {
    const lines = [...pair.first.log, ...pair.second.log];
    // One line a request, at least.
    expect(lines.length).toBeGreaterThan(requestCount);
    for (const line of lines) {
      expect(findAllLeaks(line, undefined), line).toEqual([]);
      expect(line).not.toMatch(/canary|Rubadub1!|@rubadub\.test|cnon:/);
    }
    suite.recordFigure('log lines', lines.length);
  });

  test('no event carries anything but what it is about, and a stranger hears of no order', () => {
    for (const [someone, { events: heard }] of streamClients) {
      expect(findAllLeaks(JSON.stringify(heard), undefined)).toEqual([]);
      // A Duber nearby is told of deliveries that wait, and that they are gone.
      for (const event of heard) {
        expect(someone.user.role).toBe('Duber');
        expect(event.entity).toBe('delivery');
        if (event.entity === 'delivery') expect(['Pending', 'Accepted']).toContain(event.status);
      }
    }
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

describePromise('swapped', (suite) => {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(suite.random() * list.length)] as T;

  test('is refused, whoever asks, and shows nothing', { timeout: TEST_TIMEOUT_MS }, async () => {
    const people = [...scenarios.flatMap(({ bud, scrub, duber }) => [bud, scrub, duber]), ...strangers];
    const statuses: Record<string, number> = {};
    let [left, filtered] = [suite.cases, 0];
    const swapOnce = async () => {
      const [name, call] = pick(AUTHENTICATED_CALLS);
      const [story, other, caller] = [pick(scenarios), pick(scenarios), pick(people)];
      if (isParticipant(story, caller) || caller === story.duber) return;
      const address = pick([story.bud, story.scrub, story.duber]);
      const naming = {
        ...requestIdsOf(story, address),
        bud: other.bud.user.id,
        scrub: pick([story, other]).scrub.user.id,
      };
      const { path, body, ids: names } = buildRequest(call, naming);
      const wanted = expectedRefusalStatuses(name, call, story, caller.user.role);
      if (names.length === 0 || !wanted) return;
      const { status, text } = await sendRequest(call.method, path, { token: caller.token, body });
      const words = `a ${caller.user.role} of another story asks ${name} (${story.state})`;
      expect(findAllLeaks(text, caller), words).toEqual([]);
      expect(wanted, words).toContain(status);
      statuses[status] = (statuses[status] ?? 0) + 1;
      left -= 1;
      suite.countCases();
    };
    // A filter that names what is not theirs finds nothing: filters narrow what one may see, and never widen it.
    const filterOnce = async () => {
      const [list, story, caller] = [pick(LISTS), pick(scenarios), pick(people)];
      if (isParticipant(story, caller) || caller === story.duber || !list.roles.includes(caller.user.role)) return;
      const [field, value] = pick(list.fields(requestIdsOf(story)));
      const operator = pick(['eq', 'in']);
      const filters = JSON.stringify([{ field, operator, value: operator === 'in' ? [value] : value }]);
      const path = `${list.path}?filters=${encodeURIComponent(filters)}`;
      const { status, text } = await sendRequest('GET', path, { token: caller.token });
      expect(findAllLeaks(text, caller), path).toEqual([]);
      expect(status, path).toBe(200);
      expect(text, path).toContain('"items":[],"totalCount":0');
      filtered += 1;
      left -= 1;
      suite.countCases();
    };
    const lane = async () => {
      while (left > 0) await (suite.random() < 0.2 ? filterOnce() : swapOnce());
    };
    await Promise.all(Array.from({ length: 6 }, lane));
    for (const [status, count] of Object.entries(statuses)) suite.recordFigure(`answered ${status}`, count);
    suite.recordFigure('filters that found nothing', filtered);
    expect(statuses[404]).toBeGreaterThan(suite.cases / 10);
  });
});
