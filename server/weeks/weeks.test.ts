import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Calendar, ScrubWeek } from '../../contract/weeks.ts';
import { addDays, localDate } from '../../domain/localDays.ts';
import type { DaysOffChoice } from '../../domain/moves.ts';
import { EVERY_DAY } from '../../domain/weeks.ts';
import { createParticipants, firstAddressId, type Participants, placeOrder } from '../../testing/orderSteps.ts';
import { giveTimes, planWindows, windowAt } from '../../testing/orderTimes.ts';
import { DATABASE_KINDS, openTestServer, type TestServer } from '../../testing/testServer.ts';
import { writeCalendar } from './iCalendar.ts';

const stampOf = (at: Date) => at.toISOString().replaceAll(/[-:]|\.000/g, '');

describe.each(DATABASE_KINDS)("a Scrub's week on %s", (kind) => {
  let server: TestServer;
  let people: Participants;
  beforeAll(async () => {
    server = await openTestServer(kind);
    people = await createParticipants(server);
    await planWindows(server.server.db, server.now());
  });
  afterAll(() => server?.close());

  const api = () => people.scrub.api;
  let current: ScrubWeek = EVERY_DAY;
  const setWeek = async (week: Partial<ScrubWeek>) => {
    const next = { ...EVERY_DAY, ...week };
    await api().setWeek({ body: { before: current, week: next } });
    current = next;
  };
  const messageOf = async (refused: Promise<unknown>) =>
    refused.then(
      () => 'nothing was refused',
      (error: Error) => error.message,
    );
  const day = (days: number) => addDays(localDate(server.now(), 'UTC'), days);
  const times = (pickup = 2, back = 3) => ({
    pickupFrom: windowAt(server.now(), pickup, 17).from.toISOString(),
    returnFrom: windowAt(server.now(), back, 17).from.toISOString(),
  });
  const search = async (windows = false, more: object = {}) => {
    const [pickup, back] = [windowAt(server.now(), 2, 17), windowAt(server.now(), 3, 17)];
    const asked = {
      ...{ pickupFrom: pickup.from.toISOString(), pickupUntil: pickup.until.toISOString() },
      ...{ returnFrom: back.from.toISOString(), returnUntil: back.until.toISOString() },
    };
    return people.bud.api.findScrubsNearby({
      query: {
        ...{ addressId: firstAddressId(people.bud), fields: ['scrub', 'free'], maxDistanceMeters: '5000' },
        ...(windows ? asked : {}),
        ...more,
      },
    } as never) as Promise<readonly { scrub: { id: string }; free?: { day: string; pounds: number } }[]>;
  };
  const isFound = async (windows = false, more: object = {}) =>
    (await search(windows, more)).some(({ scrub }) => scrub.id === people.scrub.user.id);
  const jobsOf = ({ days }: Calendar) =>
    days.flatMap(({ day: date, jobs }) => jobs.map((job) => `${date} ${job.kind}`));

  test('is no limit until it is set, and another device does not overwrite it unseen', async () => {
    expect(await api().readCalendar()).toMatchObject({ week: EVERY_DAY, daysOff: [], hasFeed: false });
    await setWeek({ poundsADay: 40 });
    expect((await api().readCalendar()).week.poundsADay).toBe(40);
    expect(await messageOf(api().setWeek({ body: { before: EVERY_DAY, week: EVERY_DAY } }))).toContain(
      'another device',
    );
    await setWeek({});
  });

  test('hides the Scrub from who needs a time outside of the hours, with less notice, or another size', async () => {
    const evenings = windowAt(server.now(), 2, 17).from;
    const weekdays = [2, 3].map((days) => new Date(evenings.getTime() + (days - 2) * 86_400_000).getUTCDay());
    const names = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;
    const hours = (from: string, until: string) =>
      weekdays.map((index) => ({ weekday: names[index] ?? 'Monday', from, until }));
    for (const [week, found] of [
      [{ hours: hours('16:00', '20:00') }, true],
      [{ hours: hours('17:00', '03:00') }, true],
      [{ hours: hours('18:00', '20:00') }, false],
      [{ hours: hours('08:00', '12:00') }, false],
      [{ noticeHours: 72 }, false],
      [{ sizes: ['Large' as const] }, true],
    ] as const) {
      await setWeek(week as Partial<ScrubWeek>);
      expect([week, await isFound(true)]).toEqual([week, found]);
      if (!found) expect(await messageOf(placeOrder(people, times()))).toContain('cannot do so much');
    }
    expect(await isFound(true, { loadSize: 'Small' })).toBe(false);
    // As soon as possible, only the day, the size and the limits matter.
    await setWeek({ hours: hours('08:00', '12:00'), noticeHours: 72 });
    expect(await isFound()).toBe(true);
    await setWeek({});
  });

  test('says how much is free, and hides who is full', async () => {
    await setWeek({ poundsADay: 10 });
    const freeOf = async () => (await search(true)).find(({ scrub }) => scrub.id === people.scrub.user.id)?.free;
    expect(await freeOf()).toEqual({ day: day(2), pounds: 10 });
    const first = await placeOrder(people, times());
    expect(await freeOf()).toEqual({ day: day(2), pounds: 5 });
    const second = await placeOrder(people, times());
    expect(await isFound(true)).toBe(false);
    for (const { id } of [first, second]) await people.bud.api['cancel-order']({ params: { id } });
    expect(await freeOf()).toEqual({ day: day(2), pounds: 10 });
    await setWeek({});
  });

  test('asks what becomes of the orders with a window on days off: offered the next one, kept or given back', async () => {
    const body = { from: day(5), until: day(6) };
    const add = async (touched?: DaysOffChoice) => {
      const days = await api().addDaysOff({ body: { ...body, ...(touched ? { touched } : {}) } });
      await api().removeDaysOff({ params: { id: days.id } });
    };
    const read = (id: string) => people.bud.api.readOrder({ params: { id } });
    const [requested, accepted] = [await placeOrder(people, times(4, 5)), await placeOrder(people, times(4, 6))];
    await people.scrub.api['accept-order']({ params: { id: accepted.id } });
    expect(await messageOf(add())).toContain('2 orders have a window then');
    const { items } = await api().listDaysOffTouched({ query: body });
    expect(items.map((one) => [one.id, one.pickup?.from.slice(0, 10), one.return?.from.slice(0, 10)])).toEqual([
      [requested.id, undefined, day(5)],
      [accepted.id, undefined, day(6)],
    ]);
    expect(items).toMatchObject([{ canGiveBack: true }, { canGiveBack: true, bud: people.bud.user.fullname }]);
    await add('keep');
    expect(await read(accepted.id)).not.toHaveProperty('proposal');
    await add('offer');
    const { proposal } = await read(accepted.id);
    expect(proposal).toMatchObject({ by: 'Scrub', reason: 'away', pickup: null });
    expect(proposal?.return.from.slice(0, 10)).toBe(day(7));
    // Both were asked before.
    await add('offer');
    await people.bud.api['accept-window']({ params: { id: accepted.id }, body: {} });
    await add('give-back');
    expect([(await read(requested.id)).status, (await read(accepted.id)).status]).toEqual(['Rejected', 'Accepted']);
    await people.bud.api['move-window']({ params: { id: accepted.id }, body: { returnFrom: times(4, 6).returnFrom } });
    await add('give-back');
    expect(await read(accepted.id)).toMatchObject({ status: 'Requested', round: 2 });
    await people.bud.api['cancel-order']({ params: { id: accepted.id } });
  });

  test('asks about the orders whose Bud could still accept a time on the days off', async () => {
    const body = { from: day(8), until: day(9) };
    const { id } = await placeOrder(people, times(4, 5));
    const proposed = { pickupFrom: times(7, 8).pickupFrom, returnFrom: times(7, 8).returnFrom, reason: 'ill' } as const;
    await people.scrub.api['propose-window']({ params: { id }, body: proposed });
    expect(await messageOf(api().addDaysOff({ body }))).toContain('has a window then');
    const days = await api().addDaysOff({ body: { ...body, touched: 'give-back' } });
    const { proposal, status } = await people.bud.api.readOrder({ params: { id } });
    expect([status, proposal?.pickup?.from.slice(0, 10), proposal?.return.from.slice(0, 10)]).toEqual([
      ...['Requested', day(7), day(10)],
    ]);
    await people.bud.api['accept-window']({ params: { id }, body: {} });
    for (const from of [day(7), day(9)])
      expect(await messageOf(api().addDaysOff({ body: { from, until: day(12), touched: 'keep' } }))).toContain(
        'already',
      );
    await api().removeDaysOff({ params: { id: days.id } });
    await people.bud.api['cancel-order']({ params: { id } });
  });

  test('has days off: nobody finds the Scrub then', async () => {
    const off = await api().addDaysOff({ body: { from: day(3), until: day(3) } });
    expect([await isFound(true), await isFound()]).toEqual([false, true]);
    expect(await messageOf(placeOrder(people, times()))).toContain('cannot do so much');
    const today = await api().addDaysOff({ body: { from: day(0), until: day(1) } });
    expect(await isFound()).toBe(false);
    const { days } = await api().readCalendar();
    expect(days.filter(({ isOff }) => isOff).map((one) => one.day)).toEqual([day(0), day(1), day(3)]);
    for (const { id: daysId } of [off, today]) await api().removeDaysOff({ params: { id: daysId } });
    expect(await isFound(true)).toBe(true);
    expect(await messageOf(api().addDaysOff({ body: { from: day(4), until: day(3) } }))).toContain('before the first');
    expect(await messageOf(api().addDaysOff({ body: { from: day(-1), until: day(3) } }))).toContain('from today');
  });

  test('is a calendar of what comes and goes, also for a program that has its secret address', async () => {
    const { id } = await placeOrder(people, times());
    await placeOrder(people);
    expect(jobsOf(await api().readCalendar())).toEqual([`${day(0)} soon`, `${day(2)} pickup`, `${day(3)} return`]);
    const { url } = await api().makeCalendarFeed();
    const read = (address: string) => fetch(address.replace(/^https?:\/\/[^/]+/, new URL(server.apiUrl).origin));
    const feed = await read(url);
    expect([feed.status, feed.headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8']);
    const text = await feed.text();
    expect(text).toContain(`UID:${id}-pickup@`);
    expect(text).toContain(`DTSTART:${stampOf(windowAt(server.now(), 2, 17).from)}`);
    expect(text.split('BEGIN:VEVENT')).toHaveLength(3);
    expect(text).not.toContain(people.bud.user.email);
    const { url: next } = await api().makeCalendarFeed();
    expect([(await read(url)).status, (await read(next)).status]).toEqual([404, 200]);
    // Also what a Scrub proposed for later, and what should have come before today.
    const { db } = server.server;
    const [early, late] = [windowAt(server.now(), -2, 17), windowAt(server.now(), 40, 17)];
    await giveTimes(db, id, server.now(), { pickup: early, return: late });
    const both = await (await read(next)).text();
    for (const { from } of [early, late]) expect(both).toContain(`DTSTART:${stampOf(from)}`);
    const hold = {
      id: newId(),
      user_id: people.scrub.user.id,
      kind: 'sign-in' as const,
      reason: 'A test',
      from_at: server.now(),
    };
    await db
      .insertInto('holds')
      .values({ ...hold, of_erasure: true })
      .execute();
    expect((await read(next)).status).toBe(404);
    await db.updateTable('holds').set({ lifted_at: server.now() }).where('id', '=', hold.id).execute();
    expect((await read(next)).status).toBe(200);
    await people.bud.api['cancel-order']({ params: { id } });
    expect(await (await read(next)).text()).not.toContain('BEGIN:VEVENT');
    await api().stopCalendarFeed();
    expect((await read(next)).status).toBe(404);
  });
});

test('a calendar escapes its texts, and folds lines of more than 75 octets between letters', () => {
  const at = new Date('2026-12-04T17:00:00Z');
  const event = {
    uid: 'a',
    from: at,
    until: at,
    summary: 'A, b; c\\d',
    description: `one\ntwo\rthree\r\nfour ${'ü'.repeat(60)}`,
  };
  const text = writeCalendar('Town', [event], at);
  expect(text).toContain('SUMMARY:A\\, b\\; c\\\\d\r\n');
  expect(text).toContain('DESCRIPTION:one\\ntwo\\nthree\\nfour');
  const lines = text.split('\r\n');
  expect(lines.every((line) => Buffer.byteLength(line) <= 75)).toBe(true);
  expect(text.replaceAll('\r\n ', '')).toContain('ü'.repeat(60));
});
