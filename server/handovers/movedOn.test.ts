import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { outcomeOf } from '../../testing/checkedClient.ts';
import {
  advanceDelivery,
  createOrderInStatus,
  createParticipants,
  findDeliveryId,
  type Participants,
} from '../../testing/orderSteps.ts';
import { sendPhoto } from '../../testing/sentPhotos.ts';
import { openTestServer, RULE_DATABASES, type TestServer } from '../../testing/testServer.ts';
import { setPolicy } from '../town/policies.sql.ts';

describe.each(RULE_DATABASES)('laundry that has moved on, on %s', (kind) => {
  let server: TestServer;
  let participants: Participants;

  beforeAll(async () => {
    server = await openTestServer(kind);
    participants = await createParticipants(server);
  });
  afterAll(() => server?.close());

  /** An order that its Scrub has completed while its first Duber is, as far as the server knows, on the way there. */
  const completeEarly = async () => {
    const { scrub } = participants;
    const order = await createOrderInStatus(participants, 'Accepted');
    const params = { id: order.id };
    const [first, second] = await Promise.all([server.createUser('Duber'), server.createUser('Duber')]);
    const there = { id: findDeliveryId(order, 'Bud_To_Scrub') };
    await advanceDelivery(first, there.id, 4);
    await scrub.api['start-order']({ params });
    await scrub.api['complete-order']({ params });
    const back = { id: findDeliveryId(await scrub.api.readOrder({ params }), 'Scrub_To_Bud') };
    await advanceDelivery(second, back.id, 2);
    return { params, first, second, there, back };
  };

  const bringBack = async ({ second, back }: Awaited<ReturnType<typeof completeEarly>>) => {
    for (const action of ['collected', 'way-to-drop', 'delivered'] as const) await second.api[action]({ params: back });
  };
  const setProof = (value: 'open' | 'careful') =>
    setPolicy(server.server.db, { name: 'proof', value, setBy: 'a test' }, server.now());
  const readHolder = async (params: { id: string }) => (await participants.bud.api.readCustody({ params })).holder.role;

  test('stays confirmed for the Duber who brought it, also when the next one has collected it', async () => {
    const { params, first, second, there, back } = await completeEarly();
    await first.api.delivered({ params: there });
    await participants.scrub.api.confirmReceived({ params, body: { bags: 1 } });
    await second.api.collected({ params: back });
    expect((await first.api.readDelivery({ params: there })).isFinal).toBe(true);
    expect(await outcomeOf(first.api.correct({ params: there, body: {} }))).toBe('takerHasIt');
  });

  test('stays confirmed for the Duber who brought it back, also when the one before says late that they delivered', async () => {
    const { params, first, second, there, back } = await completeEarly();
    for (const action of ['collected', 'way-to-drop', 'delivered'] as const) await second.api[action]({ params: back });
    await participants.bud.api.confirmReceived({ params, body: { bags: 1 } });
    await first.api.delivered({ params: there });
    expect(await outcomeOf(second.api.correct({ params: back, body: {} }))).toBe('takerHasIt');
  });

  test('needs no proof from the Duber whose recipient has pressed that they have it, also when it was collected since', async () => {
    const { params, first, second, there, back } = await completeEarly();
    await participants.scrub.api.confirmReceived({ params, body: { bags: 1 } });
    await second.api.collected({ params: back });
    await setProof('careful');
    expect(await outcomeOf(first.api.delivered({ params: there }))).toBe('success');
    await setProof('open');
  });

  test('stays with the Bud who has it back when its first Duber says late that they delivered, and is paid', async () => {
    const early = await completeEarly();
    const { params, first, there } = early;
    await bringBack(early);
    await first.api.delivered({ params: there });
    expect(await readHolder(params)).toBe('Bud');
    const { deliveries } = await participants.bud.api.readOrder({ params });
    expect(deliveries.map(({ status }) => status)).toEqual(['Delivered', 'Delivered']);
    const { rows } = await sql`select kind from earnings where delivery_id = ${there.id}`.execute(server.server.db);
    expect(rows).toEqual([{ kind: 'leg' }]);
  });

  test('stays with the Bud who fetched it when its Duber says late that they delivered what the Scrub has confirmed', async () => {
    const { scrub } = participants;
    const order = await createOrderInStatus(participants, 'Accepted', { selfPickup: true });
    const [params, there] = [{ id: order.id }, { id: findDeliveryId(order, 'Bud_To_Scrub') }];
    const duber = await server.createUser('Duber');
    await advanceDelivery(duber, there.id, 4);
    await scrub.api.confirmReceived({ params, body: { bags: 1 } });
    await scrub.api['start-order']({ params });
    await scrub.api['complete-order']({ params });
    await duber.api.delivered({ params: there });
    expect(await readHolder(params)).toBe('Bud');
  });

  test('goes to the Scrub when it was lost, and its Duber has found it since', async () => {
    const early = await completeEarly();
    const { params, first, there } = early;
    await first.api['report-lost']({ params: there, body: { words: 'The bag is gone.' } });
    await bringBack(early);
    await first.api['try-again']({ params: there, body: {} });
    await first.api.delivered({ params: there });
    expect(await readHolder(params)).toBe('Scrub');
  });

  test('is delivered a second time with the proof of that time, and the step can be taken back: nobody has confirmed', async () => {
    const early = await completeEarly();
    const { params, first, there } = early;
    const deliver = async () =>
      first.api.deliverWithProof({ params: there, body: { fileIds: [await sendPhoto(first)] } });
    await deliver();
    await bringBack(early);
    await first.api.correct({ params: there, body: {} });
    await first.api['report-lost']({ params: there, body: { words: 'The bag is gone.' } });
    await first.api['try-again']({ params: there, body: {} });
    await deliver();
    const { holder, handovers } = await participants.bud.api.readCustody({ params });
    expect([holder.role, handovers.at(-1)?.proof]).toEqual(['Scrub', 'photo']);
    expect(await outcomeOf(first.api.correct({ params: there, body: {} }))).toBe('success');
    expect(await readHolder(params)).toBe('Bud');
  });

  test('needs a proof to be collected again where the town demands one, even if the Scrub had it before', async () => {
    const early = await completeEarly();
    const { first, there: params } = early;
    const { bud } = participants;
    await first.api.delivered({ params });
    await bringBack(early);
    await first.api.correct({ params, body: {} });
    await first.api['drop-failed']({ params, body: { reason: 'unsafe' } });
    for (const action of ['bring-back', 'brought-back'] as const) await first.api[action]({ params, body: {} });
    await bud.api['re-offer']({ params, body: {} });
    await advanceDelivery(first, params.id, 2);
    await setProof('careful');
    expect(await outcomeOf(first.api.collectWithProof({ params, body: {} }))).toBe('proofNeeded');
    await setProof('open');
  });
});
