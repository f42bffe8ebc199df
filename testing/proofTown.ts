import { afterAll, beforeAll } from 'vitest';
import { setPolicy } from '../server/town/policies.sql.ts';
import { createCarriedOrder } from './handoverCalls.ts';
import { advanceDelivery, createParticipants, findDeliveryId, type Participants } from './orderSteps.ts';
import { type DatabaseKind, openTestServer, type TestServer } from './testServer.ts';

/** A place near everybody of these tests, where a photo is taken. */
export const PLACE = { place: { latitude: 24.001, longitude: 67.001 } };

/** A town that demands proofs, and whose Scrubs start with their laundry, for all tests of a suite. */
export function useProofTown(kind: DatabaseKind) {
  const town = {} as { server: TestServer; participants: Participants };
  beforeAll(async () => {
    const server = await openTestServer(kind);
    Object.assign(town, { server, participants: await createParticipants(server) });
    for (const name of ['proof', 'start'] as const)
      await setPolicy(server.server.db, { name, value: 'careful', setBy: 'a test' }, server.now());
  });
  afterAll(() => town.server?.close());

  /** A delivery on the way to its pickup. */
  const onTheWay = async () => {
    const scenario = { testServer: town.server, participants: town.participants };
    const { orderId, deliveryId, duber } = await createCarriedOrder(scenario, 2);
    return { order: { id: orderId }, params: { id: deliveryId }, duber };
  };
  /** A delivery at the door of its drop-off. */
  const atTheDoor = async () => {
    const carried = await onTheWay();
    await carried.duber.api.collectWithProof({ params: carried.params, body: { bags: 1 } });
    await carried.duber.api['way-to-drop']({ params: carried.params });
    return carried;
  };
  /** A delivery at the door of the Bud, once the laundry is done. */
  const atTheBudsDoor = async () => {
    const { order, params, duber } = await atTheDoor();
    const { scrub } = town.participants;
    const { pin } = await scrub.api.readCustody({ params: order });
    await duber.api.deliverWithProof({ params, body: { pin: pin ?? '' } });
    await scrub.api['start-order']({ params: order });
    await scrub.api['complete-order']({ params: order });
    const back = { id: findDeliveryId(await scrub.api.readOrder({ params: order }), 'Scrub_To_Bud') };
    await advanceDelivery(duber, back.id, 2);
    await duber.api.collectWithProof({ params: back, body: { bags: 1 } });
    await duber.api['way-to-drop']({ params: back });
    return { order, params: back, duber };
  };
  return Object.assign(town, { onTheWay, atTheDoor, atTheBudsDoor });
}
