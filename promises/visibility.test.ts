import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Someone } from '../testing/testServer.ts';
import { askAbout, CALLS, isOpenTo, isParty, isRead, mustRefuse, type Naming, namingOf } from './accessCells.ts';
import { leaksIn, STATES, type Story, tellStory } from './canaries.ts';
import { PATIENCE_MS, promised } from './promiseSuite.ts';
import { openPair, type Pair } from './serverPair.ts';
import { type Follower, follow } from './streamClients.ts';

let pair: Pair;
let stories: Story[];
let strangers: Someone[];
const followers = new Map<Someone, Follower>();

beforeAll(async () => {
  pair = await openPair({ env: { SQUARE_ACCESS_TOKEN: 'canary-card-network-key' } });
  strangers = await Promise.all((['Bud', 'Scrub', 'Duber'] as const).map((role) => pair.join(role, { north: 350 })));
  const hosts = () => [pair.first.host, pair.second.host];
  for (const one of strangers) followers.set(one, follow(hosts, one.token, Math.random));
  await Promise.all([...followers.values()].map(({ connected }) => connected));
  stories = await Promise.all(Object.keys(STATES).map((state) => tellStory(pair, state)));
}, PATIENCE_MS);
afterAll(async () => {
  await Promise.all([...followers.values()].map((one) => one.stop()));
  await pair?.close();
});

let asked = 0;
const DEAD = 'A'.repeat(43);

type Answer = { readonly status: number; readonly text: string };

/** Asks as somebody, or as nobody, and gives the status and everything that was answered. */
async function ask(
  method: string,
  path: string,
  given: { token?: string; body?: string | undefined },
  again = false,
): Promise<Answer> {
  const { token, body } = given;
  asked += 1;
  const host = path.length % 2 ? pair.first.host : pair.second.host;
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
  if (response.status === 503 && !again) return ask(method, path, given, true);
  return { status: response.status, text };
}

const leaks = (text: string, caller: Someone | undefined) => stories.flatMap((story) => leaksIn(text, story, caller));

promised('cells', (suite) => {
  type Caller = { readonly who: Someone | undefined; readonly token: string | undefined };

  test.each(Object.keys(STATES))(
    'each call by each kind of caller, in the state %s',
    { timeout: PATIENCE_MS },
    async (state) => {
      const story = stories.find((one) => one.state === state) as Story;
      const people = [story.bud, story.scrub, story.duber, ...strangers];
      const nobodies: Caller[] = [undefined, DEAD].map((token) => ({ who: undefined, token }));
      const callers = [...nobodies, ...people.map((who): Caller => ({ who, token: who.token }))];
      for (const call of CALLS) for (const caller of callers) await look(call, caller, story);
    },
  );

  async function look([name, call]: (typeof CALLS)[number], { who, token }: Caller, story: Story): Promise<void> {
    const naming = namingOf(story);
    const { path, body, names } = askAbout(call, naming);
    const role = who?.user.role;
    const owns = who && (isParty(story, who) || (who === story.bud && names.every((id) => id === naming.address)));
    // What the rightful may do is tried elsewhere, and would change the state.
    if ((owns && !isRead(call)) || isOpenTo(name, story, role)) return;
    suite.states(1);
    const words = `${role ?? token ?? 'nobody'} asks ${name} (${story.state})`;
    const { status, text } = await ask(call.method, path, { ...(token === undefined ? {} : { token }), body });
    expect(leaks(text, who), words).toEqual([]);
    const wanted = mustRefuse(name, call, story, role);
    if (who === undefined || status === 403) expect(wanted, words).toContain(status);
    else if (!owns && names.length > 0 && wanted) expect(wanted, words).toContain(status);
    expect(status, words).toBeLessThan(500);
    suite.ran();
  }

  test('no mail carries what is private of somebody else', async () => {
    const response = await fetch(`${pair.standIns.url}/sandbox/mail/messages`);
    const mails = (await response.json()) as { to: string; subject: string; text: string; html: string }[];
    const all = [...stories.flatMap(({ bud, scrub, duber }) => [bud, scrub, duber]), ...strangers];
    for (const mail of mails) {
      const reader = all.find(({ user }) => mail.to.includes(user.email));
      const found = leaks(`${mail.subject}\n${mail.text}\n${mail.html}`, reader);
      expect(found, `the mail to ${mail.to}: ${mail.subject}`).toEqual([]);
    }
    suite.figure('mails', mails.length);
  });

  test('no log line carries anything private', () => {
    const lines = [...pair.first.log, ...pair.second.log];
    // One line a request, at least.
    expect(lines.length).toBeGreaterThan(asked);
    for (const line of lines) {
      expect(leaks(line, undefined), line).toEqual([]);
      expect(line).not.toMatch(/canary|Rubadub1!|@rubadub\.test|cnon:/);
    }
    suite.figure('log lines', lines.length);
  });

  test('no event carries anything but what it is about, and a stranger hears of no order', () => {
    for (const [someone, { heard }] of followers) {
      expect(leaks(JSON.stringify(heard), undefined)).toEqual([]);
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
    fields: ({ order, bud, scrub }: Naming) => Object.entries({ id: order, budId: bud, scrubId: scrub }),
  },
  {
    path: '/deliveries',
    roles: ['Bud', 'Scrub', 'Duber'],
    fields: ({ order, delivery, bud, scrub, duber }: Naming) =>
      Object.entries({ id: delivery, orderId: order, budId: bud, scrubId: scrub, duberId: duber }),
  },
];

promised('swapped', (suite) => {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(suite.random() * list.length)] as T;

  test('is refused, whoever asks, and shows nothing', { timeout: PATIENCE_MS }, async () => {
    const people = [...stories.flatMap(({ bud, scrub, duber }) => [bud, scrub, duber]), ...strangers];
    const statuses: Record<string, number> = {};
    let [left, filtered] = [suite.cases, 0];
    const swapOnce = async () => {
      const [name, call] = pick(CALLS);
      const [story, other, caller] = [pick(stories), pick(stories), pick(people)];
      if (isParty(story, caller) || caller === story.duber) return;
      const address = pick([story.bud, story.scrub, story.duber]);
      const naming = { ...namingOf(story, address), bud: other.bud.user.id, scrub: pick([story, other]).scrub.user.id };
      const { path, body, names } = askAbout(call, naming);
      const wanted = mustRefuse(name, call, story, caller.user.role);
      if (names.length === 0 || !wanted) return;
      const { status, text } = await ask(call.method, path, { token: caller.token, body });
      const words = `a ${caller.user.role} of another story asks ${name} (${story.state})`;
      expect(leaks(text, caller), words).toEqual([]);
      expect(wanted, words).toContain(status);
      statuses[status] = (statuses[status] ?? 0) + 1;
      left -= 1;
      suite.ran();
    };
    // A filter that names what is not theirs finds nothing: filters narrow what one may see, and never widen it.
    const filterOnce = async () => {
      const [list, story, caller] = [pick(LISTS), pick(stories), pick(people)];
      if (isParty(story, caller) || caller === story.duber || !list.roles.includes(caller.user.role)) return;
      const [field, value] = pick(list.fields(namingOf(story)));
      const operator = pick(['eq', 'in']);
      const filters = JSON.stringify([{ field, operator, value: operator === 'in' ? [value] : value }]);
      const path = `${list.path}?filters=${encodeURIComponent(filters)}`;
      const { status, text } = await ask('GET', path, { token: caller.token });
      expect(leaks(text, caller), path).toEqual([]);
      expect(status, path).toBe(200);
      expect(text, path).toContain('"items":[],"totalCount":0');
      filtered += 1;
      left -= 1;
      suite.ran();
    };
    const lane = async () => {
      while (left > 0) await (suite.random() < 0.2 ? filterOnce() : swapOnce());
    };
    await Promise.all(Array.from({ length: 6 }, lane));
    for (const [status, count] of Object.entries(statuses)) suite.figure(`answered ${status}`, count);
    suite.figure('filters that found nothing', filtered);
    expect(statuses[404]).toBeGreaterThan(suite.cases / 10);
  });
});
