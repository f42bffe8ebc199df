import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Custody } from '../../contract/handovers.ts';
import { outcomeOf } from '../../testing/checkedClient.ts';
import {
  advanceDelivery,
  createOrderInStatus,
  createParticipants,
  findDeliveryId,
  type Participants,
} from '../../testing/orderSteps.ts';
import { sendPhoto } from '../../testing/sentPhotos.ts';
import { openTestServer, RULE_DATABASES, type TestServer, type TestUser } from '../../testing/testServer.ts';

describe.each(RULE_DATABASES)('who has the laundry, on %s', (kind) => {
  let server: TestServer;
  let participants: Participants;

  beforeAll(async () => {
    server = await openTestServer(kind);
    participants = await createParticipants(server);
  });
  afterAll(() => server?.close());

  /** An accepted order whose outbound delivery has had its first `steps` steps by a new Duber. */
  const carry = async (steps: number, more: object = {}) => {
    const order = await createOrderInStatus(participants, 'Accepted', more);
    const delivery = { id: findDeliveryId(order, 'Bud_To_Scrub') };
    const duber = await server.createUser('Duber', { east: 400, fullname: 'Ines Duber' });
    await advanceDelivery(duber, delivery.id, steps);
    return { order: { id: order.id }, delivery, duber };
  };
  const custodyOf = ({ api }: TestUser, params: { id: string }) => api.readCustody({ params });
  const pinOf = async (user: TestUser, params: { id: string }) => (await custodyOf(user, params)).pin ?? '';
  const wrongPinFor = (pin: string) => `${pin.slice(0, 3)}${(Number(pin[3]) + 1) % 10}`;
  const moves = ({ handovers }: Custody) => handovers.map(({ giver, taker }) => `${giver.role} > ${taker.role}`);
  const proofs = ({ handovers }: Custody) => handovers.map(({ proof }) => proof);

  test('is the Bud until a Duber collects it, and everybody else in turn', async () => {
    const { bud, scrub, duber } = participants;
    const order = await createOrderInStatus(participants, 'Accepted');
    const params = { id: order.id };
    expect(await custodyOf(bud, params)).toMatchObject({
      holder: { role: 'Bud', id: bud.user.id, fullname: 'Ada Bud' },
      ...{ since: null, bags: null, handovers: [], canConfirm: false, leaveAtDoor: false, tags: [] },
    });
    const deliveryId = findDeliveryId(order, 'Bud_To_Scrub');
    await advanceDelivery(duber, deliveryId, 3);
    const carried = await custodyOf(scrub, params);
    expect(carried.holder).toMatchObject({ role: 'Duber', fullname: 'Alan Duber' });
    expect(carried.since).toBe(carried.handovers[0]?.at);
    await duber.api['way-to-drop']({ params: { id: deliveryId } });
    await duber.api.delivered({ params: { id: deliveryId } });
    expect((await custodyOf(bud, params)).holder.role).toBe('Scrub');
    await scrub.api['start-order']({ params });
    const completed = await scrub.api['complete-order']({ params }).then(() => scrub.api.readOrder({ params }));
    await advanceDelivery(duber, findDeliveryId(completed, 'Scrub_To_Bud'));
    const back = await custodyOf(bud, params);
    expect(moves(back)).toEqual(['Bud > Duber', 'Duber > Scrub', 'Scrub > Duber', 'Duber > Bud']);
    expect(proofs(back)).toEqual(['none', 'none', 'none', 'none']);
    expect(back.holder.role).toBe('Bud');
  });

  test('is said by the Scrub when the Bud brings and fetches it', async () => {
    const { bud, scrub } = participants;
    const params = {
      id: (await createOrderInStatus(participants, 'Accepted', { selfDelivery: true, selfPickup: true })).id,
    };
    await scrub.api['start-order']({ params });
    expect((await custodyOf(bud, params)).holder.role).toBe('Scrub');
    await scrub.api['complete-order']({ params });
    expect(moves(await custodyOf(bud, params))).toEqual(['Bud > Scrub', 'Scrub > Bud']);
    const confirmed = await bud.api.confirmReceived({ params, body: { bags: 3 } });
    expect(confirmed).toMatchObject({ bags: 3, canConfirm: false, holder: { role: 'Bud' } });
    expect(confirmed.handovers[1]?.confirmed?.bags).toBe(3);
  });

  test('stays one person when steps are pressed early: the one who has it gives it', async () => {
    const { bud, scrub } = participants;
    const { order, delivery, duber } = await carry(3);
    await scrub.api['start-order']({ params: order });
    await scrub.api['complete-order']({ params: order });
    const back = findDeliveryId(await scrub.api.readOrder({ params: order }), 'Scrub_To_Bud');
    const second = await server.createUser('Duber', { east: 300 });
    await advanceDelivery(second, back, 3);
    await duber.api['way-to-drop']({ params: delivery });
    await duber.api.delivered({ params: delivery });
    const custody = await custodyOf(bud, order);
    expect(moves(custody)).toEqual(['Bud > Duber', 'Duber > Duber', 'Duber > Scrub']);
    for (const [index, { giver }] of custody.handovers.slice(1).entries())
      expect(giver.id).toBe(custody.handovers[index]?.taker.id);
  });

  test('stays where it is when a failed drop-off or pickup was a mistake', async () => {
    const { bud } = participants;
    const { order, delivery: params, duber } = await carry(4);
    const body = { reason: 'unsafe' };
    await duber.api['drop-failed']({ params, body });
    await duber.api.correct({ params, body: {} });
    expect(moves(await custodyOf(bud, order))).toEqual(['Bud > Duber']);
    await duber.api['drop-failed']({ params, body });
    await duber.api['bring-back']({ params, body: {} });
    await duber.api['brought-back']({ params, body: {} });
    await bud.api['re-offer']({ params, body: {} });
    const next = await server.createUser('Duber', { east: 300 });
    await advanceDelivery(next, params.id, 2);
    await next.api['pickup-failed']({ params, body });
    await next.api.correct({ params, body: {} });
    expect(moves(await custodyOf(bud, order))).toEqual(['Bud > Duber', 'Duber > Bud']);
  });

  test('a PIN and bags are refused where nothing is handed over', async () => {
    const { delivery: params, duber } = await carry(2);
    const failing = { reason: 'unsafe' };
    for (const more of [{ pin: '1234' }, { bags: 2 }])
      expect(await outcomeOf(duber.api['pickup-failed']({ params, body: { ...failing, ...more } as never }))).toBe(
        'invalid',
      );
    expect(await outcomeOf(duber.api['pickup-failed']({ params, body: failing }))).toBe('success');
  });

  test('is shown to the Bud, the Scrub and the Duber who carries it, and the PIN only to its owner', async () => {
    const { bud, scrub, duber: stranger } = participants;
    const { order, delivery, duber } = await carry(4);
    const [budPin, scrubPin] = [await pinOf(bud, order), await pinOf(scrub, order)];
    expect(budPin).toMatch(/^\d{4}$/);
    expect(scrubPin).toMatch(/^\d{4}$/);
    await bud.api.makeBags({ params: order, body: { bags: 2 } });
    const seen = await custodyOf(duber, order);
    expect(seen).toMatchObject({ pin: null, tags: [], canConfirm: false, holder: { fullname: 'Ines Duber' } });
    expect(await outcomeOf(custodyOf(stranger, order))).toBe('notFound');
    const answers = [
      seen,
      await duber.api.readDelivery({ params: delivery }),
      await duber.api.listDeliveries({ query: { pageNumber: '1', pageSize: '10' } }),
      await duber.api.duberDashboard({}),
    ];
    for (const pin of [budPin, scrubPin]) expect(JSON.stringify(answers)).not.toContain(`"${pin}"`);
    await duber.api.delivered({ params: delivery });
    expect(await outcomeOf(custodyOf(duber, order))).toBe('notFound');
    expect(await pinOf(scrub, order)).toBe('');
  });

  test('changes with a PIN only when all its digits are right, and five wrong ones need a photo', async () => {
    const { scrub } = participants;
    const { order, delivery: params, duber } = await carry(4);
    const pin = await pinOf(scrub, order);
    const deliver = (tried: string, more: object = {}) =>
      outcomeOf(duber.api.deliverWithProof({ params, body: { pin: tried, ...more } }));
    for (let tries = 1; tries < 5; tries += 1) expect(await deliver(wrongPinFor(pin))).toBe('wrongPin');
    expect(await deliver(wrongPinFor(pin))).toBe('pinBlocked');
    expect(await deliver(pin)).toBe('pinBlocked');
    expect((await custodyOf(scrub, order)).holder.role).toBe('Duber');
    // Its owner is not sent a PIN that is refused; the Duber learns nothing but what the refusal says.
    const shown = ({ pin, isPinBlocked }: Custody) => ({ pin, isPinBlocked });
    expect(shown(await custodyOf(scrub, order))).toEqual({ pin: null, isPinBlocked: true });
    expect(shown(await custodyOf(participants.bud, order))).toEqual({
      pin: expect.stringMatching(/^\d{4}$/),
      isPinBlocked: false,
    });
    expect(shown(await custodyOf(duber, order))).toEqual({ pin: null, isPinBlocked: false });
    expect(await deliver(pin, { fileIds: [await sendPhoto(duber)] })).toBe('success');
    expect(proofs(await custodyOf(scrub, order))).toEqual(['none', 'photo']);
  });

  test('changes with the right PIN, once also when it is sent again', async () => {
    const { scrub } = participants;
    const { order, delivery: params, duber } = await carry(4);
    const body = { pin: await pinOf(scrub, order), bags: 2 };
    expect(await outcomeOf(duber.api.deliverWithProof({ params, body: { pin: wrongPinFor(body.pin) } }))).toBe(
      'wrongPin',
    );
    const request = { params, body, idempotencyKey: 'the-same' };
    const first = await duber.api.deliverWithProof(request);
    expect(await duber.api.deliverWithProof(request)).toEqual(first);
    const custody = await custodyOf(scrub, order);
    expect(proofs(custody)).toEqual(['none', 'pin']);
    expect(custody).toMatchObject({ bags: 2, holder: { role: 'Scrub' } });
  });

  test('is counted by both sides: two bags given and one taken are both written', async () => {
    const { scrub } = participants;
    const { order, delivery: params, duber } = await carry(2);
    await duber.api.collectWithProof({ params, body: { bags: 2 } });
    await duber.api['way-to-drop']({ params });
    await duber.api.deliverWithProof({ params, body: { pin: await pinOf(scrub, order) } });
    const custody = await scrub.api.confirmReceived({ params: order, body: { bags: 1 } });
    expect(custody.handovers.map(({ bags, confirmed }) => [bags, confirmed?.bags ?? null])).toEqual([
      [2, null],
      [null, 1],
    ]);
    expect(custody.bags).toBe(1);
  });

  test('is taken by a press on the own phone while the Duber is at the door, and never twice', async () => {
    const { scrub, bud } = participants;
    const { order, delivery: params, duber } = await carry(3);
    expect(await outcomeOf(scrub.api.confirmReceived({ params: order, body: { bags: 2 } }))).toBe('nothingHandedOver');
    await duber.api['way-to-drop']({ params });
    expect(await outcomeOf(bud.api.confirmReceived({ params: order, body: { bags: 2 } }))).toBe('nothingHandedOver');
    const pressed = await scrub.api.confirmReceived({ params: order, body: { bags: 2 } });
    expect(pressed).toMatchObject({ holder: { role: 'Scrub' }, bags: 2, canConfirm: false });
    expect(await scrub.api.confirmReceived({ params: order, body: { bags: 2 } })).toMatchObject({ bags: 2 });
    await duber.api.delivered({ params });
    expect(proofs(await custodyOf(bud, order))).toEqual(['none', 'taker-pressed']);
  });

  test('shows the photos of a hand-over to those who see them, and no photo of another Duber', async () => {
    const { bud, scrub } = participants;
    const { order, delivery: params, duber } = await carry(2);
    const photos = [await sendPhoto(duber), await sendPhoto(duber)];
    await duber.api.collectWithProof({ params, body: { fileIds: photos } });
    await duber.api['way-to-drop']({ params });
    await duber.api.delivered({ params });
    await scrub.api['start-order']({ params: order });
    await scrub.api['complete-order']({ params: order });
    const back = { id: findDeliveryId(await scrub.api.readOrder({ params: order }), 'Scrub_To_Bud') };
    const other = await server.createUser('Duber');
    await advanceDelivery(other, back.id, 2);
    const photosOf = async (user: TestUser) => (await custodyOf(user, order)).handovers.map(({ fileIds }) => fileIds);
    for (const user of [bud, scrub]) expect(await photosOf(user)).toEqual([photos, []]);
    expect(await photosOf(other)).toEqual([[], []]);
    expect((await bud.api.readFile({ params: { id: photos[0] ?? '' } })).size).toBeGreaterThan(0);
  });

  test('is not taken by a Bud from a Duber who is still bringing it to the Scrub', async () => {
    const { bud, scrub, duber } = participants;
    const order = await createOrderInStatus(participants, 'Accepted', { selfPickup: true });
    const [params, way] = [{ id: order.id }, { id: findDeliveryId(order, 'Bud_To_Scrub') }];
    await advanceDelivery(duber, way.id, 4);
    await scrub.api['start-order']({ params });
    await scrub.api['complete-order']({ params });
    expect(await custodyOf(bud, params)).toMatchObject({ holder: { role: 'Duber' }, canConfirm: false });
    expect(await outcomeOf(bud.api.confirmReceived({ params, body: { bags: 1 } }))).toBe('nothingHandedOver');
    await duber.api.delivered({ params: way });
    expect(await custodyOf(bud, params)).toMatchObject({ holder: { role: 'Scrub' }, canConfirm: true });
  });

  test('is proved by the codes of its own bags', async () => {
    const { bud } = participants;
    const { order, delivery: params, duber } = await carry(2);
    const { tags } = await bud.api.makeBags({ params: order, body: { bags: 2 } });
    expect((await bud.api.makeBags({ params: order, body: { bags: 1 } })).tags).toEqual(tags.slice(0, 1));
    const other = await carry(0);
    const foreign = await bud.api.makeBags({ params: other.order, body: { bags: 1 } });
    const bagCodes = tags.map(({ url, code }, index) => (index === 0 ? url : code.toLowerCase()));
    const collect = (codes: string[]) => outcomeOf(duber.api.collectWithProof({ params, body: { bagCodes: codes } }));
    const strange = foreign.tags[0]?.code ?? '';
    expect(await collect([...bagCodes, strange])).toBe('wrongBag');
    const withStrange = duber.api.collectWithProof({ params, body: { bagCodes: [...bagCodes, strange] } });
    await expect(withStrange).rejects.toThrow(`Bag ${strange} does not belong to the order`);
    expect(await collect(bagCodes)).toBe('success');
    expect(await custodyOf(bud, order)).toMatchObject({ bags: 2, handovers: [{ proof: 'bag-codes' }] });
  });

  test('has bags whose codes a Duber gets only when they made them, and only before they collect it', async () => {
    const { bud } = participants;
    const { order: params, delivery, duber } = await carry(2);
    const made = await bud.api.makeBags({ params, body: { bags: 2 } });
    const asked = await duber.api.makeBags({ params, body: { bags: 3 } });
    expect(asked.tags.map(({ n }) => n)).toEqual([3]);
    expect(await duber.api.makeBags({ params, body: { bags: 3 } })).toEqual(asked);
    const all = await bud.api.makeBags({ params, body: { bags: 3 } });
    expect(all.tags).toEqual([...made.tags, ...asked.tags]);
    await duber.api.collected({ params: delivery });
    expect(await outcomeOf(duber.api.makeBags({ params, body: { bags: 3 } }))).toBe('wrongStatus');
  });

  test.each(['Rejected', 'Cancelled'] as const)('gets no more bags when the order is %s', async (status) => {
    const { id } = await createOrderInStatus(participants, status);
    expect(await outcomeOf(participants.bud.api.makeBags({ params: { id }, body: { bags: 1 } }))).toBe('wrongStatus');
  });

  test('says to a finder of a bag whom to write to, and to its people which order it belongs to', async () => {
    const { bud, scrub, duber: stranger } = participants;
    const { order, delivery, duber } = await carry(2);
    const { tags } = await duber.api.makeBags({ params: order, body: { bags: 1 } });
    const params = { code: tags[0]?.code ?? '' };
    const found = await server.api().readBag({ params });
    expect(Object.keys(found).toSorted()).toEqual(['code', 'supportEmail']);
    const own = { code: params.code, n: 1, orderId: order.id };
    for (const user of [bud, scrub])
      expect(await user.api.readOwnBag({ params })).toEqual({ ...own, deliveryId: null });
    expect(await duber.api.readOwnBag({ params })).toEqual({ ...own, deliveryId: delivery.id });
    expect(await outcomeOf(stranger.api.readOwnBag({ params }))).toBe('notFound');
    expect(await outcomeOf(server.api().readBag({ params: { code: 'ZZZZZZ' } }))).toBe('notFound');
  });
});
