import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MINUTE_MS } from '../../domain/durations.ts';
import { expectFailure } from '../../testing/checkedClient.ts';
import { createOperator, type TestOperator } from '../../testing/operators.ts';
import { advanceDelivery, createOrderInStatus, findDeliveryId, REVIEW } from '../../testing/orderSteps.ts';
import { openTestServer, PASSWORD, RULE_DATABASES, type TestServer, type TestUser } from '../../testing/testServer.ts';
import { verifyAuditChain } from './audit.ts';

const REASON = 'Because of the test.';
const messageOf = async (promise: Promise<unknown>) => (await expectFailure(promise)).message;

describe.each(RULE_DATABASES)('what operators see of people, and keep them from, on %s', (kind) => {
  let testServer: TestServer;
  let ada: TestOperator;
  let grace: TestOperator;
  let bud: TestUser;
  let scrub: TestUser;
  let duber: TestUser;

  beforeAll(async () => {
    testServer = await openTestServer(kind);
    [ada, grace] = [await createOperator(testServer), await createOperator(testServer, { fullname: 'Grace' })];
    bud = await testServer.createUser('Bud', { fullname: 'Zoë 100% Clean', north: 300 });
    scrub = await testServer.createUser('Scrub', { fullname: 'Zora Soap', north: 1200 });
    duber = await testServer.createUser('Duber', { fullname: 'Alan Wheels', email: 'zo.alan@rubadub.test' });
  });
  afterAll(() => testServer?.close());

  const idOf = ({ user }: TestUser) => ({ id: user.id });
  const read = (person: TestUser) => ada.api.readPerson({ params: idOf(person) });
  const hold = (person: TestUser, kindOfHold: 'sign-in' | 'new-work' | 'payout') =>
    ada.api.holdPerson({ params: idOf(person), body: { kind: kindOfHold, reason: REASON } });
  const lift = (person: TestUser, kindOfHold: 'sign-in' | 'new-work' | 'payout') =>
    ada.api.liftHold({ params: idOf(person), body: { kind: kindOfHold, reason: REASON } });

  test('people are found by the beginning of their name or their whole e-mail address, their role and their state', async () => {
    const find = async (query: object) => (await ada.api.listPeople({ query })).items.map(({ fullname }) => fullname);
    expect(await find({})).toEqual(['Alan Wheels', 'Zora Soap', 'Zoë 100% Clean']);
    expect(await find({ q: 'ZO' })).toEqual(['Zora Soap', 'Zoë 100% Clean']);
    expect(await find({ q: 'zoë 100%' })).toEqual(['Zoë 100% Clean']);
    expect(await find({ q: 'zoë 100_' })).toEqual([]);
    expect(await find({ q: 'Zo.Alan@rubadub.test' })).toEqual(['Alan Wheels']);
    expect(await find({ role: 'Scrub', q: ' z' })).toEqual(['Zora Soap']);
    await hold(duber, 'payout');
    expect(await find({ state: 'held' })).toEqual(['Alan Wheels']);
    expect(await find({ state: 'active', role: 'Duber' })).toEqual([]);
    expect(await find({ state: 'suspended' })).toEqual([]);
    expect(JSON.stringify(await ada.api.listPeople({ query: {} }))).not.toContain('@');
    // By a part of it, somebody could read it letter by letter.
    for (const part of ['zo.', 'zo.alan@', 'zo.alan@rubadub.tes']) expect(await find({ q: part })).toEqual([]);
  });

  test('a person is shown with what they did, and without their contact', async () => {
    const order = await createOrderInStatus({ bud, scrub }, 'Accepted');
    const delivery = findDeliveryId(order, 'Bud_To_Scrub');
    await duber.api['accept-delivery']({ params: { id: delivery } });
    await duber.api['drop-delivery']({ params: { id: delivery }, body: { reason: 'breakdown' } });
    testServer.advanceClock(31 * MINUTE_MS);
    ada = await createOperator(testServer);
    await advanceDelivery(duber, delivery);
    await bud.api.reviewToDuber({ params: { id: delivery }, body: { ...REVIEW, duberId: duber.user.id } });
    const seen = await read(duber);
    expect(seen).toMatchObject({
      unplanned: [{ what: 'drop-delivery', count: 1 }],
      deliveryCounts: [{ what: 'Delivered', count: 1 }],
      ratings: [{ ...REVIEW, from: 'Zoë 100% Clean', orderNumber: order.number }],
      latestWork: [{ kind: 'delivery', orderNumber: order.number, status: 'Delivered' }],
      openWork: [],
    });
    expect(seen.money?.owed).toBeGreaterThan(0);
    expect(seen.devices).toHaveLength(1);
    const kinds = (await read(bud)).messages.map((message) => message.kind);
    expect(kinds).toEqual(expect.arrayContaining(['accepted', 'delivered']));
    for (const person of [bud, scrub, duber]) {
      const text = JSON.stringify(await read(person));
      for (const secret of [person.user.email, person.user.phone ?? '-', 'Heron Street', person.token])
        expect(text).not.toContain(secret);
    }
  });

  test('a contact is read for 15 minutes by the operator who said why', async () => {
    grace = await createOperator(testServer, { fullname: 'Grace Later' });
    const contactOf = (operator: TestOperator) => operator.api.readContact({ params: idOf(scrub) });
    expect(await messageOf(contactOf(ada))).toBe('Say first why you need the contact');
    await ada.api.showContact({ params: idOf(scrub), body: { reason: 'I have to call her.' } });
    expect(await contactOf(ada)).toMatchObject({ email: scrub.user.email, phone: scrub.user.phone });
    expect(await messageOf(contactOf(grace))).toBe('Say first why you need the contact');
    expect(await messageOf(ada.api.readContact({ params: idOf(bud) }))).toBe('Say first why you need the contact');
    testServer.advanceClock(15 * MINUTE_MS);
    expect(await messageOf(contactOf(ada))).toBe('Say first why you need the contact');
    const [row] = (await read(scrub)).audit;
    expect(row).toMatchObject({
      action: 'showContact',
      reason: 'I have to call her.',
      by: { name: ada.session.operator.fullname },
    });
  });

  test('a payout restriction is lifted by two operators, other restrictions by one, and the person gets a mail', async () => {
    expect(await messageOf(hold(duber, 'payout'))).toBe('This person is kept from it already');
    const { approvalId } = await lift(duber, 'payout');
    expect((await read(duber)).state).toBe('held');
    await grace.api.approve({ params: { id: approvalId ?? '' }, body: { reason: 'I agree.' } });
    expect((await read(duber)).state).toBe('active');
    await testServer.waitForMail(duber.user.email, 'no longer restricted');
    await hold(duber, 'new-work');
    expect(await lift(duber, 'new-work')).toEqual({ approvalId: null });
    expect(await messageOf(lift(duber, 'new-work'))).toContain('There is no such hold');
    const { holds } = await read(duber);
    expect(holds.map((one) => [one.kind, one.liftedAt !== null])).toEqual([
      ['new-work', true],
      ['payout', true],
    ]);
  });

  test('a mail about a restriction says what another one still keeps the person from', async () => {
    const person = await testServer.createUser('Bud');
    const textOf = async (subject: string) => (await testServer.waitForMail(person.user.email, subject)).text;
    await hold(person, 'new-work');
    expect(await textOf('is restricted')).toContain('You cannot place orders for now. Your open orders go on.');
    await hold(person, 'sign-in');
    await ada.api.signOutPerson({ params: idOf(person), body: { reason: REASON } });
    expect(await textOf('signed out')).toContain('You still cannot sign in, for another reason');
    await lift(person, 'sign-in');
    expect(await textOf('A restriction of your Rubadub account has ended')).toContain('You can sign in again.');
    await lift(person, 'new-work');
    expect(await textOf('no longer restricted')).toContain('You can place orders again.');
  });

  test('somebody is signed out everywhere at once, and signs in again; what is held from signing in does not', async () => {
    const login = () => testServer.api().login({ body: { email: duber.user.email, password: PASSWORD } });
    await ada.api.signOutPerson({ params: idOf(duber), body: { reason: 'The phone was stolen.' } });
    expect((await expectFailure(duber.api.session())).status).toBe(401);
    await login();
    expect((await testServer.waitForMail(duber.user.email, 'signed out')).text).toContain('The phone was stolen.');
    await hold(duber, 'sign-in');
    expect(await messageOf(login())).toContain(REASON);
    await lift(duber, 'sign-in');
    await login();
  });

  test('a note is a row of the audit and nothing else', async () => {
    await ada.api.notePerson({ params: idOf(bud), body: { reason: 'Called, and will call back.' } });
    expect((await read(bud)).audit[0]).toMatchObject({ action: 'notePerson', reason: 'Called, and will call back.' });
    const nobody = { id: '0192f0c1-7a3b-7c4d-8e5f-0123456789ab' };
    expect(await messageOf(ada.api.notePerson({ params: nobody, body: { reason: REASON } }))).toBe('Not found');
    expect(await verifyAuditChain(testServer.server.db)).toMatchObject({ brokenAt: null });
  });
});
