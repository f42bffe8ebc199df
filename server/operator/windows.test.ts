import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOperator, type TestOperator } from '../../testing/operators.ts';
import { createParticipants, firstAddressId, type Participants } from '../../testing/orderSteps.ts';
import { TEST_PLAN } from '../../testing/orderTimes.ts';
import { DATABASE_KINDS, openTestServer, type TestServer } from '../../testing/testServer.ts';

const PLAN = { ...TEST_PLAN, pickup: [...TEST_PLAN.pickup], return: [...TEST_PLAN.return] };
const reason = 'People ask when somebody comes';

describe.each(DATABASE_KINDS)('the windows of a town on %s', (kind) => {
  let server: TestServer;
  let people: Participants;
  let ada: TestOperator;
  beforeAll(async () => {
    server = await openTestServer(kind);
    people = await createParticipants(server);
    ada = await createOperator(server);
    await createOperator(server);
  });
  afterAll(() => server?.close());

  const offers = () => people.bud.api.listWindows({ query: { budAddressId: firstAddressId(people.bud) } });
  const messageOf = async (refused: Promise<unknown>) =>
    refused.then(
      () => 'nothing was refused',
      (error: Error) => error.message,
    );

  test('are offered to Buds as soon as an operator has set them, and no more once an operator takes them back', async () => {
    expect(await offers()).toMatchObject({ pickup: [], return: [] });
    expect(await ada.api.readWindows()).toMatchObject({ plan: null, since: null, credit: null });
    await ada.api.setWindows({ body: { before: null, plan: PLAN, reason } });
    const { pickup, return: back, fastest } = await offers();
    expect([pickup.length > 20, back.length > 10, fastest]).toEqual([true, true, 'same-day']);
    expect(await ada.api.readWindows()).toMatchObject({ plan: PLAN, setBy: ada.session.operator.fullname });
    await ada.api.setWindows({ body: { before: PLAN, plan: null, reason } });
    expect(await offers()).toMatchObject({ pickup: [], return: [] });
  });

  test('are not changed by somebody who has not seen the present ones, nor to ones that overlap', async () => {
    expect(await messageOf(ada.api.setWindows({ body: { before: PLAN, plan: PLAN, reason } }))).toContain(
      'changed since',
    );
    const overlapping = { ...PLAN, return: [...PLAN.return, { ...PLAN.return[0], until: '18:30' } as never] };
    expect(await messageOf(ada.api.setWindows({ body: { before: null, plan: overlapping, reason } }))).toContain(
      'overlap',
    );
    const none = { ...PLAN, places: 0 };
    expect(await messageOf(ada.api.setWindows({ body: { before: null, plan: none, reason } }))).toContain(
      'whole number',
    );
  });

  test('come with a promise that pays once two operators agree', async () => {
    const { approvalId } = await ada.api.setPromiseCredit({
      body: { before: null, credit: { amount: 5, borneBy: 'holder' }, reason },
    });
    expect(approvalId).toEqual(expect.any(String));
    expect((await ada.api.readWindows()).credit).toBeNull();
  });

  test('pay any amount in whole cents, also amounts that binary fractions only come near to', async () => {
    const ask = (amount: number) =>
      ada.api.setPromiseCredit({ body: { before: null, credit: { amount, borneBy: 'holder' }, reason } });
    for (const amount of [1.1, 4.35, 100]) expect((await ask(amount)).approvalId).toEqual(expect.any(String));
    for (const amount of [0, 4.355, 100.01]) expect(await messageOf(ask(amount))).toContain('The amount is');
  });
});
