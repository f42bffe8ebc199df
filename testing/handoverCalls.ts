import { advanceDelivery, createOrderInStatus, findDeliveryId } from './orderSteps.ts';
import type { Scenario, ValidCall } from './validCall.ts';

/** An order whose outbound delivery has had its first `steps` steps by a new Duber. */
export async function createCarriedOrder({ testServer, participants }: Scenario, steps: number) {
  const order = await createOrderInStatus(participants, 'Accepted');
  const deliveryId = findDeliveryId(order, 'Bud_To_Scrub');
  const duber = await testServer.createUser('Duber', { east: 400 });
  await advanceDelivery(duber, deliveryId, steps);
  return { orderId: order.id, deliveryId, duber };
}

const proofCall = (steps: number, body: Record<string, unknown>): ValidCall => ({
  prepare: async (scenario) => {
    const { deliveryId: id, duber } = await createCarriedOrder(scenario, steps);
    return { input: { params: { id }, body }, callers: { Duber: duber } };
  },
  strangerResult: 404,
});

const carriedOrderCall = (body?: Record<string, unknown>, steps = 4): ValidCall => ({
  prepare: async (scenario) => {
    const { orderId: id, duber } = await createCarriedOrder(scenario, steps);
    return { input: { params: { id }, ...(body ? { body } : {}) }, callers: { Duber: duber } };
  },
  strangerResult: 404,
});

async function createBag(scenario: Scenario) {
  const { orderId, duber } = await createCarriedOrder(scenario, 2);
  const { tags } = await scenario.participants.bud.api.makeBags({ params: { id: orderId }, body: { bags: 1 } });
  return { input: { params: { code: tags[0]?.code } }, callers: { Duber: duber } };
}

export const HANDOVER_CALLS = {
  readCustody: carriedOrderCall(),
  confirmReceived: {
    // Each of the two takes the laundry of an order of their own.
    prepare: async (scenario) => {
      const { orderId } = await createCarriedOrder(scenario, 5);
      const done = await createOrderInStatus(scenario.participants, 'Completed', {
        selfDelivery: true,
        selfPickup: true,
      });
      return {
        input: {},
        inputFor: (role) => ({ params: { id: role === 'Scrub' ? orderId : done.id }, body: { bags: 2 } }),
      };
    },
    strangerResult: 404,
  },
  chooseLeaveAtDoor: carriedOrderCall({ leaveAtDoor: true }),
  makeBags: carriedOrderCall({ bags: 2 }, 2),
  readBag: {
    prepare: async (scenario) => ({ input: (await createBag(scenario)).input }),
    strangerResult: 'nobody',
  },
  readOwnBag: { prepare: createBag, strangerResult: 404 },
  collectWithProof: proofCall(2, { bags: 2 }),
  deliverWithProof: proofCall(4, { bags: 2, place: { latitude: 24.001, longitude: 67.001 } }),
} satisfies Record<string, ValidCall>;
