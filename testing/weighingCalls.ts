import type { OrderSize } from '../domain/orders.ts';
import { toGrams } from '../domain/weighing.ts';
import { setPolicy } from '../server/town/policies.sql.ts';
import { advanceDelivery, findDeliveryId, placeOrder } from './orderSteps.ts';
import { asBlob, SMALL_PHOTO } from './photos.ts';
import type { TestUser } from './testServer.ts';
import type { Scenario, ValidCall } from './validCall.ts';

const setWeighing = ({ testServer }: Scenario, value: 'open' | 'careful') =>
  setPolicy(testServer.server.db, { name: 'weighing', value, setBy: 'test' }, testServer.now());

/** Places an order while the town weighs laundry. Orders that are placed afterwards are not weighed. */
export async function placeWeighedOrder(scenario: Scenario, more: object = {}) {
  await setWeighing(scenario, 'careful');
  try {
    return await placeOrder(scenario.participants, more);
  } finally {
    await setWeighing(scenario, 'open');
  }
}

/** A weighed order whose Bud has brought the laundry, and whose Scrub has begun. */
export async function startWeighedOrder(scenario: Scenario, more: object = {}): Promise<string> {
  const { id } = await placeWeighedOrder(scenario, { selfDelivery: true, ...more });
  const { api } = scenario.participants.scrub;
  for (const action of ['accept-order', 'start-order'] as const) await api[action]({ params: { id } });
  return id;
}

export async function createPhoto({ api }: Pick<TestUser, 'api'>): Promise<string> {
  return (await api.createFile({ photo: asBlob(SMALL_PHOTO) })).id;
}

/** The body with which a Scrub says what laundry weighs. */
export async function weightBody(scrub: Pick<TestUser, 'api'>, pounds: number, splits = true) {
  return { grams: toGrams(pounds), fileIds: [await createPhoto(scrub)], splits };
}

/** An order of Medium up to Large that weighs more than any size. Its Bud is asked. */
async function createQuestion(scenario: Scenario): Promise<string> {
  const ceilingSize: OrderSize = 'Large';
  const id = await startWeighedOrder(scenario, { ceilingSize });
  const { scrub } = scenario.participants;
  await scrub.api.weighOrder({ params: { id }, body: await weightBody(scrub, 12) });
  return id;
}

export const WEIGHING_CALLS = {
  readWeighing: {
    prepare: async (scenario) => ({ input: { params: { id: await createQuestion(scenario) } } }),
    strangerResult: 404,
  },
  weighOrder: {
    prepare: async (scenario) => {
      const id = await startWeighedOrder(scenario);
      return { input: { params: { id }, body: await weightBody(scenario.participants.scrub, 4) } };
    },
    strangerResult: 404,
  },
  answerCorrection: {
    prepare: async (scenario) => {
      const id = await createQuestion(scenario);
      return { input: { params: { id }, body: { answer: 'keep' } } };
    },
    strangerResult: 404,
  },
  weighDelivery: {
    prepare: async (scenario) => {
      const { id: orderId } = await placeWeighedOrder(scenario);
      const { scrub } = scenario.participants;
      await scrub.api['accept-order']({ params: { id: orderId } });
      const order = await scrub.api.readOrder({ params: { id: orderId } });
      const id = findDeliveryId(order, 'Bud_To_Scrub');
      const duber = await scenario.testServer.createUser('Duber', { east: 400 });
      await advanceDelivery(duber, id, 3);
      const body = { grams: toGrams(4), fileIds: [await createPhoto(duber)] };
      return { input: { params: { id }, body }, callers: { Duber: duber } };
    },
    strangerResult: 404,
  },
} satisfies Record<string, ValidCall>;
