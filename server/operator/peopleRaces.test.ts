import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WorkChoice } from '../../domain/restrictions.ts';
import { outcomeOf } from '../../testing/checkedClient.ts';
import { holdTransaction } from '../../testing/holdTransaction.ts';
import { waitForLockWaits } from '../../testing/lockWaits.ts';
import { createOperator, type TestOperator } from '../../testing/operators.ts';
import { createOrderInStatus, findDeliveryId, placeOrder } from '../../testing/orderSteps.ts';
import { openTestServer, type TestServer, type TestUser } from '../../testing/testServer.ts';
import { waitFor } from '../../testing/waits.ts';
import { readConfig } from '../config/config.ts';
import { takeDeliveryStep } from '../deliveries/steps.ts';
import type { ConsoleContext } from '../operatorContext.ts';
import { type ChosenWork, suspendPerson } from './suspend.ts';

const ROUNDS = 4;
const REASON = 'It is a test.';
const config = readConfig({});

// One session cannot race with itself.
describe('work that is taken while its person is suspended', () => {
  let testServer: TestServer;
  let second: TestServer;
  let ada: TestOperator;
  let bud: TestUser;

  beforeAll(async () => {
    testServer = await openTestServer('postgres');
    second = await openTestServer('postgres', { beside: testServer });
    ada = await createOperator(testServer);
    bud = await testServer.createUser('Bud', { north: 300 });
  });
  afterAll(async () => {
    await second?.close();
    await testServer?.close();
  });

  const openWorkOf = async ({ user }: TestUser) => (await ada.api.readPerson({ params: { id: user.id } })).openWork;
  const stateOf = async ({ user }: TestUser) => (await ada.api.readPerson({ params: { id: user.id } })).state;
  const suspendWith = ({ user }: TestUser, choices: ChosenWork[]) =>
    outcomeOf(ada.api.suspend({ params: { id: user.id }, body: { signIn: false, choices, reason: REASON } }));
  const chooseAll = async (person: TestUser, choice: WorkChoice) =>
    (await openWorkOf(person)).map(({ kind, id }) => ({ kind, id, choice }));

  const waitUntilSomebodyWaits = () => waitForLockWaits(testServer.server.db);
  /** Suspends somebody who has nothing open, and lets others act before it commits. */
  const suspendSlowly = (person: TestUser, meanwhile: () => Promise<unknown>) =>
    holdTransaction(testServer.server.db, async (db) => {
      const quiet = { wake: () => {}, endStreamsOf: () => {} };
      const context = { db, now: testServer.now, newId: randomUUID, config, ...quiet } as unknown as ConsoleContext;
      const { operator } = ada.session;
      const request = { signIn: true, choices: [], reason: REASON };
      await suspendPerson(context, { operator: operator as never, id: person.user.id, request });
      const outcome = meanwhile();
      await waitUntilSomebodyWaits();
      return { outcome };
    }).then(({ outcome }) => outcome);

  test('a Duber who accepts a delivery while they are being suspended waits, and is refused', async () => {
    const scrub = await testServer.createUser('Scrub', { north: 600 });
    const duber = await testServer.createUser('Duber', { east: 500 });
    const id = findDeliveryId(await createOrderInStatus({ bud, scrub }, 'Accepted'), 'Bud_To_Scrub');
    const accept = () => outcomeOf(duber.api['accept-delivery']({ params: { id } }));
    expect(await suspendSlowly(duber, accept)).toBe('newWorkHeld');
    expect((await bud.api.readDelivery({ params: { id } })).status).toBe('Pending');
  });

  test('an order that is placed while its Scrub or its Bud is being suspended is refused, and its card released', async () => {
    const [scrub, other] = [await testServer.createUser('Scrub'), await testServer.createUser('Scrub')];
    const place = (by: TestUser, at: TestUser) => () => outcomeOf(placeOrder({ bud: by, scrub: at }));
    expect(await suspendSlowly(scrub, place(bud, scrub))).toBe('scrubUnavailable');
    const person = await testServer.createUser('Bud');
    expect(await suspendSlowly(person, place(person, other))).toBe('newWorkHeld');
    for (const { user } of [scrub, person]) expect(await openWorkOf({ user } as TestUser), user.role).toEqual([]);
    await waitFor(async () => {
      const payments = testServer.server.db.selectFrom('payments').select('state').where('bud_id', '=', person.user.id);
      expect(await payments.execute()).toEqual([{ state: 'voided' }]);
    });
  });

  test('a person who signs in while they are being suspended waits, and is refused', async () => {
    const duber = await testServer.createUser('Duber');
    const body = { email: duber.user.email, password: 'Rubadub1!' };
    expect(await suspendSlowly(duber, () => outcomeOf(second.api().login({ body })))).toBe('signInHeld');
  });

  test('a suspension waits for a delivery that is being accepted, and then asks what becomes of it', async () => {
    const scrub = await testServer.createUser('Scrub', { north: 700 });
    const duber = await testServer.createUser('Duber', { east: 500 });
    const id = findDeliveryId(await createOrderInStatus({ bud, scrub }, 'Accepted'), 'Bud_To_Scrub');
    const actor = { role: 'Duber', id: duber.user.id } as const;
    const { suspending } = await holdTransaction(testServer.server.db, async (tx) => {
      const context = { db: tx, now: testServer.now, wake: () => {} };
      await takeDeliveryStep(context, actor, { id, action: 'accept-delivery' });
      const outcome = suspendWith(duber, []);
      await waitUntilSomebodyWaits();
      return { suspending: outcome };
    });
    expect(await suspending).toBe('workChanged');
    expect(await suspendWith(duber, await chooseAll(duber, 'another'))).toBe('success');
    expect((await bud.api.readDelivery({ params: { id } })).status).toBe('Pending');
  });

  test('of orders that are accepted at two servers while their Scrub is suspended none stays theirs', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const scrub = await testServer.createUser('Scrub', { north: 800 + round });
      const orders = [await placeOrder({ bud, scrub }), await placeOrder({ bud, scrub })];
      const choices = await chooseAll(scrub, 'another');
      const elsewhere = second.api(scrub.token);
      const [suspended] = await Promise.all([
        suspendWith(scrub, choices),
        ...orders.map(({ id }) => outcomeOf(elsewhere['accept-order']({ params: { id } }))),
        outcomeOf(placeOrder({ bud, scrub })),
      ]);
      const open = await openWorkOf(scrub);
      if (suspended === 'success') expect(open, 'nobody decided about it').toEqual([]);
      else expect([suspended, await stateOf(scrub)]).toEqual(['workChanged', 'active']);
    }
  });
});
