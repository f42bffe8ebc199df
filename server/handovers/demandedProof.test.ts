import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { outcomeOf } from '../../testing/checkedClient.ts';
import { createOperator } from '../../testing/operators.ts';
import { advanceDelivery, createOrderInStatus, findDeliveryId } from '../../testing/orderSteps.ts';
import { PLACE, useProofTown } from '../../testing/proofTown.ts';
import { sendPhoto } from '../../testing/sentPhotos.ts';
import { RULE_DATABASES } from '../../testing/testServer.ts';

describe.each(RULE_DATABASES)('where a town demands proofs, on %s', (kind) => {
  const town = useProofTown(kind);
  const { onTheWay, atTheDoor, atTheBudsDoor } = town;
  const atScrubs = () => {
    const { latitude = 0, longitude = 0 } = town.participants.scrub.user.addresses[0] ?? {};
    return { place: { latitude, longitude } };
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
    const { pin } = await town.participants.scrub.api.readCustody({ params: order });
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
    const { pin } = await town.participants.scrub.api.readCustody({ params: order });
    const wrong = { pin: pin === '0000' ? '0001' : '0000' };
    for (let tries = 1; tries <= 5; tries += 1) await outcomeOf(duber.api.deliverWithProof({ params, body: wrong }));
    const forPhoto = /^The PIN was wrong five times\. Take a photo/;
    expect(await outcomeOf(duber.api.delivered({ params }))).toBe('proofNeeded');
    await expect(duber.api.delivered({ params })).rejects.toThrow(forPhoto);
    expect(await outcomeOf(duber.api.deliverWithProof({ params, body: { bags: 1 } }))).toBe('pinBlocked');
    const fileIds = [await sendPhoto(duber)];
    for (const body of [{ fileIds }, { fileIds, ...PLACE }])
      expect(await outcomeOf(duber.api.deliverWithProof({ params, body }))).toBe('pinBlocked');
    expect(await outcomeOf(duber.api.deliverWithProof({ params, body: { fileIds, ...atScrubs() } }))).toBe('success');
  });

  test.each(['before', 'after'])(
    'what a Duber is paid after five wrong PINs waits for their case, until its recipient says %s it that they have the laundry',
    async (when) => {
      const { order, params, duber } = await atTheDoor();
      const { scrub } = town.participants;
      const { pin } = await scrub.api.readCustody({ params: order });
      const wrong = { pin: pin === '0000' ? '0001' : '0000' };
      for (let tries = 1; tries <= 5; tries += 1) await outcomeOf(duber.api.deliverWithProof({ params, body: wrong }));
      const caseOf = async () => {
        const { data } = await scrub.api.listCases({ query: { pageSize: '1' } });
        return data.items[0];
      };
      expect(await caseOf()).toMatchObject({ kind: 'wrong-pin', status: 'with-town', orderId: order.id });
      const confirm = () => scrub.api.confirmReceived({ params: order, body: { bags: 1 } });
      if (when === 'before') await confirm();
      const fileIds = [await sendPhoto(duber)];
      await duber.api.deliverWithProof({ params, body: { fileIds, ...atScrubs() } });
      // What waits for no case waits only for the time for claims.
      const waits = async () => (await duber.api.earningLines({ query: {} })).map(({ waitsFor }) => waitsFor);
      expect(await waits()).toEqual([when === 'before' ? 'claim-time' : 'trip']);
      if (when === 'after') await confirm();
      expect(await caseOf()).toMatchObject({ kind: 'wrong-pin', status: 'closed' });
      expect(await waits()).toEqual(['claim-time']);
    },
  );

  test('a recipient who confirms on their own phone needs no PIN', async () => {
    const { order, params, duber } = await atTheDoor();
    await town.participants.scrub.api.confirmReceived({ params: order, body: { bags: 1 } });
    expect(await outcomeOf(duber.api.delivered({ params }))).toBe('success');
  });

  test('the Duber who carries the laundry reads that the Bud lets it stand at the door', async () => {
    const { order, duber } = await atTheDoor();
    await town.participants.bud.api.chooseLeaveAtDoor({ params: order, body: { leaveAtDoor: true } });
    expect(await duber.api.readCustody({ params: order })).toMatchObject({ leaveAtDoor: true, pin: null });
  });

  test('bags that are counted differently open a problem that says both numbers, and a third number does not change it', async () => {
    const { order, params, duber } = await onTheWay();
    const { bud, scrub } = town.participants;
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
    const { pin } = await town.participants.bud.api.readCustody({ params: order });
    for (const body of [{}, { bags: 1 }, PLACE]) expect(await bringBack(body)).toBe('proofNeeded');
    const wrong = pin === '0000' ? '0001' : '0000';
    expect(await bringBack({ pin: wrong })).toBe('wrongPin');
    expect(await bringBack({ pin, bags: 2, ...PLACE })).toBe('success');
    const { handovers, holder } = await town.participants.bud.api.readCustody({ params: order });
    expect(holder).toMatchObject({ role: 'Bud' });
    expect(handovers.at(-1)).toMatchObject({ proof: 'pin', bags: 2, taker: { role: 'Bud' } });
    // One bag was collected, and two came back.
    const { data } = await town.participants.bud.api.listCases({ query: {} } as never);
    expect(data.items).toContainEqual(expect.objectContaining({ kind: 'handover', orderId: order.id }));
  });

  test('a confirmation by the Scrub before the Duber turned back proves nothing to the Bud', async () => {
    const { order, params, duber } = await atTheDoor();
    await town.participants.scrub.api.confirmReceived({ params: order, body: { bags: 1 } });
    const { api } = await createOperator(town.server);
    await api['delivery-report-lost']({ params, body: { why: 'silent', reason: 'The Scrub pressed by mistake.' } });
    await duber.api['bring-back']({ params, body: {} });
    expect(await outcomeOf(duber.api['brought-back']({ params, body: {} }))).toBe('proofNeeded');
    const { pin } = await town.participants.bud.api.readCustody({ params: order });
    expect(await outcomeOf(duber.api['brought-back']({ params, body: { pin: pin ?? '' } }))).toBe('success');
  });

  test.each(['before', 'after'])(
    'a Duber does not take back that they delivered what its recipient has confirmed %s that, but an operator can',
    async (when) => {
      const { order, params, duber } = await atTheDoor();
      const { pin } = await town.participants.scrub.api.readCustody({ params: order });
      const confirm = () => town.participants.scrub.api.confirmReceived({ params: order, body: { bags: 1 } });
      const isFinal = async () => (await duber.api.readDelivery({ params })).isFinal;
      if (when === 'before') await confirm();
      await duber.api.deliverWithProof({ params, body: when === 'before' ? {} : { pin: pin ?? '' } });
      if (when === 'after') {
        expect(await isFinal()).toBeUndefined();
        await confirm();
      }
      expect(await isFinal()).toBe(true);
      expect(await outcomeOf(duber.api.correct({ params, body: {} }))).toBe('takerHasIt');
      const { api: operator } = await createOperator(town.server);
      await operator['delivery-correct']({ params, body: { why: 'mistake', reason: 'Another bag was delivered' } });
      const custody = await town.participants.bud.api.readCustody({ params: order });
      expect(custody.holder).toMatchObject({ role: 'Duber' });
    },
  );

  test('a Scrub to whom laundry comes whose delivery was called off on the way says so, and can start', async () => {
    const { order, params } = await atTheDoor();
    const { scrub } = town.participants;
    const { api: operator } = await createOperator(town.server);
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

  test('a Bud who has the laundry back confirms it on their own phone', async () => {
    const { order, params, duber } = await onTheWayBack();
    await town.participants.bud.api.confirmReceived({ params: order, body: { bags: 1 } });
    expect(await outcomeOf(duber.api['brought-back']({ params, body: {} }))).toBe('success');
  });

  test('a Scrub has a PIN for the Duber who brings laundry back, also when another one has just brought some to the Bud', async () => {
    const { order, params, duber } = await atTheDoor();
    const { bud, scrub } = town.participants;
    const pinOf = async ({ api }: typeof bud) => (await api.readCustody({ params: order })).pin ?? '';
    await duber.api.deliverWithProof({ params, body: { pin: await pinOf(scrub) } });
    for (const action of ['start-order', 'complete-order'] as const) await scrub.api[action]({ params: order });
    // The Scrub has gone on, so the Duber alone cannot say that it was a mistake.
    expect(await outcomeOf(duber.api.correct({ params, body: {} }))).toBe('undoOver');
    const { api: operator } = await createOperator(town.server);
    await operator['delivery-correct']({ params, body: { why: 'mistake', reason: 'Another bag was delivered' } });
    const other = await town.server.createUser('Duber');
    const back = { id: findDeliveryId(await scrub.api.readOrder({ params: order }), 'Scrub_To_Bud') };
    await advanceDelivery(other, back.id, 2);
    await other.api.collectWithProof({ params: back, body: { bags: 1 } });
    await other.api['way-to-drop']({ params: back });
    for (const [who, delivery] of [
      [duber, params],
      [other, back],
    ] as const) {
      await who.api['drop-failed']({ params: delivery, body: { reason: 'unsafe' } });
      await who.api['bring-back']({ params: delivery, body: {} });
    }
    await duber.api['brought-back']({ params, body: { pin: await pinOf(bud) } });
    expect(await outcomeOf(other.api['brought-back']({ params: back, body: { pin: await pinOf(scrub) } }))).toBe(
      'success',
    );
  });

  test('an event is sent only when the choice of the door changes while the order is open', async () => {
    const { bud } = town.participants;
    const events = async (id: string) =>
      (await sql`select from live_events where entity_id = ${id}`.execute(town.server.server.db)).rows.length;
    const choose = (id: string, leaveAtDoor: boolean) =>
      bud.api.chooseLeaveAtDoor({ params: { id }, body: { leaveAtDoor } });
    const [{ id }, rejected] = [
      await createOrderInStatus(town.participants, 'Accepted'),
      await createOrderInStatus(town.participants, 'Rejected'),
    ];
    const [before, beforeRejected] = [await events(id), await events(rejected.id)];
    for (const chosen of [false, true, true]) expect((await choose(id, chosen)).leaveAtDoor).toBe(chosen);
    expect(await events(id)).toBe(before + 1);
    await choose(rejected.id, true);
    expect(await events(rejected.id)).toBe(beforeRejected);
  });

  test('laundry is left at a door only if its Bud chose that, with a photo and the place', async () => {
    const { order, params, duber } = await atTheBudsDoor();
    const leave = (body: object) => outcomeOf(duber.api.deliverWithProof({ params, body }));
    const fileIds = [await sendPhoto(duber)];
    expect(await leave({ ...PLACE, fileIds })).toBe('proofNeeded');
    await expect(duber.api.deliverWithProof({ params, body: { ...PLACE, fileIds } })).rejects.toThrow(
      /^The Bud does not let you leave it at the door\. Ask for their PIN/,
    );
    await town.participants.bud.api.chooseLeaveAtDoor({ params: order, body: { leaveAtDoor: true } });
    expect(await leave({ fileIds })).toBe('proofNeeded');
    await expect(duber.api.deliverWithProof({ params, body: { fileIds } })).rejects.toThrow(
      /^Your phone does not say where you are, which is needed to leave it at the door\. Allow it, or ask for their PIN$/,
    );
    expect(await leave(PLACE)).toBe('proofNeeded');
    expect(await leave({ ...PLACE, fileIds })).toBe('success');
    const { handovers } = await town.participants.bud.api.readCustody({ params: order });
    expect(handovers.at(-1)).toMatchObject({ proof: 'door', taker: { role: 'Bud' } });
    // It stands there until the Bud says that they have it.
    const { bud } = town.participants;
    const doorOf = async () =>
      (await bud.api.readOrder({ params: order })).deliveries.map(({ leftAtDoorAt }) => leftAtDoorAt);
    const last = handovers.at(-1);
    expect(await doorOf()).toContain(last?.takenAt ?? last?.at);
    expect((await bud.api.readCustody({ params: order })).canConfirm).toBe(true);
    await bud.api.confirmReceived({ params: order, body: { bags: 1 } });
    expect((await doorOf()).filter((at) => at !== null)).toEqual([]);
  });
});
