import { v7 as newKey } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { outcomeOf } from '../../testing/checkedClient.ts';
import {
  advanceDelivery,
  createOrderInStatus,
  createParticipants,
  findDeliveryId,
  type Participants,
} from '../../testing/orderSteps.ts';
import { openTestServer, RULE_DATABASES, type TestServer, type TestUser } from '../../testing/testServer.ts';

describe.each(RULE_DATABASES)('the PIN of a hand-over, on %s', (kind) => {
  let server: TestServer;
  let participants: Participants;
  beforeAll(async () => {
    server = await openTestServer(kind);
    participants = await createParticipants(server);
  });
  afterAll(() => server?.close());

  const createDuber = () => server.createUser('Duber', { east: 400 });
  /** An accepted order whose outbound delivery has had its first `steps` steps by a new Duber. */
  const carry = async (steps: number) => {
    const order = await createOrderInStatus(participants, 'Accepted');
    const delivery = { id: findDeliveryId(order, 'Bud_To_Scrub') };
    const duber = await createDuber();
    await advanceDelivery(duber, delivery.id, steps);
    return { order: { id: order.id }, delivery, duber };
  };
  const pinOf = async ({ api }: TestUser, params: { id: string }) => (await api.readCustody({ params })).pin ?? '';
  const deliver = ({ api }: TestUser, params: { id: string }, pin: string, idempotencyKey?: string) =>
    outcomeOf(api.deliverWithProof({ params, body: { pin }, ...(idempotencyKey ? { idempotencyKey } : {}) }));

  test('opens one: the Duber who took it back needs another one', async () => {
    const { scrub } = participants;
    const { order, delivery: params, duber } = await carry(4);
    const said = await pinOf(scrub, order);
    expect(await deliver(duber, params, said)).toBe('success');
    await duber.api.correct({ params, body: {} });
    const next = await pinOf(scrub, order);
    expect(next).toMatch(/^\d{4}$/);
    expect(next).not.toBe(said);
    expect(await deliver(duber, params, said)).toBe('wrongPin');
    expect(await deliver(duber, params, next)).toBe('success');
  });

  test('is another one for the way back, and for each Duber', async () => {
    const { bud, scrub } = participants;
    const { order, delivery, duber } = await carry(2);
    const [budPin, scrubPin] = [await pinOf(bud, order), await pinOf(scrub, order)];
    await duber.api['drop-delivery']({ params: delivery, body: { reason: 'breakdown' } });
    const second = await createDuber();
    await advanceDelivery(second, delivery.id, 4);
    const replaced = [await pinOf(bud, order), await pinOf(scrub, order)];
    expect(replaced[0]).not.toBe(budPin);
    expect(replaced[1]).not.toBe(scrubPin);
    expect(await deliver(second, delivery, scrubPin)).toBe('wrongPin');
    expect(await deliver(second, delivery, replaced[1] ?? '')).toBe('success');
    await scrub.api['start-order']({ params: order });
    await scrub.api['complete-order']({ params: order });
    const told = await pinOf(bud, order);
    const back = { id: findDeliveryId(await scrub.api.readOrder({ params: order }), 'Scrub_To_Bud') };
    await advanceDelivery(duber, back.id, 4);
    expect(await deliver(duber, back, told)).toBe('wrongPin');
    expect(await deliver(duber, back, await pinOf(bud, order))).toBe('success');
  });

  test('that a Duber has typed without a network stays right while another Duber accepts the way back', async () => {
    const { scrub } = participants;
    const { order, delivery, duber } = await carry(4);
    const typed = await pinOf(scrub, order);
    await scrub.api['start-order']({ params: order });
    await scrub.api['complete-order']({ params: order });
    const back = findDeliveryId(await scrub.api.readOrder({ params: order }), 'Scrub_To_Bud');
    await advanceDelivery(await createDuber(), back, 1);
    expect(await deliver(duber, delivery, typed)).toBe('success');
  });

  test('answers a step that is sent again as before, also at the same time and after it was taken back', async () => {
    const { scrub } = participants;
    const { order, delivery: params, duber } = await carry(4);
    const [said, key] = [await pinOf(scrub, order), newKey()];
    const sent = await Promise.all(Array.from({ length: 6 }, () => deliver(duber, params, said, key)));
    expect(sent).toEqual(Array.from({ length: 6 }, () => 'success'));
    await duber.api.correct({ params, body: {} });
    expect(await deliver(duber, params, said, key)).toBe('success');
    const { status } = await duber.api.readDelivery({ params });
    expect(status).toBe('Way_To_Drop');
    // None of them was a try.
    for (let tries = 1; tries < 5; tries += 1) expect(await deliver(duber, params, said)).toBe('wrongPin');
    expect(await deliver(duber, params, await pinOf(scrub, order))).toBe('success');
  });

  test('brings laundry back once, and answers that step when it is sent again', async () => {
    const { bud } = participants;
    const { order, delivery: params, duber } = await carry(4);
    await duber.api['drop-failed']({ params, body: { reason: 'unsafe' } });
    await duber.api['bring-back']({ params, body: {} });
    const [pin, idempotencyKey] = [await pinOf(bud, order), newKey()];
    const bringBack = () => outcomeOf(duber.api['brought-back']({ params, body: { pin }, idempotencyKey }));
    expect(await Promise.all(Array.from({ length: 4 }, bringBack))).toEqual(Array.from({ length: 4 }, () => 'success'));
    const { handovers } = await bud.api.readCustody({ params: order });
    expect(handovers.map(({ proof }) => proof)).toEqual(['none', 'pin']);
    await bud.api['re-offer']({ params, body: {} });
    const next = await createDuber();
    await advanceDelivery(next, params.id, 4);
    await next.api['drop-failed']({ params, body: { reason: 'unsafe' } });
    await next.api['bring-back']({ params, body: {} });
    expect(await outcomeOf(next.api['brought-back']({ params, body: { pin } }))).toBe('wrongPin');
  });
});
