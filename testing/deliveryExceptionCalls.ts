import type { DeliveryExceptionAction } from '../domain/deliveries.ts';
import { advanceDelivery, createOrderInStatus, findDeliveryId } from './orderSteps.ts';
import type { TestUser } from './testServer.ts';
import type { RequestInput, Scenario, ValidCall } from './validCall.ts';

/** Creates a delivery and a new Duber who takes its first `steps` steps. */
export async function createDelivery({ testServer, participants }: Scenario, steps: number) {
  const order = await createOrderInStatus(participants, 'Accepted');
  const id = findDeliveryId(order, 'Bud_To_Scrub');
  const duber = await testServer.createUser('Duber', { east: 400 });
  await advanceDelivery(duber, id, steps);
  return { id, duber };
}

/** Leaves at once: without a wait and a photo. */
export const UNSAFE = { reason: 'unsafe', words: 'Somebody threatens me.' };

type Prepared = { readonly id: string; readonly duber: TestUser };

/** A call by the Duber of a delivery that has taken its first `steps` steps, and then what `prepare` does. */
const byDuber = (
  steps: number,
  body: NonNullable<RequestInput['body']>,
  prepare: (delivery: Prepared) => Promise<unknown> = async () => {},
): ValidCall => ({
  prepare: async (scenario) => {
    const { id, duber } = await createDelivery(scenario, steps);
    await prepare({ id, duber });
    return { input: { params: { id }, body }, callers: { Duber: duber } };
  },
  strangerResult: 404,
});

/** A Duber stands at the door of the pickup, or with the laundry at that of the drop-off. */
const byDuberAtTheDoor = (steps: 2 | 4): ValidCall => ({
  prepare: async (scenario) => {
    const { id, duber } = await createDelivery(scenario, steps);
    return { input: { params: { id }, body: { place: await doorOf(duber, id) } }, callers: { Duber: duber } };
  },
  strangerResult: 404,
});

/** Where the Duber of a delivery to a Scrub drives to now. */
export async function doorOf(duber: TestUser, id: string) {
  const { status, order, scrub } = await duber.api.readDelivery({ params: { id } });
  const door = status === 'Way_To_Drop' ? scrub.addresses[0] : order.budAddress;
  if (!door) throw new Error('the Scrub has no address');
  return { latitude: door.latitude, longitude: door.longitude };
}

const failDrop = ({ id, duber }: Prepared) => duber.api['drop-failed']({ params: { id }, body: UNSAFE });
const failDropAndTurn = async ({ id, duber }: Prepared) => {
  await failDrop({ id, duber });
  await duber.api['bring-back']({ params: { id }, body: {} });
};

export const DELIVERY_EXCEPTION_CALLS: Record<DeliveryExceptionAction, ValidCall> = {
  'drop-delivery': byDuber(2, { reason: 'breakdown' }),
  'arrived-at-pickup': byDuberAtTheDoor(2),
  'arrived-at-drop': byDuberAtTheDoor(4),
  'pickup-failed': byDuber(2, UNSAFE),
  'drop-failed': byDuber(4, UNSAFE),
  'try-again': byDuber(4, {}, failDrop),
  'bring-back': byDuber(4, {}, failDrop),
  'brought-back': byDuber(4, {}, failDropAndTurn),
  're-offer': {
    prepare: async (scenario) => {
      const { id, duber } = await createDelivery(scenario, 2);
      await duber.api['pickup-failed']({ params: { id }, body: UNSAFE });
      return { input: { params: { id }, body: {} } };
    },
    strangerResult: 404,
  },
  correct: byDuber(3, {}),
  'report-lost': byDuber(3, { words: 'The bag is gone.' }),
};
