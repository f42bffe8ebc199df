import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Hours, WEEKDAYS } from '../../domain/hours.ts';
import { instantOf } from '../../domain/localDays.ts';
import { expectFailure } from '../../testing/checkedClient.ts';
import { createOperator, type TestOperator } from '../../testing/operators.ts';
import { createParticipants, type Participants, placeOrder } from '../../testing/orderSteps.ts';
import { openTestServer, RULE_DATABASES, type TestServer } from '../../testing/testServer.ts';
import { writeSetting } from '../town/settings.sql.ts';

const ZONE = 'America/New_York';
const REASON = 'Because of the test';
const WORDS = 'We are at the town fair';
const EVERY_DAY: Hours = WEEKDAYS.map((weekday) => ({ weekday, from: '08:00', until: '20:00' }));
const FRIDAY_NIGHT: Hours = [{ weekday: 'Friday', from: '22:00', until: '02:00' }];

/** When the town takes orders. The tests run one after the other, on a clock that they set. */
describe.each(RULE_DATABASES)('hours and closures, on %s', (kind) => {
  let testServer: TestServer;
  let people: Participants;
  beforeAll(async () => {
    testServer = await openTestServer(kind, { isClockStopped: true });
    people = await createParticipants(testServer);
    const { db } = testServer.server;
    await writeSetting(db, { name: 'timeZone', value: ZONE, setBy: 'the test', from: new Date(0) });
  });
  afterAll(() => testServer?.close());

  /** Operators who have just signed in: days pass in these tests. */
  const signIn = () => createOperator(testServer, { caps: ['see', 'prices', 'admin'] });
  const year = () => testServer.now().getUTCFullYear() + 1;
  const goTo = (date: string, time: string) =>
    testServer.advanceClock(instantOf(date, time, ZONE).getTime() - testServer.now().getTime());
  const iso = (date: string, time: string) => instantOf(date, time, ZONE).toISOString();
  const pauseNow = async () => (await people.bud.api.readConfig()).pause ?? null;
  const untilNow = async () => (await pauseNow())?.until ?? null;
  const setHours = async ({ api }: TestOperator, hours: Hours, before?: Hours) =>
    api.setHours({
      body: { before: [...(before ?? (await api.readHours()).hours)], hours: [...hours], reason: REASON },
    });
  const addClosure = ({ api }: TestOperator, until: string, from?: string, words = WORDS) =>
    api.addClosure({ body: { until, words, reason: REASON, ...(from ? { from } : {}) } });
  /** By a new Bud each time: days pass, and sessions end. */
  const place = async () =>
    placeOrder({ ...people, bud: await testServer.createUser('Bud', { fullname: 'Ada Bud', north: 300 }) });
  const expectClosed = async (words: string | RegExp) => {
    const refused = await expectFailure(place());
    expect(refused.status).toBe(409);
    expect(refused.message).toMatch(words);
    expect((await pauseNow())?.words).toBe(refused.message);
  };

  test('a town without hours is always open', async () => {
    const ada = await signIn();
    const { hours, setBy, since, closures, timeZone } = await ada.api.readHours();
    expect([hours, setBy, since, closures, timeZone]).toEqual([[], null, null, [], ZONE]);
    expect((await ada.api.readTown()).closed).toBeNull();
    await place();
  });

  test('it is closed at night and opens at eight, and placed orders continue', async () => {
    const [day, after] = [`${year()}-01-11`, `${year()}-01-12`] as const;
    goTo(day, '12:00');
    people = await createParticipants(testServer);
    const { id } = await placeOrder(people);
    const ada = await signIn();
    await setHours(ada, EVERY_DAY);
    expect(await ada.api.readHours()).toMatchObject({ hours: EVERY_DAY, setBy: ada.session.operator.fullname });
    goTo(day, '20:00');
    testServer.advanceClock(-1);
    await place();
    // Exactly at the end.
    testServer.advanceClock(1);
    await expectClosed(/^We are closed now\. We take orders again on .*, January 12 at 8:00 am\.$/);
    expect(await untilNow()).toBe(iso(after, '08:00'));
    // What does not exist is said first, as always.
    const ofNobody = { ...people.scrub, user: { ...people.scrub.user, id: newId() } };
    expect(await expectFailure(placeOrder({ ...people, scrub: ofNobody }))).toMatchObject({ status: 404 });
    await people.scrub.api['accept-order']({ params: { id } });
    goTo(after, '07:59');
    await expectClosed('January 12 at 8:00 am');
    goTo(after, '08:00');
    expect(await pauseNow()).toBeNull();
    await place();
  });

  test('hours may reach into the next day, and belong to the day that they begin on', async () => {
    const ada = await signIn();
    await setHours(ada, FRIDAY_NIGHT);
    // The first Saturday of a month that is to come.
    const saturday = [1, 2, 3, 4, 5, 6, 7]
      .map((n) => `${year()}-02-0${n}`)
      .find((date) => new Date(date).getUTCDay() === 6) as string;
    goTo(saturday, '01:59');
    expect(await pauseNow()).toBeNull();
    await place();
    goTo(saturday, '02:00');
    await expectClosed(/on Friday, February \d+ at 10:00 pm/);
    goTo(saturday, '23:00');
    await expectClosed(/on Friday, February \d+ at 10:00 pm/);
  });

  test('a closure holds at once, says why and until when, and ends when one operator takes it back', async () => {
    await setHours(await signIn(), EVERY_DAY);
    const day = `${year()}-03-01`;
    goTo(day, '13:00');
    const grace = await signIn();
    expect(await addClosure(grace, `${day}T18:00`)).toEqual({ approvalId: null });
    await expectClosed(/^We are at the town fair\. We take orders again on .*, March 1 at 6:00 pm\.$/);
    expect((await grace.api.readTown()).closed?.until).toBe(iso(day, '18:00'));
    const [closure] = (await grace.api.readHours()).closures;
    expect(closure).toMatchObject({ until: iso(day, '18:00'), words: WORDS, takenBack: null });
    const params = { id: closure?.id ?? '' };
    await grace.api.takeBackClosure({ params, body: { reason: REASON } });
    expect(await pauseNow()).toBeNull();
    await place();
    const again = await expectFailure(grace.api.takeBackClosure({ params, body: { reason: REASON } }));
    expect([again.status, again.message]).toEqual([409, 'This closure was taken back before']);
    expect((await grace.api.readHours()).closures).toEqual([]);
    const [past] = (await grace.api.listPastClosures({ query: {} })).items;
    expect(past?.takenBack?.by).toBe(grace.session.operator.fullname);
    const acts = (await grace.api.listAudit({ query: { subjectId: params.id } })).items;
    expect(acts.map(({ action }) => action)).toEqual(['takeBackClosure', 'addClosure']);
  });

  test('a holiday is closed until the town opens on the next day, and stays in the history', async () => {
    const ada = await signIn();
    await setHours(ada, EVERY_DAY);
    const [eve, day, after] = [`${year()}-12-24`, `${year()}-12-25`, `${year()}-12-26`] as const;
    const add = () => addClosure(ada, `${after}T00:00`, `${day}T00:00`, 'Merry Christmas!');
    await add();
    const refused = await expectFailure(add());
    expect([refused.status, refused.message]).toEqual([409, 'The town is closed then already: “Merry Christmas!”']);
    goTo(eve, '19:59');
    await place();
    goTo(eve, '20:00');
    await expectClosed(/^We are closed now\. .* December 26 at 8:00 am\.$/);
    goTo(day, '12:00');
    await expectClosed(/^Merry Christmas! .* December 26 at 8:00 am\.$/);
    goTo(after, '08:00');
    await place();
    const [past] = (await (await signIn()).api.listPastClosures({ query: {} })).items;
    expect(past).toMatchObject({ from: iso(day, '00:00'), until: iso(after, '00:00'), takenBack: null });
  });

  test.each([
    ['put back', '10-31', '11-08'],
    ['put forward', '03-07', '03-15'],
  ])('at eight on the clocks of the town, before and after they are %s', async (_name, before, after) => {
    await setHours(await signIn(), EVERY_DAY);
    const next = year();
    for (const date of [`${next}-${before}`, `${next}-${after}`]) {
      goTo(date, '07:59');
      expect(await untilNow()).toBe(iso(date, '08:00'));
      testServer.advanceClock(60_000);
      expect(await pauseNow()).toBeNull();
    }
  });

  test('when two operators change the hours at once, the second is refused', async () => {
    const [ada, grace] = await Promise.all([signIn(), signIn()]);
    const before = (await ada.api.readHours()).hours;
    const results = await Promise.allSettled([setHours(ada, [], before), setHours(grace, FRIDAY_NIGHT, before)]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const failed = results.find((result) => result.status === 'rejected');
    expect(await expectFailure(Promise.reject(failed?.reason))).toMatchObject({
      status: 409,
      message: 'The hours have changed since. Look at them again',
    });
    await setHours(ada, []);
    expect(await pauseNow()).toBeNull();
  });

  test('what makes no sense is refused', async () => {
    const ada = await signIn();
    const messageOf = async (promise: Promise<unknown>) => (await expectFailure(promise)).message;
    const monday = (from: string, until: string) => ({ weekday: 'Monday' as const, from, until });
    const overlapping = [monday('08:00', '12:00'), monday('11:00', '13:00')];
    expect(await messageOf(setHours(ada, overlapping))).toContain('The times of Monday overlap');
    expect(await messageOf(setHours(ada, [monday('8', '12:00')]))).toContain('A time is like 08:00');
    const now = testServer.now().getUTCFullYear();
    expect(await messageOf(addClosure(ada, `${now - 1}-01-01T00:00`))).toContain('Choose a time in the future');
    expect(await messageOf(addClosure(ada, `${now + 3}-01-01T00:00`))).toContain('within two years');
    expect(await messageOf(addClosure(ada, `${now + 1}-02-30T00:00`))).toContain('not in the calendar');
    const [from, until] = [`${now + 1}-05-02T00:00`, `${now + 1}-05-01T00:00`];
    expect(await messageOf(addClosure(ada, until, from))).toContain('must end after it begins');
  });
});
