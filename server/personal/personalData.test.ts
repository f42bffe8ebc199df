import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Role } from '../../domain/accounts.ts';
import { DAY_MS } from '../../domain/durations.ts';
import { PERSONAL_DATA, personalColumnsOf } from '../../domain/personal.ts';
import { eraseAndSignIn, makeCopy, signInAgain } from '../../testing/credentialCalls.ts';
import { createOperator } from '../../testing/operators.ts';
import { advanceDelivery, createOrderInStatus, findDeliveryId, orderBody, REVIEW } from '../../testing/orderSteps.ts';
import { readZip } from '../../testing/readZip.ts';
import { sendPhoto } from '../../testing/sentPhotos.ts';
import { DATABASE_KINDS, openTestServer, PASSWORD, type TestServer, type TestUser } from '../../testing/testServer.ts';
import { waitFor } from '../../testing/waits.ts';
import { findTallyErrors } from '../dashboards/tallies.sql.ts';
import { queryRow, queryRows } from '../db/database.ts';
import { findAuditProblems } from '../payments/ledger/audit.sql.ts';
import { csvPayoutMethod, runPayouts, sendPayouts } from '../payments/payouts/payouts.ts';
import { syncErasures } from './erasureList.ts';

const messageOf = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (error: Error) => error.message,
  );

describe.each(DATABASE_KINDS)('personal data on %s', (kind) => {
  let testServer: TestServer;
  const folder = mkdtempSync(join(tmpdir(), 'rubadub-erasures-'));
  beforeAll(async () => {
    testServer = await openTestServer(kind);
  });
  afterAll(async () => {
    await testServer?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const db = () => testServer.server.db;

  let people = 0;
  /** A person whose name, address, phone and mail are found nowhere else. */
  const createPerson = async (role: Role): Promise<{ user: TestUser; canaries: string[] }> => {
    people += 1;
    const mark = `${role.toLowerCase()}canary${people}`;
    const user = await testServer.createUser(role, {
      fullname: `Ada ${mark}`,
      email: `${mark}@rubadub.test`,
      north: 100 + people,
    });
    const phone = `+1212555${String(1000 + people)}`;
    await user.api.updateProfile({ body: { phone } });
    const [first] = user.user.addresses;
    const { latitude = 0, longitude = 0 } = first ?? {};
    const place = { id: first?.id ?? '', label: `label ${mark}`, address: `7 ${mark} Street`, latitude, longitude };
    await user.api.updateAddress({ body: place });
    return { user: { ...user, user: (await user.api.session()).user }, canaries: [mark, phone] };
  };

  /** Where a text is found in the database: every text, JSON and list of texts of every table. */
  const findTexts = async (texts: readonly string[]): Promise<string[]> => {
    const columns = await queryRows<{ table: string; name: string }>(
      db(),
      sql`select table_name as table, column_name as name from information_schema.columns where table_schema = 'public'
        and (data_type in ('text', 'json', 'jsonb') or udt_name = '_text') order by 1, 2`,
    );
    const found: string[] = [];
    for (const { table, name } of columns) {
      const row = await queryRow(
        db(),
        sql`select 1 as one from ${sql.table(table)} where ${sql.ref(name)}::text ilike any (${texts.map((text) => `%${text}%`)}) limit 1`,
      );
      if (row) found.push(`${table}.${name}`);
    }
    return found;
  };

  /** An order with a delivery there and back, reviews on all sides, a photo and a question that operators have answered. */
  const live = async (bud: TestUser, scrub: TestUser, duber: TestUser, words: string, instructions = words) => {
    const order = await createOrderInStatus({ bud, scrub }, 'Accepted', {
      orderInstructions: `The code is ${instructions}`,
    });
    await advanceDelivery(duber, findDeliveryId(order, 'Bud_To_Scrub'));
    for (const action of ['start-order', 'complete-order'] as const) await scrub.api[action]({ params: order });
    const done = await scrub.api.readOrder({ params: order });
    const back = findDeliveryId(done, 'Scrub_To_Bud');
    await advanceDelivery(duber, back);
    await bud.api.reviewToScrub({ params: order, body: { ...REVIEW, message: words, scrubId: scrub.user.id } });
    await scrub.api.reviewToBud({ params: order, body: { ...REVIEW, message: words, budId: bud.user.id } });
    await bud.api.reviewToDuber({ params: { id: back }, body: { ...REVIEW, message: words, duberId: duber.user.id } });
    const { id: caseId } = await bud.api.createCase({
      body: { kind: 'question', orderId: order.id, words, fileIds: [await sendPhoto(bud)] },
    });
    const olga = await createOperator(testServer);
    const reason = `${bud.user.fullname} and ${scrub.user.fullname} have called`;
    await olga.api.notePerson({ params: { id: bud.user.id }, body: { reason } });
    await olga.api.notePerson({ params: { id: scrub.user.id }, body: { reason } });
    await olga.api.closeCase({ params: { id: caseId }, body: { words, reason } });
    return { order };
  };

  const settle = async () => {
    await waitFor(async () => {
      const waiting = await queryRow(
        db(),
        sql`select 1 as one from payments where state in ('holding', 'capturing', 'voiding')
          union all select 1 from notifications where due_at is not null`,
      );
      if (waiting) throw new Error('something is still under way');
    });
  };

  const statusOf = async ({ user }: TestUser) =>
    (await queryRow<{ status: string }>(db(), sql`select status from erasures where id = ${user.id}`))?.status;

  /** Lets the time of an erasure pass. */
  const passDays = async (days: number) => {
    testServer.advanceClock(days * DAY_MS);
    testServer.server.wakeTimers();
  };
  const waitForErasure = (user: TestUser) =>
    waitFor(async () => {
      if ((await statusOf(user)) !== 'erased') throw new Error('not erased yet');
    });

  const filesOf = async ({ api }: TestUser) =>
    readZip(Buffer.from(await (await api.downloadPersonalData()).arrayBuffer()));

  const payAll = async () => {
    const context = { db: db(), now: testServer.now, newId: () => crypto.randomUUID() } as never;
    await runPayouts(context);
    await sendPayouts(context, csvPayoutMethod);
  };

  test('are in a copy with every personal column, photos and receipts, and with nothing that others keep for themselves', async () => {
    const [bud, scrub, duber] = [await createPerson('Bud'), await createPerson('Scrub'), await createPerson('Duber')];
    const { order } = await live(bud.user, scrub.user, duber.user, 'words of the copy');
    await settle();
    await makeCopy(bud.user);
    const files = await filesOf(bud.user);
    const rowsOf = (table: string) => JSON.parse(files.get(`data/${table}.json`)?.toString() ?? 'null') as object[];
    for (const [table, { parts = [] }] of Object.entries(PERSONAL_DATA)) {
      const own = parts.filter(({ whose = [] }) => whose.length > 0);
      if (own.length === 0) continue;
      expect(files.has(`data/${table}.json`), table).toBe(true);
      const columns = own.flatMap(personalColumnsOf);
      for (const row of rowsOf(table)) for (const name of Object.keys(row)) expect(columns, table).toContain(name);
    }
    expect(rowsOf('users')).toEqual([
      expect.objectContaining({
        fullname: bud.user.user.fullname,
        email: bud.user.user.email,
        password_hash: '(secret)',
      }),
    ]);
    expect(rowsOf('addresses')[0]).toMatchObject({ address: bud.user.user.addresses[0]?.address });
    expect(Object.keys(rowsOf('orders')[0] ?? {})).toEqual(
      expect.arrayContaining(['instructions', 'bud_address', 'total_price']),
    );
    expect([...files.keys()]).toEqual(
      expect.arrayContaining([
        'README.txt',
        `receipts/${order.number}.txt`,
        expect.stringMatching(/^photos\/.*\.jpg$/),
      ]),
    );
    const everything = [...files.values()].map((content) => content.toString('latin1')).join('\n');
    for (const canary of [...scrub.canaries, ...duber.canaries]) expect(everything).not.toContain(canary);
    expect(everything).not.toContain('argon2');
    const secrets = await queryRow<{ hash: string }>(
      db(),
      sql`select password_hash as hash from users where id = ${bud.user.user.id}`,
    );
    expect(everything).not.toContain(secrets?.hash);
  });

  test('are copied once a week, with the password, and only for their owner', async () => {
    const { user } = await createPerson('Bud');
    expect(await messageOf(user.api.exportPersonalData({ body: { password: 'wrong' } }))).toContain('wrong');
    expect(await messageOf(user.api.downloadPersonalData())).toBe('There is no copy of your data to download now');
    const asked = await Promise.all(
      [1, 2].map(() => messageOf(user.api.exportPersonalData({ body: { password: PASSWORD } }))),
    );
    expect(asked.filter((message) => message === 'done')).toHaveLength(1);
    await waitFor(async () => expect((await user.api.readPersonalData()).copy?.state).toBe('ready'));
    const { subject } = await testServer.waitForMail(user.user.email, 'copy of your');
    expect(subject).toContain('is ready');
    testServer.advanceClock(7 * DAY_MS + 1000);
    const again = await signInAgain(testServer, user);
    expect((await again.api.readPersonalData()).copy).toBeNull();
    expect(await messageOf(again.api.downloadPersonalData())).toBe('There is no copy of your data to download now');
    await makeCopy(again);
  });

  test('of a Bud leave no trace after the erasure but what the law keeps, encrypted', async () => {
    const [bud, scrub, duber] = [await createPerson('Bud'), await createPerson('Scrub'), await createPerson('Duber')];
    const words = `${bud.canaries[0]} has lost a button`;
    const { order } = await live(bud.user, scrub.user, duber.user, words);
    await settle();
    await makeCopy(bud.user);
    expect(await findTexts(bud.canaries)).toEqual(
      expect.arrayContaining(['users.fullname', 'steps.words', 'audit.reason']),
    );
    await testServer.waitForMail(bud.user.user.email, 'copy of your');
    await bud.user.api.eraseAccount({ body: { currentPassword: PASSWORD } });
    await testServer.waitForMail(bud.user.user.email, 'going to be deleted');
    await settle();
    await passDays(14);
    await waitForErasure(bud.user);

    expect(await findTexts(bud.canaries)).toEqual([]);
    const photos = await queryRows(
      db(),
      sql`select 1 as one from files f left join file_contents c on c.file_id = f.id
        where f.owner_id = ${bud.user.user.id} and (f.sha256 <> '' or c.content is not null)`,
    );
    expect(photos).toEqual([]);
    expect(await findAuditProblems(db())).toEqual([]);
    expect(await findTallyErrors(db())).toEqual([]);
    const olga = await createOperator(testServer);
    expect(await olga.api.verifyAudit()).toMatchObject({ brokenAt: null });
    // The others still see the order, and an operator who says why reads what the law keeps.
    const again = await signInAgain(testServer, scrub.user);
    expect(await again.api.readOrder({ params: order })).toMatchObject({
      bud: { fullname: 'Former Bud' },
      budAddress: { address: 'Address deleted' },
    });
    const params = { id: bud.user.user.id };
    await olga.api.showContact({ params, body: { reason: 'The tax office asks for a receipt' } });
    expect(await olga.api.readContact({ params })).toMatchObject({ email: bud.user.user.email });
    expect(await messageOf(signInAgain(testServer, bud.user))).toBe('Invalid email or password');
    // The address is free for a new account.
    const owner = await queryRow(db(), sql`select 1 as one from users where email_key = ${bud.user.user.email}`);
    expect(owner).toBeUndefined();
  });

  test('of somebody who is suspended stay until the suspension ends: nobody escapes it with a new account', async () => {
    const olga = await createOperator(testServer);
    const { user } = await createPerson('Bud');
    const params = { id: user.user.id };
    await olga.api.suspend({ params, body: { choices: [], signIn: false, reason: 'They were rude' } });
    const erase = () => messageOf(user.api.eraseAccount({ body: { currentPassword: PASSWORD } }));
    expect(await erase()).toBe('Something of yours is still open: a suspension, until it ends');
    expect((await user.api.readPersonalData()).open).toMatchObject([{ what: 'suspension' }]);
    const other = await createOperator(testServer);
    await other.api.reinstate({ params, body: { reason: 'They have said sorry' } });
    expect(await erase()).toBe('done');
  });

  test('of a worker are erased once everything they have earned is paid out', async () => {
    const [bud, scrub, duber] = [await createPerson('Bud'), await createPerson('Scrub'), await createPerson('Duber')];
    await live(bud.user, scrub.user, duber.user, `${scrub.canaries[0]} and ${duber.canaries[0]}`, scrub.canaries[0]);
    await settle();
    const erase = ({ api }: TestUser) => messageOf(api.eraseAccount({ body: { currentPassword: PASSWORD } }));
    expect(await erase(scrub.user)).toContain('that the town still pays out');
    expect((await scrub.user.api.readPersonalData()).open).toMatchObject([
      { what: 'balance', amount: expect.any(Number) },
    ]);
    await passDays(21);
    await payAll();
    for (const one of [scrub, duber]) {
      const again = await signInAgain(testServer, one.user);
      expect(await erase(again)).toBe('done');
    }
    await passDays(15);
    for (const one of [scrub, duber]) await waitForErasure(one.user);
    expect(await findTexts([...scrub.canaries, ...duber.canaries])).toEqual([]);
    expect(await findAuditProblems(db())).toEqual([]);
    expect(await findTallyErrors(db())).toEqual([]);
  });

  test('are as they were before when their owner keeps the account', async () => {
    const { user } = await createPerson('Scrub');
    const snapshot = async () => [
      await queryRow(db(), sql`select to_jsonb(u) as row from users u where id = ${user.user.id}`),
      await queryRow(db(), sql`select to_jsonb(p) as row from scrub_places p where scrub_id = ${user.user.id}`),
    ];
    const before = await snapshot();
    const again = await eraseAndSignIn(testServer, user);
    expect(await messageOf(user.api.session())).toBe('User not authenticated');
    expect((await again.api.session()).user.erasedAt).toEqual(expect.any(String));
    const hidden = await queryRow(db(), sql`select active from scrub_places where scrub_id = ${user.user.id}`);
    expect(hidden).toEqual({ active: false });
    const kept = await Promise.all([1, 2].map(() => messageOf(again.api.keepAccount())));
    expect(kept.toSorted()).toEqual(['This account is not going to be erased', 'done']);
    expect(await snapshot()).toEqual(before);
    expect(await messageOf(again.api.keepAccount())).toBe('This account is not going to be erased');
    await passDays(15);
    expect((await (await signInAgain(testServer, user)).api.session()).user.erasedAt).toBeNull();
    expect(await queryRows(db(), sql`select 1 as one from timers where subject_id = ${user.user.id}`)).toEqual([]);
  });

  test('stay while an order is open, also when it is placed at the same time', async () => {
    const [bud, scrub] = [await createPerson('Bud'), await createPerson('Scrub')];
    const outcomes: string[] = [];
    for (let round = 0; round < 6; round += 1) {
      const [user] = [(await createPerson('Bud')).user];
      const order = user.api.placeOrder({ body: orderBody({ bud: user, scrub: scrub.user }) });
      const [placed, erased] = await Promise.all([
        messageOf(order),
        messageOf(user.api.eraseAccount({ body: { currentPassword: PASSWORD } })),
      ]);
      const open = await queryRow(
        db(),
        sql`select 1 as one from orders where bud_id = ${user.user.id} and status = 'Requested'`,
      );
      // Never both: an order of somebody who is going to be erased.
      expect([Boolean(open), (await statusOf(user)) === 'cooling']).not.toEqual([true, true]);
      outcomes.push(`${placed === 'done'} ${erased === 'done'}`);
    }
    expect(outcomes).not.toContain('true true');
    const { id, number } = await createOrderInStatus({ bud: bud.user, scrub: scrub.user }, 'Requested');
    expect(await messageOf(bud.user.api.eraseAccount({ body: { currentPassword: PASSWORD } }))).toBe(
      `Something of yours is still open: ${number}`,
    );
    await bud.user.api['cancel-order']({ params: { id } });
    await settle();
    expect(await messageOf(bud.user.api.eraseAccount({ body: { currentPassword: PASSWORD } }))).toBe('done');
  });

  test('wait with their erasure while something was found open since', async () => {
    const [bud, scrub] = [await createPerson('Bud'), await createPerson('Scrub')];
    await createOrderInStatus({ bud: bud.user, scrub: scrub.user }, 'Cancelled');
    await settle();
    await bud.user.api.eraseAccount({ body: { currentPassword: PASSWORD } });
    await db().updateTable('payments').set({ state: 'stuck' }).where('bud_id', '=', bud.user.user.id).execute();
    await passDays(14);
    await waitFor(async () => {
      const { due } = (await queryRow<{ due: Date }>(
        db(),
        sql`select due_at as due from erasures where id = ${bud.user.user.id}`,
      )) ?? { due: new Date(0) };
      expect(due.getTime()).toBeGreaterThan(testServer.now().getTime());
    });
    expect(await statusOf(bud.user)).toBe('cooling');
    await db().updateTable('payments').set({ state: 'voided' }).where('bud_id', '=', bud.user.user.id).execute();
    await passDays(1);
    await waitForErasure(bud.user);
  });

  test('are erased again after a database was restored from before, and kept where their owner has kept the account', async () => {
    const list = join(folder, `${kind}.jsonl`);
    const sync = () => syncErasures(db(), list, testServer.now());
    const [erased, kept, asked] = [await createPerson('Bud'), await createPerson('Bud'), await createPerson('Bud')];
    await erased.user.api.eraseAccount({ body: { currentPassword: PASSWORD } });
    await passDays(14);
    await waitForErasure(erased.user);
    const [again, waiting] = [await signInAgain(testServer, kept.user), await signInAgain(testServer, asked.user)];
    await waiting.api.eraseAccount({ body: { currentPassword: PASSWORD } });
    const cooling = await eraseAndSignIn(testServer, again);
    const before = await queryRow<{ since: Date }>(db(), sql`select since from erasures where id = ${cooling.user.id}`);
    testServer.advanceClock(1000);
    await cooling.api.keepAccount();
    await sync();
    for (const canary of erased.canaries) expect(readFileSync(list, 'utf8')).not.toContain(canary);

    // The database as it was before: a person is back, one has not kept the account yet, and another has not asked.
    const ids = [erased.user.user.id, waiting.user.id];
    await db().deleteFrom('erasures').where('id', 'in', ids).execute();
    const back = {
      fullname: `Ada ${erased.canaries[0]}`,
      email: erased.user.user.email,
      phone: erased.canaries[1] ?? '',
    };
    await db().updateTable('users').set(back).where('id', '=', erased.user.user.id).execute();
    await db()
      .updateTable('erasures')
      .set({ status: 'cooling', since: before?.since ?? new Date(0) })
      .where('id', '=', cooling.user.id)
      .execute();
    expect(await findTexts(erased.canaries)).not.toEqual([]);
    await sync();
    testServer.server.wakeTimers();
    await waitForErasure(erased.user);
    expect(await findTexts(erased.canaries)).toEqual([]);
    expect([await statusOf(waiting), await statusOf(cooling)]).toEqual(['cooling', 'active']);
    await sync();
    expect([await statusOf(erased.user), await statusOf(waiting)]).toEqual(['erased', 'cooling']);
  });

  test('are erased on a letter once a second operator agrees', async () => {
    const { user } = await createPerson('Bud');
    const [olga, ben] = [await createOperator(testServer), await createOperator(testServer)];
    const { approvalId } = await olga.api.erasePerson({
      params: { id: user.user.id },
      body: { reason: 'Their letter' },
    });
    expect(await statusOf(user)).toBeUndefined();
    await ben.api.approve({ params: { id: approvalId ?? '' }, body: { reason: 'I have read the letter' } });
    expect(await statusOf(user)).toBe('cooling');
    expect((await olga.api.readPerson({ params: { id: user.user.id } })).erasure).toMatchObject({ status: 'cooling' });
    await testServer.waitForMail(user.user.email, 'going to be deleted');
  });
});
