import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LET_OTHERS_FIRST_MS } from '../../domain/deliveries.ts';
import { outcomeOf } from '../../testing/checkedClient.ts';
import { createCarriedOrder } from '../../testing/handoverCalls.ts';
import { createOperator } from '../../testing/operators.ts';
import { advanceDelivery, createParticipants, findLegId, type Participants } from '../../testing/orderSteps.ts';
import { sendPhoto } from '../../testing/sentPhotos.ts';
import { openTestServer, RULE_DATABASES, type TestServer } from '../../testing/testServer.ts';
import { setPolicy } from '../town/policies.sql.ts';

const PLACE = { place: { latitude: 24.001, longitude: 67.001 } };

describe.each(RULE_DATABASES)('where a town demands proofs, on %s', (kind) => {
  let server: TestServer;
  let participants: Participants;

  beforeAll(async () => {
    server = await openTestServer(kind);
    participants = await createParticipants(server);
    for (const name of ['proof', 'start'] as const)
      await setPolicy(server.server.db, { name, value: 'careful', setBy: 'a test' }, server.now());
  });
  afterAll(() => server?.close());

  /** A delivery on the way to its pickup. */
  const onTheWay = async () => {
    const { orderId, deliveryId, duber } = await createCarriedOrder({ testServer: server, participants }, 2);
    return { order: { id: orderId }, params: { id: deliveryId }, duber };
  };
  /** A delivery at the door of its drop-off. */
  const atTheDoor = async () => {
    const carried = await onTheWay();
    await carried.duber.api.collectWithProof({ params: carried.params, body: { bags: 1 } });
    await carried.duber.api['way-to-drop']({ params: carried.params });
    return carried;
  };
  const atTheBudsDoor = async () => {
    const { order, params, duber } = await atTheDoor();
    const { scrub } = participants;
    const { pin } = await scrub.api.readCustody({ params: order });
    await duber.api.deliverWithProof({ params, body: { pin: pin ?? '' } });
    await scrub.api['start-order']({ params: order });
    await scrub.api['complete-order']({ params: order });
    const back = { id: findLegId(await scrub.api.readOrder({ params: order }), 'Scrub_To_Bud') };
    await advanceDelivery(duber, back.id, 2);
    await duber.api.collectWithProof({ params: back, body: { bags: 1 } });
    await duber.api['way-to-drop']({ params: back });
    return { order, params: back, duber };
  };

  test('laundry that was not collected after all, or came back, is collected with a proof as before', async () => {
    const { params, duber } = await onTheWay();
    const collect = () => duber.api.collectWithProof({ params, body: { bags: 1 } });
    await collect();
    await duber.api.correct({ params, body: {} });
    expect(await collect()).toMatchObject({ status: 'Collected' });
  });

  test('nothing is collected without bag codes, a number of bags or a photo', async () => {
    const { params, duber } = await onTheWay();
    expect(await outcomeOf(duber.api.collected({ params }))).toBe('proofNeeded');
    expect(await outcomeOf(duber.api.collectWithProof({ params, body: {} }))).toBe('proofNeeded');
    expect(await outcomeOf(duber.api.collectWithProof({ params, body: { bags: 2 } }))).toBe('success');
    expect(await outcomeOf(duber.api.collected({ params }))).toBe('wrongStatus');
  });

  test('nothing is delivered without the PIN of the one who takes it', async () => {
    const { order, params, duber } = await atTheDoor();
    const { pin } = await participants.scrub.api.readCustody({ params: order });
    expect(await outcomeOf(duber.api.delivered({ params }))).toBe('proofNeeded');
    for (const body of [{}, { bags: 1 }, { ...PLACE, fileIds: [await sendPhoto(duber)] }]) {
      expect(await outcomeOf(duber.api.deliverWithProof({ params, body }))).toBe('proofNeeded');
    }
    expect(await outcomeOf(duber.api.deliverWithProof({ params, body: { pin: pin ?? '' } }))).toBe('success');
  });

  test('a Duber reads what proves the step that they take: bags where they collect, and the PIN where they hand over', async () => {
    const { params, duber } = await onTheWay();
    const forBags = /the codes of the bags, their number or a photo$/;
    const forPin = /^Ask for their PIN, or let them press “I have … bags” on their own phone$/;
    await expect(duber.api.collected({ params })).rejects.toThrow(forBags);
    await expect(duber.api.collectWithProof({ params, body: {} })).rejects.toThrow(forBags);
    await duber.api.collectWithProof({ params, body: { bags: 1 } });
    await duber.api['way-to-drop']({ params });
    const fileIds = [await sendPhoto(duber)];
    await expect(duber.api.delivered({ params })).rejects.toThrow(forPin);
    await expect(duber.api.deliverWithProof({ params, body: { bags: 1, fileIds } })).rejects.toThrow(forPin);
    await duber.api['drop-failed']({ params, body: { reason: 'unsafe' } });
    await duber.api['bring-back']({ params, body: {} });
    await expect(duber.api['brought-back']({ params, body: { fileIds } })).rejects.toThrow(forPin);
  });

  test('a Duber whose PIN is blocked is not sent for it again: a photo counts now', async () => {
    const { order, params, duber } = await atTheDoor();
    const { pin } = await participants.scrub.api.readCustody({ params: order });
    const wrong = { pin: pin === '0000' ? '0001' : '0000' };
    for (let tries = 1; tries <= 5; tries += 1) await outcomeOf(duber.api.deliverWithProof({ params, body: wrong }));
    const forPhoto = /^The PIN was wrong five times\. Take a photo/;
    expect(await outcomeOf(duber.api.delivered({ params }))).toBe('proofNeeded');
    await expect(duber.api.delivered({ params })).rejects.toThrow(forPhoto);
    expect(await outcomeOf(duber.api.deliverWithProof({ params, body: { bags: 1 } }))).toBe('pinBlocked');
    const fileIds = [await sendPhoto(duber)];
    expect(await outcomeOf(duber.api.deliverWithProof({ params, body: { fileIds } }))).toBe('success');
  });

  test('a taker who confirms on their own phone needs no PIN', async () => {
    const { order, params, duber } = await atTheDoor();
    await participants.scrub.api.confirmReceived({ params: order, body: { bags: 1 } });
    expect(await outcomeOf(duber.api.delivered({ params }))).toBe('success');
  });

  test('a Scrub whose Duber has a phone that does not work starts once the town has marked the laundry as delivered', async () => {
    const operator = await createOperator(server);
    const { scrub } = participants;
    const { order, params, duber } = await atTheDoor();
    const { order: unseen, params: unseenParams } = await atTheDoor();
    await scrub.api.confirmReceived({ params: order, body: { bags: 1 } });
    expect(await outcomeOf(scrub.api['start-order']({ params: order }))).toBe('laundryNotHere');
    const mark = (to: { id: string }) =>
      operator.api['delivery-mark-delivered']({
        params: to,
        body: { why: 'no-phone', reason: 'The Scrub has called' },
      });
    await mark(params);
    expect(await outcomeOf(scrub.api['start-order']({ params: order }))).toBe('success');
    const { handovers } = await scrub.api.readCustody({ params: order });
    expect(handovers.map(({ taker, proof }) => [taker.role, proof])).toEqual([
      ['Duber', 'count'],
      ['Scrub', 'taker-pressed'],
    ]);
    expect(await outcomeOf(duber.api.correct({ params, body: {} }))).not.toBe('success');
    // Nobody has pressed anything: the operator has asked the Scrub.
    await mark(unseenParams);
    expect(await scrub.api.readCustody({ params: unseen })).toMatchObject({ holder: { role: 'Scrub' } });
  });

  test('the Duber who carries the laundry reads that the Bud lets it stand at the door', async () => {
    const { order, duber } = await atTheDoor();
    await participants.bud.api.chooseLeaveAtDoor({ params: order, body: { leaveAtDoor: true } });
    expect(await duber.api.readCustody({ params: order })).toMatchObject({ leaveAtDoor: true, pin: null });
  });

  test('bags that are counted differently open a problem that says both numbers, and a third number does not change it', async () => {
    const { order, params, duber } = await onTheWay();
    const { bud, scrub } = participants;
    const { pin } = await scrub.api.readCustody({ params: order });
    await duber.api.collectWithProof({ params, body: { bags: 3 } });
    await duber.api['way-to-drop']({ params });
    await duber.api.deliverWithProof({ params, body: { bags: 2, pin: pin ?? '' } });
    await scrub.api.confirmReceived({ params: order, body: { bags: 1 } });
    for (const { api } of [bud, scrub]) {
      const { data } = await api.listCases({ query: {} } as never);
      const found = data.items.filter(({ orderId }) => orderId === order.id);
      expect(found.map(({ kind }) => kind)).toEqual(['handover']);
      const { events } = await api.readCase({ params: { id: found[0]?.id ?? '' } });
      expect(events.map(({ words }) => words)).toEqual(['3 bags were counted before, and 2 now.']);
    }
  });

  test('bags that were counted with a step that is taken back count no more', async () => {
    const { order, params, duber } = await onTheWay();
    const { bud, scrub } = participants;
    await duber.api.collectWithProof({ params, body: { bags: 3 } });
    await duber.api.correct({ params, body: {} });
    const custody = { holder: { role: 'Bud' }, bags: null, canConfirm: false };
    expect(await bud.api.readCustody({ params: order })).toMatchObject(custody);
    await duber.api.collectWithProof({ params, body: { bags: 2 } });
    await duber.api['way-to-drop']({ params });
    await scrub.api.confirmReceived({ params: order, body: { bags: 2 } });
    expect(await scrub.api.readCustody({ params: order })).toMatchObject({ holder: { role: 'Scrub' }, bags: 2 });
    const { data } = await bud.api.listCases({ query: {} } as never);
    expect(data.items.filter(({ orderId }) => orderId === order.id)).toEqual([]);
  });

  test('a Duber who goes on with laundry that they have had all the time collects it without a proof', async () => {
    const { params, duber } = await atTheDoor();
    const operator = await createOperator(server);
    const body = { why: 'breakdown', reason: 'They have telephoned', ...PLACE } as const;
    await operator.api['delivery-relay']({ params, body });
    server.advanceClock(LET_OTHERS_FIRST_MS);
    for (const action of ['accept-delivery', 'way-to-pickup'] as const) await duber.api[action]({ params });
    expect(await outcomeOf(duber.api.collected({ params }))).toBe('success');
  });

  const onTheWayBack = async () => {
    const carried = await atTheDoor();
    const { duber, params } = carried;
    await duber.api['drop-failed']({ params, body: { reason: 'unsafe' } });
    await duber.api['bring-back']({ params, body: {} });
    return carried;
  };

  test('nothing is brought back without the PIN of the person who takes it back', async () => {
    const { order, params, duber } = await onTheWayBack();
    const bringBack = (body: object) => outcomeOf(duber.api['brought-back']({ params, body }));
    const { pin } = await participants.bud.api.readCustody({ params: order });
    for (const body of [{}, { bags: 1 }, PLACE]) expect(await bringBack(body)).toBe('proofNeeded');
    const wrong = pin === '0000' ? '0001' : '0000';
    expect(await bringBack({ pin: wrong })).toBe('wrongPin');
    expect(await bringBack({ pin, bags: 2, ...PLACE })).toBe('success');
    const { handovers, holder } = await participants.bud.api.readCustody({ params: order });
    expect(holder).toMatchObject({ role: 'Bud' });
    expect(handovers.at(-1)).toMatchObject({ proof: 'pin', bags: 2, taker: { role: 'Bud' } });
    // One bag was collected, and two came back.
    const { data } = await participants.bud.api.listCases({ query: {} } as never);
    expect(data.items).toContainEqual(expect.objectContaining({ kind: 'handover', orderId: order.id }));
  });

  test('what the Scrub said before the Duber turned back proves nothing to the Bud', async () => {
    const { order, params, duber } = await atTheDoor();
    await participants.scrub.api.confirmReceived({ params: order, body: { bags: 1 } });
    const { api } = await createOperator(server);
    await api['delivery-report-lost']({ params, body: { why: 'silent', reason: 'The Scrub pressed by mistake.' } });
    await duber.api['bring-back']({ params, body: {} });
    expect(await outcomeOf(duber.api['brought-back']({ params, body: {} }))).toBe('proofNeeded');
    const { pin } = await participants.bud.api.readCustody({ params: order });
    expect(await outcomeOf(duber.api['brought-back']({ params, body: { pin: pin ?? '' } }))).toBe('success');
  });

  test.each(['before', 'after'])(
    'a Duber does not take back that they delivered what its taker has confirmed %s that, but an operator can',
    async (when) => {
      const { order, params, duber } = await atTheDoor();
      const { pin } = await participants.scrub.api.readCustody({ params: order });
      const confirm = () => participants.scrub.api.confirmReceived({ params: order, body: { bags: 1 } });
      const isFinal = async () => (await duber.api.readDelivery({ params })).isFinal;
      if (when === 'before') await confirm();
      await duber.api.deliverWithProof({ params, body: when === 'before' ? {} : { pin: pin ?? '' } });
      if (when === 'after') {
        expect(await isFinal()).toBeUndefined();
        await confirm();
      }
      expect(await isFinal()).toBe(true);
      expect(await outcomeOf(duber.api.correct({ params, body: {} }))).toBe('takerHasIt');
      const { api: operator } = await createOperator(server);
      await operator['delivery-correct']({ params, body: { why: 'mistake', reason: 'Another bag was delivered' } });
      const custody = await participants.bud.api.readCustody({ params: order });
      expect(custody.holder).toMatchObject({ role: 'Duber' });
    },
  );

  test('a Scrub to whom laundry comes whose delivery was called off on the way says so, and can start', async () => {
    const { order, params } = await atTheDoor();
    const { scrub } = participants;
    const { api: operator } = await createOperator(server);
    const place = { latitude: 24, longitude: 67.001 };
    await operator['delivery-relay']({ params, body: { why: 'breakdown', reason: 'A flat tyre', place } });
    const body = { why: 'asked', reason: 'A flat tyre', words: 'The Duber brings it by bus.' } as const;
    await operator['delivery-call-off']({ params, body });
    expect(await outcomeOf(scrub.api['start-order']({ params: order }))).toBe('laundryNotHere');
    const custody = await scrub.api.confirmReceived({ params: order, body: { bags: 1 } });
    expect(custody.holder.role).toBe('Scrub');
    expect(custody.handovers.at(-1)).toMatchObject({ giver: { role: 'Duber' }, proof: 'taker-pressed' });
    expect(await outcomeOf(scrub.api['start-order']({ params: order }))).toBe('success');
  });

  describe('an order that is cleaned again', () => {
    /** Reopens a completed order, and has a Duber collect its laundry. */
    const cleanAgain = async () => {
      const { order, params, duber } = await atTheBudsDoor();
      const { bud } = participants;
      const { pin: first } = await bud.api.readCustody({ params: order });
      await duber.api.deliverWithProof({ params, body: { pin: first ?? '' } });
      const { api: operator } = await createOperator(server);
      await operator['order-reopen']({ params: order, body: { why: 'not-clean', reason: 'The stain is still there' } });
      const { deliveries } = await bud.api.readOrder({ params: order });
      const again = { id: deliveries.findLast((one) => one.deliveryType === 'Bud_To_Scrub')?.id ?? '' };
      await advanceDelivery(duber, again.id, 2);
      await duber.api.collectWithProof({ params: again, body: { bags: 1 } });
      await duber.api['way-to-drop']({ params: again });
      return { order, params: again, duber };
    };
    const pinOf = async (id: string) => (await participants.scrub.api.readCustody({ params: { id } })).pin;

    test('is completed only once its laundry is back with the Scrub', async () => {
      const { order, params, duber } = await cleanAgain();
      const complete = () => outcomeOf(participants.scrub.api['complete-order']({ params: order }));
      expect(await complete()).toBe('laundryNotHere');
      await duber.api.deliverWithProof({ params, body: { pin: (await pinOf(order.id)) ?? '' } });
      expect(await complete()).toBe('success');
    });

    test('has PINs of its own, the same for each who asks', async () => {
      const { order, params, duber } = await cleanAgain();
      const [pin, again] = await Promise.all([pinOf(order.id), pinOf(order.id)]);
      expect(pin).toMatch(/^\d{4}$/);
      expect(again).toBe(pin);
      expect(await outcomeOf(duber.api.deliverWithProof({ params, body: { pin: pin ?? '' } }))).toBe('success');
      expect((await participants.bud.api.readCustody({ params: order })).pin).toMatch(/^\d{4}$/);
    });

    test('counts the PIN of the round before as a wrong one, also when nobody has asked for the new ones', async () => {
      const { order, params, duber } = await cleanAgain();
      const pinOfRound = async (round: number) => {
        const pins = server.server.db.selectFrom('pins').select('pin').where('order_id', '=', order.id);
        return (await pins.where('side', '=', 'Scrub').where('round', '=', round).executeTakeFirst())?.pin ?? '';
      };
      const enter = (pin: string) => outcomeOf(duber.api.deliverWithProof({ params, body: { pin } }));
      const old = await pinOfRound(1);
      const outcome = await enter(old);
      const pin = await pinOfRound(2);
      // One of ten thousand new PINs is the old one.
      expect(outcome).toBe(pin === old ? 'success' : 'wrongPin');
      if (outcome === 'wrongPin') expect(await enter(pin)).toBe('success');
    });
  });

  test('a Bud who has the laundry back confirms it on their own phone', async () => {
    const { order, params, duber } = await onTheWayBack();
    await participants.bud.api.confirmReceived({ params: order, body: { bags: 1 } });
    expect(await outcomeOf(duber.api['brought-back']({ params, body: {} }))).toBe('success');
  });

  test('a Scrub has a PIN for the Duber who brings laundry back, also when another one has just brought some to the Bud', async () => {
    const { order, params, duber } = await atTheDoor();
    const { bud, scrub } = participants;
    const pinOf = async ({ api }: typeof bud) => (await api.readCustody({ params: order })).pin ?? '';
    await duber.api.deliverWithProof({ params, body: { pin: await pinOf(scrub) } });
    for (const action of ['start-order', 'complete-order'] as const) await scrub.api[action]({ params: order });
    // The Scrub has gone on, so the Duber alone cannot say that it was a mistake.
    expect(await outcomeOf(duber.api.correct({ params, body: {} }))).toBe('undoOver');
    const { api: operator } = await createOperator(server);
    await operator['delivery-correct']({ params, body: { why: 'mistake', reason: 'Another bag was delivered' } });
    const other = await server.createUser('Duber');
    const back = { id: findLegId(await scrub.api.readOrder({ params: order }), 'Scrub_To_Bud') };
    await advanceDelivery(other, back.id, 2);
    await other.api.collectWithProof({ params: back, body: { bags: 1 } });
    await other.api['way-to-drop']({ params: back });
    for (const [who, leg] of [
      [duber, params],
      [other, back],
    ] as const) {
      await who.api['drop-failed']({ params: leg, body: { reason: 'unsafe' } });
      await who.api['bring-back']({ params: leg, body: {} });
    }
    await duber.api['brought-back']({ params, body: { pin: await pinOf(bud) } });
    expect(await outcomeOf(other.api['brought-back']({ params: back, body: { pin: await pinOf(scrub) } }))).toBe(
      'success',
    );
  });

  test('laundry is left at a door only if its Bud chose that, with a photo and the place', async () => {
    const { order, params, duber } = await atTheBudsDoor();
    const leave = (body: object) => outcomeOf(duber.api.deliverWithProof({ params, body }));
    const fileIds = [await sendPhoto(duber)];
    expect(await leave({ ...PLACE, fileIds })).toBe('proofNeeded');
    await expect(duber.api.deliverWithProof({ params, body: { ...PLACE, fileIds } })).rejects.toThrow(
      /^The Bud does not let you leave it at the door\. Ask for their PIN/,
    );
    await participants.bud.api.chooseLeaveAtDoor({ params: order, body: { leaveAtDoor: true } });
    expect(await leave({ fileIds })).toBe('proofNeeded');
    await expect(duber.api.deliverWithProof({ params, body: { fileIds } })).rejects.toThrow(
      /^Your phone does not say where you are, which is needed to leave it at the door\. Allow it, or ask for their PIN$/,
    );
    expect(await leave(PLACE)).toBe('proofNeeded');
    expect(await leave({ ...PLACE, fileIds })).toBe('success');
    const { handovers } = await participants.bud.api.readCustody({ params: order });
    expect(handovers.at(-1)).toMatchObject({ proof: 'door', taker: { role: 'Bud' } });
  });
});
