import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEVICE_HEADER } from '../../contract/call.ts';
import { expectValidationErrors, sendRequest } from '../../testing/checkedClient.ts';
import { withConnection } from '../../testing/databaseConnection.ts';
import { holdTransaction } from '../../testing/holdTransaction.ts';
import { createRandom, type Random } from '../../testing/random.ts';
import { openTestServer, PASSWORD, RULE_DATABASES, type TestServer } from '../../testing/testServer.ts';
import { waitFor } from '../../testing/waits.ts';
import { deleteSessionsOf } from '../auth/sessions.sql.ts';
import { clientOf, openSession } from '../auth/sessions.ts';
import { type Database, openEmbeddedDatabase, openServerDatabase, type Tx, transact } from '../db/database.ts';
import { ensureSchema } from '../db/ensureSchema.ts';
import { setPassword } from './accounts.sql.ts';

const FIREFOX = 'Mozilla/5.0 (Android 14; Mobile; rv:132.0) Gecko/132.0 Firefox/132.0';

type Client = { readonly address?: string; readonly device?: string; readonly userAgent?: string };

const headersOf = ({ address, device, userAgent }: Client) => ({
  ...(address === undefined ? {} : { 'x-forwarded-for': address }),
  ...(device === undefined ? {} : { [DEVICE_HEADER]: device }),
  ...(userAgent === undefined ? {} : { 'user-agent': userAgent }),
});

describe.each(RULE_DATABASES)('signing in on %s', (kind) => {
  let server: TestServer;
  let lastAddress = 0;

  beforeAll(async () => {
    server = await openTestServer(kind, { env: { TRUST_PROXY: 'on' }, isClockStopped: true });
  });
  afterAll(() => server?.close());

  const newAddress = () => {
    lastAddress += 1;
    return `203.0.113.${lastAddress}`;
  };
  const newDevice = () => newId().replaceAll('-', '');
  const post = (path: string, body: object, client: Client = {}) =>
    sendRequest(server.apiUrl, 'POST', path, { body, headers: headersOf(client) });
  const signIn = async (email: string, client: Client = {}, password = PASSWORD) =>
    (await post('/auth/login', { email, password }, client)).status;
  const mailsTo = async (email: string, subject: string) => {
    const response = await fetch(`${server.sandboxUrl}/sandbox/mail/messages?to=${encodeURIComponent(email)}`);
    const mails = (await response.json()) as { subject: string; text: string }[];
    return mails.filter((mail) => mail.subject.includes(subject)).map(({ text }) => text);
  };
  const waitForMails = (email: string, subject: string, count: number) =>
    waitFor(async () => {
      const mails = await mailsTo(email, subject);
      if (mails.length < count) throw new Error(`${mails.length} of ${count} mails`);
      return mails;
    });
  const tokenIn = (text: string) => /token=([\w-]+)/.exec(text)?.[1] ?? '';
  const forget = (email: string, client: Client = {}) => post('/auth/forgot-password', { email }, client);
  const linkOf = async (email: string) => tokenIn((await waitForMails(email, 'Set a new', 1))[0] ?? '');
  const reset = (token: string, client: Client = {}) =>
    post('/auth/reset-password', { token, newPassword: 'Rubadub2!' }, client);

  describe('with the old password while it is reset', () => {
    const isAlive = async (token: string | undefined) =>
      token !== undefined && (await sendRequest(server.apiUrl, 'GET', '/auth/session', { token })).status === 200;

    test('opens no session that outlives the reset', async () => {
      for (let round = 0; round < 4; round += 1) {
        const { email } = (await server.createUser('Bud')).user;
        await forget(email);
        const link = await linkOf(email);
        // The reset comes first: it hashes its password while the sign-in waits to check its own.
        const [resetReply, signInReply] = await Promise.all([
          reset(link),
          post('/auth/login', { email, password: PASSWORD }),
        ]);
        expect(resetReply.status).toBe(200);
        expect([200, 401]).toContain(signInReply.status);
        expect(await isAlive(signInReply.body.authToken), `round ${round}`).toBe(false);
      }
    });

    test.runIf(kind === 'postgres')('waits for the reset, and is then refused as a wrong password', async () => {
      const { user } = await server.createUser('Bud');
      await forget(user.email);
      const link = await linkOf(user.email);
      await withConnection(server.databaseUrl, async (client) => {
        await client.query('begin');
        await client.query('select 1 from users where id = $1 for update', [user.id]);
        const waiting = (count: number) =>
          waitFor(async () => {
            const { rows } = await client.query(`select count(*)::int as count from pg_stat_activity
              where datname = current_database() and wait_event_type = 'Lock'`);
            if (rows[0].count !== count) throw new Error(`${rows[0].count} of ${count} wait`);
          });
        const resetReply = reset(link);
        await waiting(1);
        // It reads the old password's hash, finds that it is right, and waits behind the reset.
        const signInReply = post('/auth/login', { email: user.email, password: PASSWORD });
        await waiting(2);
        await client.query('commit');
        expect((await resetReply).status).toBe(200);
        const { status, body } = await signInReply;
        expect([status, body.message]).toEqual([401, 'Invalid email or password']);
      });
    });

    test.runIf(kind === 'postgres')('waits for a change of the e-mail address, and is then refused', async () => {
      const { user } = await server.createUser('Bud');
      await withConnection(server.databaseUrl, async (client) => {
        await client.query('begin');
        await client.query(`update users set email_key = 'new-' || email_key where id = $1`, [user.id]);
        const signInReply = post('/auth/login', { email: user.email, password: PASSWORD });
        await waitFor(async () => {
          const { rows } = await client.query(`select 1 from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`);
          if (rows.length === 0) throw new Error('it does not wait yet');
        });
        await client.query('commit');
        const { status, body } = await signInReply;
        expect([status, body.message]).toEqual([401, 'Invalid email or password']);
      });
    });

    // The embedded database runs one transaction after the other, so races differ only in their order.
    const races = Number(process.env.RACES ?? (kind === 'postgres' ? 1_000 : 200));
    test(`opens no session in any of ${races} races with the statements of a reset`, async () => {
      const database = await openRaceDatabase(server);
      try {
        const seed = Number(process.env.STORM_SEED ?? Math.floor(Math.random() * 1e9));
        const random = createRandom(seed);
        let [refused, raced] = [0, 0];
        const alive: object[] = [];
        // Both must happen: sessions that are refused, and sessions that the reset ends.
        const isOneSided = () => refused === 0 || refused === raced;
        while (raced < races || (isOneSided() && raced < 10 * races)) {
          const result = await raceSignInsWithResets(database.db, 50, random);
          alive.push(...result.alive);
          refused += result.refused;
          raced += 50;
        }
        expect(alive, `STORM_SEED=${seed}, after ${raced} races`).toEqual([]);
        expect(isOneSided(), `${refused} of ${raced} were refused`).toBe(false);
      } finally {
        await database.close();
      }
    });
  });

  describe('after wrong passwords', () => {
    const guess = async (email: string, client: Client, times = 5) => {
      const statuses = [];
      for (let count = 0; count < times; count += 1) statuses.push(await signIn(email, client, 'Wrong-Pass1'));
      return statuses;
    };

    test('waits in the network that guessed, and nowhere else', async () => {
      const { email } = (await server.createUser('Bud')).user;
      const [attacker, newPlace] = [{ address: newAddress() }, { address: newAddress() }];
      expect(await guess(email, attacker, 6)).toEqual([401, 401, 401, 401, 401, 429]);
      expect(await signIn(email, attacker)).toBe(429);
      expect([await signIn(email), await signIn(email, newPlace)]).toEqual([200, 200]);
      expect(await signIn(email, attacker)).toBe(429);
    });

    test('is possible from a device that has signed in before, even in the network that has to wait', async () => {
      const { email } = (await server.createUser('Bud')).user;
      const phone = { device: newDevice() };
      expect(await signIn(email, phone)).toBe(200);
      await guess(email, {});
      expect([await signIn(email), await signIn(email, { device: newDevice() })]).toEqual([429, 429]);
      expect(await signIn(email, phone)).toBe(200);
      expect(await guess(email, phone, 6)).toEqual([401, 401, 401, 401, 401, 429]);
      expect([await signIn(email, phone), await signIn(email, { address: newAddress() })]).toEqual([429, 200]);
    });

    test('is possible where a reset link was used', async () => {
      const { email } = (await server.createUser('Bud')).user;
      const away = { address: newAddress(), device: newDevice() };
      await guess(email, away);
      await forget(email, away);
      expect((await reset(await linkOf(email), away)).status).toBe(200);
      await guess(email, { address: away.address });
      expect(await signIn(email, { address: away.address }, 'Rubadub2!')).toBe(429);
      expect(await signIn(email, away, 'Rubadub2!')).toBe(200);
    });

    test('refuses a device id that is no random id, in words', async () => {
      const body = { email: 'nobody@rubadub.test', password: PASSWORD };
      for (const device of ['short', 'x'.repeat(87), 'not base64url, but long enough']) {
        expect(expectValidationErrors(await post('/auth/login', body, { device }))).toEqual([
          [DEVICE_HEADER, expect.stringContaining('at least 128 random bits')],
        ]);
      }
    });
  });

  test('strangers cannot use up the reset mails of the owner, and old links stay dead', async () => {
    const { email } = (await server.createUser('Bud')).user;
    const phone = { device: newDevice() };
    expect(await signIn(email, phone)).toBe(200);
    // Three of a network are answered, and ten in all.
    for (let network = 0; network < 5; network += 1) {
      const address = newAddress();
      for (let times = 0; times < 4; times += 1) await forget(email, { address });
    }
    const toStrangers = await waitForMails(email, 'Set a new', 10);
    await forget(email);
    await waitForMails(email, 'Set a new', 11);
    await forget(email, { ...phone, address: newAddress() });
    const all = await waitForMails(email, 'Set a new', 12);
    expect([toStrangers.length, all.length]).toEqual([10, 12]);
    for (const text of toStrangers) expect((await reset(tokenIn(text))).status).toBe(401);
    const statuses = await Promise.all(all.map(async (text) => (await reset(tokenIn(text))).status));
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  });

  test('sends a mail when a device is new, and only then', async () => {
    const subject = 'A new sign-in';
    const { user } = await server.createUser('Bud');
    const [address, device] = [newAddress(), newDevice()];
    const phone = { address, device, userAgent: FIREFOX };
    // The browser and network of the sign-up are known.
    expect(await signIn(user.email)).toBe(200);
    expect(await Promise.all([1, 2, 3, 4].map(() => signIn(user.email, phone)))).toEqual([200, 200, 200, 200]);
    const [text = ''] = await waitForMails(user.email, subject, 1);
    for (const part of ['Firefox on Android', '203.0.x.x', 'UTC', '/#/auth/forgot-password', '/#/profile']) {
      expect(text).toContain(part);
    }
    expect(text).not.toContain(address);
    expect(text).not.toMatch(/\d{6}/);
    expect(await signIn(user.email, { device, address: newAddress() })).toBe(200);
    expect(await signIn(user.email, { address, userAgent: FIREFOX })).toBe(200);
    // The same network with another browser is a new device.
    expect(await signIn(user.email, { userAgent: FIREFOX })).toBe(200);
    expect(await waitForMails(user.email, subject, 2)).toHaveLength(2);
  });
});

/** A database for many transactions at once, without a server. */
async function openRaceDatabase({ databaseUrl }: TestServer): Promise<Database> {
  if (databaseUrl !== undefined) return openServerDatabase(databaseUrl);
  const database = await openEmbeddedDatabase(undefined);
  await ensureSchema(database.db);
  return database;
}

/** People whose sessions are opened with the hash that was checked while their passwords are reset. */
async function raceSignInsWithResets(db: Tx, count: number, random: Random) {
  const ids = Array.from({ length: count }, () => newId());
  const people = ids.map((id) => ({
    id,
    fullname: 'Ada',
    email: id,
    email_key: id,
    role: 'Bud' as const,
    password_hash: 'old',
  }));
  await db
    .insertInto('users')
    .values(people.map((person) => ({ ...person, created_at: new Date() })))
    .execute();
  const client = clientOf({ from: '203.0.113.9', userAgent: '', device: undefined });
  const outcomes = ids.map(async (id) => {
    const account = { id, emailKey: id, passwordHash: 'old' };
    const signIn = () => transact(db, (tx) => openSession(tx, account, client, new Date()));
    const reset = () =>
      holdTransaction(db, async (tx) => {
        await setPassword(tx, id, 'new');
        await deleteSessionsOf(tx, id);
      });
    const isResetFirst = random() < 0.5;
    const [first, second] = isResetFirst ? [reset, signIn] : [signIn, reset];
    const results = await Promise.all([first(), second()]);
    const outcome = results[isResetFirst ? 1 : 0] === undefined ? 'refused' : 'ended';
    return { id, outcome, isResetFirst };
  });
  const settled = await Promise.all(outcomes);
  const alive = await db.selectFrom('sessions').select('user_id').where('user_id', 'in', ids).execute();
  return {
    alive: settled.filter(({ id }) => alive.some(({ user_id }) => user_id === id)),
    refused: settled.filter(({ outcome }) => outcome === 'refused').length,
  };
}
