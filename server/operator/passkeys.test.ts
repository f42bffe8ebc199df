import { describe, expect, test } from 'vitest';
import type { UsedPasskey } from '../../contract/operator/passkeys.ts';
import { MINUTE_MS } from '../../domain/durations.ts';
import { MAX_PASSKEYS } from '../../domain/operators.ts';
import { expectFailure, outcomeOf } from '../../testing/checkedClient.ts';
import { codeAt, createOperator, operatorClient, type TestOperator, tokenOf } from '../../testing/operators.ts';
import { openPasskeyHarness } from '../../testing/passkeyHarness.ts';
import { addPasskeyOf, type Lies, makePasskey, type SoftwarePasskey } from '../../testing/passkeys.ts';
import { PASSWORD, RULE_DATABASES } from '../../testing/testServer.ts';

const REASON = 'Because of the test';

const messageOf = async (promise: Promise<unknown>) => (await expectFailure(promise)).message;

describe.each(RULE_DATABASES)('passkeys of operators, on %s', (kind) => {
  const harness = openPasskeyHarness(kind);
  const { visitor, account, requestOf, signIn } = harness;
  const signInWith = async (operator: TestOperator, passkey: SoftwarePasskey, lies: Lies = {}) =>
    signIn(operator, passkey.use(await requestOf(operator), lies));
  const auditOf = async (operator: TestOperator) => {
    const subjectId = operator.session.operator.id;
    const rows = await harness.testServer.server.db
      .selectFrom('audit')
      .select('action')
      .where('subject_id', '=', subjectId)
      .orderBy('id')
      .execute();
    return rows.map(({ action }) => action);
  };

  test('a passkey signs in instead of a code, once it was added', async () => {
    const ada = await createOperator(harness.testServer);
    expect(await outcomeOf(visitor().operatorSignIn({ body: account(ada) }))).toBe('codeNeeded');
    expect(await outcomeOf(requestOf(ada))).toBe('noPasskey');
    const passkey = await addPasskeyOf(ada, 'Work laptop');
    expect(await messageOf(visitor().operatorSignIn({ body: account(ada) }))).toBe(
      'Enter the code of your authenticator app, or use a passkey',
    );
    const { session } = await signInWith(ada, passkey);
    expect(session.operator).toEqual(ada.session.operator);
    expect((await ada.api.listPasskeys()).items).toEqual([
      {
        ...{ id: passkey.id, name: 'Work laptop', site: 'localhost' },
        ...{ createdAt: expect.any(String), lastUsedAt: expect.any(String) },
      },
    ]);
    expect(await auditOf(ada)).toEqual(['join', 'addPasskey']);
    expect((await harness.testServer.waitForMail(ada.email, 'passkey')).text).toContain('“Work laptop”');
    // The authenticator app still works.
    await visitor().operatorSignIn({ body: { ...account(ada), code: ada.nextCode() } });
  });

  test('a passkey needs the right password, also to be asked for', async () => {
    const ada = await createOperator(harness.testServer);
    const passkey = await addPasskeyOf(ada);
    const wrong = { email: ada.email, password: 'Wrong-1!' };
    expect(await outcomeOf(visitor().beginPasskeySignIn({ body: wrong }))).toBe('wrongPassword');
    const used = passkey.use(await requestOf(ada));
    expect(await outcomeOf(visitor().operatorSignIn({ body: { ...wrong, passkey: used } }))).toBe('wrongPassword');
  });

  test('a passkey counts as a new code where one is asked for', async () => {
    const ada = await createOperator(harness.testServer);
    const passkey = await addPasskeyOf(ada);
    harness.testServer.advanceClock(16 * MINUTE_MS);
    expect(await outcomeOf(ada.api.beginPasskey({ body: {} }))).toBe('codeTooOld');
    await ada.api.enterPasskey({ body: { passkey: passkey.use(await ada.api.beginPasskeyEntry({ body: {} })) } });
    await ada.api.beginPasskey({ body: {} });
  });

  test('adding and removing one needs a fresh second factor, and the authenticator app stays', async () => {
    const ada = await createOperator(harness.testServer);
    const passkey = await addPasskeyOf(ada);
    const { origin } = await ada.api.listPasskeys();
    const next = makePasskey(await ada.api.beginPasskey({ body: {} }), origin ?? '');
    harness.testServer.advanceClock(16 * MINUTE_MS);
    const remove = { params: { id: passkey.id }, body: {} };
    expect(await outcomeOf(ada.api.addPasskey({ body: { name: 'Phone', passkey: next.made } }))).toBe('codeTooOld');
    expect(await outcomeOf(ada.api.removePasskey(remove))).toBe('codeTooOld');
    await ada.api.enterCode({ body: { code: ada.nextCode() } });
    await ada.api.removePasskey(remove);
    expect(await outcomeOf(ada.api.removePasskey(remove))).toBe('notFound');
    expect((await ada.api.listPasskeys()).items).toEqual([]);
    expect(await auditOf(ada)).toEqual(['join', 'addPasskey', 'removePasskey']);
    await visitor().operatorSignIn({ body: { ...account(ada), code: ada.nextCode() } });
  });

  test('a removed passkey signs in no more, also when it was asked for before', async () => {
    const ada = await createOperator(harness.testServer);
    const [removed, kept] = [await addPasskeyOf(ada, 'Old'), await addPasskeyOf(ada, 'New')];
    const used = removed.use(await requestOf(ada));
    await ada.api.removePasskey({ params: { id: removed.id }, body: {} });
    expect(await outcomeOf(signIn(ada, used))).toBe('wrongPasskey');
    expect(await outcomeOf(signInWith(ada, removed))).toBe('wrongPasskey');
    await signInWith(ada, kept);
  });

  test('an operator sees, uses and removes no passkey of another one', async () => {
    const [ada, eve] = [await createOperator(harness.testServer), await createOperator(harness.testServer)];
    const passkey = await addPasskeyOf(ada);
    const own = await addPasskeyOf(eve);
    expect(await outcomeOf(signInWith(eve, passkey))).toBe('wrongPasskey');
    // With the name of a passkey of Ada, and with the signature of one that is not hers.
    expect(await outcomeOf(signInWith(ada, own, { credentialId: passkey.made.id }))).toBe('wrongPasskey');
    expect(await outcomeOf(eve.api.removePasskey({ params: { id: passkey.id }, body: {} }))).toBe('notFound');
    expect((await eve.api.listPasskeys()).items.map(({ id }) => id)).toEqual([own.id]);
    const taken = addPasskeyOf(eve, 'Taken', { credentialId: passkey.made.id });
    expect(await outcomeOf(taken)).toBe('passkeyKnown');
    await signInWith(ada, passkey);
  });

  const LIES: [string, Lies][] = [
    ['of another origin', { origin: 'https://rubadub.example' }],
    ['of another port of this machine', { origin: 'http://localhost:1' }],
    ['for another site', { site: 'rubadub.example' }],
    ['for another challenge', { challenge: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
    ['of another kind', { type: 'webauthn.other' }],
    ['that nobody has touched', { isAbsent: true }],
    ['that does not know who has touched it', { isUnverified: true }],
  ];
  test.each(LIES)('an answer %s neither adds a passkey nor signs in', async (_what, lies) => {
    const ada = await createOperator(harness.testServer);
    expect(await outcomeOf(addPasskeyOf(ada, 'Lies', lies))).toBe('wrongPasskey');
    const passkey = await addPasskeyOf(ada);
    expect(await outcomeOf(signInWith(ada, passkey, lies))).toBe('wrongPasskey');
    await signInWith(ada, passkey);
  });

  test('an answer counts once, for its purpose and its operator, and for five minutes', async () => {
    const [ada, eve] = [await createOperator(harness.testServer), await createOperator(harness.testServer)];
    const passkey = await addPasskeyOf(ada, 'Does not count', { counts: false });
    await addPasskeyOf(eve);
    const signInAsAda = (used: UsedPasskey) => signIn(ada, used);
    const used = passkey.use(await requestOf(ada));
    await signInAsAda(used);
    expect(await outcomeOf(signInAsAda(used))).toBe('wrongPasskey');
    expect(await outcomeOf(signInAsAda(passkey.use(await ada.api.beginPasskeyEntry({ body: {} }))))).toBe(
      'wrongPasskey',
    );
    expect(await outcomeOf(signInAsAda(passkey.use(await requestOf(eve))))).toBe('wrongPasskey');
    await signInAsAda(passkey.use(await requestOf(ada)));
    const late = passkey.use(await requestOf(ada));
    harness.testServer.advanceClock(5 * MINUTE_MS);
    expect(await outcomeOf(signInAsAda(late))).toBe('wrongPasskey');
    // Also one that was refused is used up.
    const request = await requestOf(ada);
    expect(await outcomeOf(signInAsAda(passkey.use(request, { isUnverified: true })))).toBe('wrongPasskey');
    expect(await outcomeOf(signInAsAda(passkey.use(request)))).toBe('wrongPasskey');
  });

  test('of more than five challenges that wait for an answer, the oldest go', async () => {
    const ada = await createOperator(harness.testServer);
    const passkey = await addPasskeyOf(ada);
    const uses: ReturnType<SoftwarePasskey['use']>[] = [];
    for (let n = 0; n < 6; n += 1) {
      harness.testServer.advanceClock(1000);
      uses.push(passkey.use(await ada.api.beginPasskeyEntry({ body: {} })));
    }
    const enter = (used: ReturnType<SoftwarePasskey['use']> | undefined) =>
      ada.api.enterPasskey({ body: { passkey: used ?? expect.fail() } });
    expect(await outcomeOf(enter(uses[0]))).toBe('wrongPasskey');
    await enter(uses[1]);
  });

  test("the statement of a device's maker is not read", async () => {
    const ada = await createOperator(harness.testServer);
    await signInWith(ada, await addPasskeyOf(ada, 'Another format', { format: 'packed' }));
  });

  test('of many answers to one challenge, one is accepted', async () => {
    const ada = await createOperator(harness.testServer);
    const passkey = await addPasskeyOf(ada, 'Does not count', { counts: false });
    const request = await ada.api.beginPasskeyEntry({ body: {} });
    // Fewer than the wrong tries that are free, which would refuse the right one as well.
    const uses = Array.from({ length: 4 }, () => ada.api.enterPasskey({ body: { passkey: passkey.use(request) } }));
    const results = await Promise.allSettled(uses);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('a counter that goes backwards is refused, and the town hears of it', async () => {
    const ada = await createOperator(harness.testServer);
    const passkey = await addPasskeyOf(ada, 'Copied');
    for (let n = 0; n < 3; n += 1) await signInWith(ada, passkey);
    // Only the key itself raises the alarm.
    const own = await addPasskeyOf(ada, 'Another');
    const lies = { credentialId: passkey.made.id, counter: 1 };
    expect(await outcomeOf(signInWith(ada, own, lies))).toBe('wrongPasskey');
    expect(await auditOf(ada)).toEqual(['join', 'addPasskey', 'addPasskey']);
    for (const counter of [3, 0]) expect(await outcomeOf(signInWith(ada, passkey, { counter }))).toBe('wrongPasskey');
    expect((await auditOf(ada)).slice(3)).toEqual(['refusePasskey', 'refusePasskey']);
    expect((await harness.testServer.waitForMail(ada.email, 'passkey')).text).toContain('may have been copied');
  });

  test('a counter may be as large as authenticators send it', async () => {
    const ada = await createOperator(harness.testServer);
    const passkey = await addPasskeyOf(ada);
    for (const counter of [2 ** 31, 2 ** 32 - 1])
      expect(await outcomeOf(signInWith(ada, passkey, { counter }))).toBe('success');
  });

  test('wrong passkeys count as wrong codes do', async () => {
    const ada = await createOperator(harness.testServer);
    const passkey = await addPasskeyOf(ada);
    for (let n = 0; n < 7; n += 1) await outcomeOf(signInWith(ada, passkey, { isUnverified: true }));
    expect(await messageOf(signInWith(ada, passkey))).toContain('Too many wrong tries');
    const request = await ada.api.beginPasskeyEntry({ body: {} });
    for (let n = 0; n < 7; n += 1) await outcomeOf(ada.api.enterPasskey({ body: { passkey: passkey.use(request) } }));
    const next = passkey.use(await ada.api.beginPasskeyEntry({ body: {} }));
    expect(await messageOf(ada.api.enterPasskey({ body: { passkey: next } }))).toContain('Too many wrong tries');
  });

  test('a reset of the second factor ends passkeys and what was asked for, too', async () => {
    const [ada, grace] = [await createOperator(harness.testServer), await createOperator(harness.testServer)];
    const lost = await createOperator(harness.testServer, { fullname: 'Lost Passkey' });
    const passkey = await addPasskeyOf(lost);
    const used = passkey.use(await requestOf(lost));
    const params = { id: lost.session.operator.id };
    const { approvalId } = await ada.api.resetFactor({ params, body: { reason: REASON } });
    await grace.api.approve({ params: { id: approvalId ?? '' }, body: { reason: 'They called me' } });
    expect(await outcomeOf(signIn(lost, used))).toBe('wrongPasskey');
    expect(await outcomeOf(requestOf(lost))).toBe('noPasskey');
    const mail = await harness.testServer.waitForMail(lost.email, 'way back');
    const token = tokenOf(/http\S+token=\S+/.exec(mail.text)?.[0] ?? '');
    const { secret, setup } = await visitor().readInvitation({ body: { token } });
    const back = { token, setup, email: lost.email, fullname: 'Lost Passkey', password: PASSWORD };
    const code = codeAt(secret, harness.testServer.now());
    const { authToken } = await visitor().acceptInvitation({ body: { ...back, code } });
    expect((await operatorClient(harness.testServer, authToken).listPasskeys()).items).toEqual([]);
  });

  test('a passkey that is being added when the second factor is reset is not added', async () => {
    const [ada, grace] = [await createOperator(harness.testServer), await createOperator(harness.testServer)];
    const lost = await createOperator(harness.testServer);
    const { origin } = await lost.api.listPasskeys();
    const passkey = makePasskey(await lost.api.beginPasskey({ body: {} }), origin ?? '');
    const params = { id: lost.session.operator.id };
    const { approvalId } = await ada.api.resetFactor({ params, body: { reason: REASON } });
    const [, added] = await Promise.allSettled([
      grace.api.approve({ params: { id: approvalId ?? '' }, body: { reason: REASON } }),
      lost.api.addPasskey({ body: { name: 'Thief', passkey: passkey.made } }),
    ]);
    const rows = await harness.testServer.server.db
      .selectFrom('passkeys')
      .select('id')
      .where('operator_id', '=', params.id)
      .execute();
    expect(rows, `adding was ${added.status}`).toEqual([]);
  });

  test('an operator has ten passkeys at most', async () => {
    const ada = await createOperator(harness.testServer);
    const { origin } = await ada.api.listPasskeys();
    const one = makePasskey(await ada.api.beginPasskey({ body: {} }), origin ?? '');
    for (let n = 0; n < MAX_PASSKEYS; n += 1) await addPasskeyOf(ada, `Passkey ${n}`);
    expect(await outcomeOf(ada.api.beginPasskey({ body: {} }))).toBe('tooManyPasskeys');
    expect(await outcomeOf(ada.api.addPasskey({ body: { name: 'One more', passkey: one.made } }))).toBe(
      'tooManyPasskeys',
    );
  });
});
