import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TouchedChoice } from '../../domain/moves.ts';
import { expectFailure } from '../../testing/checkedClient.ts';
import { createOperator, type TestOperator } from '../../testing/operators.ts';
import { advanceDelivery, createParticipants, findDeliveryId, type Participants } from '../../testing/orderSteps.ts';
import { planWindows, windowAt } from '../../testing/orderTimes.ts';
import { DATABASE_KINDS, openTestServer, type TestServer } from '../../testing/testServer.ts';
import { findTallyErrors } from '../dashboards/tallies.sql.ts';

const REASON = 'The river is high';
const WORDS = 'The bridge is closed.';

describe.each(DATABASE_KINDS)('orders that a closure touches, on %s', (kind) => {
  let testServer: TestServer;
  let people: Participants;
  let ada: TestOperator;
  beforeAll(async () => {
    testServer = await openTestServer(kind, { stoppedAt: new Date('2026-12-01T09:00:00Z') });
    await planWindows(testServer.server.db, testServer.now());
    ada = await createOperator(testServer);
  });
  beforeEach(async () => {
    people = await createParticipants(testServer);
  });
  afterAll(() => testServer?.close());

  const startOf = (days: number) => windowAt(testServer.now(), days, 17).from.toISOString();
  const place = async (pickupDays: number, returnDays: number): Promise<string> => {
    const body = {
      budAddressId: people.bud.user.addresses[0]?.id ?? '',
      scrubId: people.scrub.user.id,
      ...({ loadSize: 'Small', paymentSourceId: 'cnon:card-nonce-ok' } as const),
    };
    const { id } = await people.bud.api.placeOrder({
      body: { ...body, pickupFrom: startOf(pickupDays), returnFrom: startOf(returnDays) },
    });
    await people.scrub.api['accept-order']({ params: { id } });
    return id;
  };
  const dayAt = (days: number) => startOf(days).slice(0, 10);
  /** Closes the town on one day. */
  const close = (days: number, touched?: TouchedChoice, by = ada) =>
    by.api.addClosure({
      body: {
        ...{ from: `${dayAt(days)}T00:00`, until: `${dayAt(days + 1)}T00:00`, words: WORDS, reason: REASON },
        ...(touched ? { touched } : {}),
      },
    });
  const openAgain = async () => {
    for (const { id } of (await ada.api.readHours()).closures)
      await ada.api.takeBackClosure({ params: { id }, body: { reason: REASON } });
  };
  const touchedOn = async (days: number) =>
    (
      await ada.api.listTouched({
        query: { from: `${dayAt(days)}T00:00:00.000Z`, until: `${dayAt(days + 1)}T00:00:00.000Z` },
      })
    ).items;
  const read = (id: string) => people.bud.api.readOrder({ params: { id } });

  test('a closure that touches a window is refused until somebody says what becomes of the order', async () => {
    const id = await place(3, 4);
    expect(await touchedOn(3)).toMatchObject([{ id, pickup: { from: startOf(3) }, return: null, isAtBud: true }]);
    expect(await touchedOn(4)).toMatchObject([{ id, pickup: null, return: { from: startOf(4) } }]);
    expect(await touchedOn(6)).toEqual([]);
    expect(await expectFailure(close(3))).toMatchObject({
      status: 409,
      message: expect.stringContaining('has a window then'),
    });
    expect((await ada.api.readHours()).closures).toEqual([]);
    await close(6);
    await close(3, 'keep');
    expect(await read(id)).toMatchObject({ status: 'Accepted', times: { pickup: { from: startOf(3) } } });
    expect(await read(id)).not.toHaveProperty('proposal');
    await people.bud.api['cancel-accepted']({ params: { id }, body: { reason: 'changed-mind' } });
    await openAgain();
  });

  test('the Bud is offered the next window that is open, with the words of the town, and accepts it', async () => {
    const id = await place(3, 4);
    await close(3, 'offer');
    expect((await read(id)).proposal).toMatchObject({
      ...{ by: 'Operator', words: WORDS },
      ...{ pickup: { from: windowAt(testServer.now(), 4, 8).from.toISOString() }, return: { from: startOf(4) } },
    });
    const { text } = await testServer.waitForMail(people.bud.user.email, 'Another time');
    expect(text).toContain(`The town says: ${WORDS}`);
    await people.bud.api['accept-window']({ params: { id }, body: {} });
    expect(await touchedOn(3)).toEqual([]);
    await people.bud.api['cancel-accepted']({ params: { id }, body: { reason: 'changed-mind' } });
    await openAgain();
  });

  test('a Bud who refuses another time of the town is a case: nobody comes at the agreed time', async () => {
    const id = await place(3, 4);
    await close(3, 'offer');
    await people.bud.api['refuse-window']({ params: { id }, body: {} });
    const { items } = await ada.api.listTownCases({ query: { state: 'open' } });
    expect(items.filter(({ kind: one }) => one === 'window')).toHaveLength(1);
    await people.bud.api['cancel-accepted']({ params: { id }, body: { reason: 'changed-mind' } });
    await openAgain();
  });

  test('what cannot be cancelled at once is offered another time: its laundry is on the way', async () => {
    const [cancelled, away] = [await place(5, 7), await place(2, 5)];
    const delivery = findDeliveryId(await read(away), 'Bud_To_Scrub');
    await advanceDelivery(people.duber, delivery, 3);
    expect((await touchedOn(5)).map(({ id, isAtBud }) => [id, isAtBud])).toEqual([
      [away, false],
      [cancelled, true],
    ]);
    await close(5, 'cancel');
    expect((await read(cancelled)).status).toBe('Cancelled');
    expect(await read(away)).toMatchObject({
      status: 'Accepted',
      proposal: { pickup: null, return: { from: startOf(6) } },
    });
    expect(await findTallyErrors(testServer.server.db)).toEqual([]);
    await people.bud.api['accept-window']({ params: { id: away }, body: {} });
    await openAgain();
  });

  test('moving orders takes the right for it, and keeping them does not', async () => {
    const id = await place(3, 4);
    const clerk = await createOperator(testServer, { caps: ['see', 'prices'] });
    expect(await expectFailure(close(3, 'offer', clerk))).toMatchObject({ status: 403 });
    await close(3, 'keep', clerk);
    await people.bud.api['cancel-accepted']({ params: { id }, body: { reason: 'changed-mind' } });
    await openAgain();
  });

  test('a pause for tonight asks the same', async () => {
    const id = await place(1, 2);
    const body = { until: `${dayAt(2)}T00:00:00.000Z`, words: WORDS, reason: REASON };
    expect(await expectFailure(ada.api.pauseTown({ body }))).toMatchObject({
      status: 409,
      message: expect.stringContaining('has a window then'),
    });
    await ada.api.pauseTown({ body: { ...body, touched: 'offer' } });
    expect((await read(id)).proposal).toMatchObject({
      pickup: { from: windowAt(testServer.now(), 2, 8).from.toISOString() },
    });
    await ada.api.openTown({ body: { reason: REASON } });
    await people.bud.api['cancel-accepted']({ params: { id }, body: { reason: 'changed-mind' } });
  });
});
