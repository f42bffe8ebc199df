import { sql } from 'kysely';
import type { Role } from '../domain/accounts.ts';
import { decideCase } from '../server/cases/decideCase.ts';
import { queryRows } from '../server/db/database.ts';
import { SHIRT } from './caseHarness.ts';
import { createDelivery, UNSAFE } from './deliveryExceptionCalls.ts';
import { advanceDelivery, createOrderInStatus, findDeliveryId } from './orderSteps.ts';
import { sendPhoto } from './sentPhotos.ts';
import type { TestUser } from './testServer.ts';
import { ownDataCall, type PreparedCall, type Scenario, type ValidCall } from './validCall.ts';

/** A delivered order and the Duber who brought it back. */
async function createDelivered({ testServer, participants }: Scenario) {
  const order = await createOrderInStatus(participants, 'Completed', { selfDelivery: true });
  const duber = await testServer.createUser('Duber', { east: 400 });
  const deliveryId = findDeliveryId(order, 'Scrub_To_Bud');
  await advanceDelivery(duber, deliveryId);
  return { orderId: order.id, deliveryId, duber };
}

/** A claim on a new order. Earlier ones are forgotten, so that it is not one of many. */
async function createClaim(scenario: Scenario, about: 'Scrub' | 'Duber') {
  const { testServer, participants } = scenario;
  await queryRows(testServer.server.db, sql`update cases set created_at = created_at - interval '90 days'`);
  const { orderId, duber } = await createDelivered(scenario);
  const items = [{ ...SHIRT, kind: about === 'Scrub' ? ('stained' as const) : ('late' as const) }];
  const body = { kind: 'claim' as const, orderId, items, fileIds: [await sendPhoto(participants.bud)] };
  return { id: (await participants.bud.api.createCase({ body })).id, duber };
}

const ANSWER = { offer: 'give-back' as const, amount: 10, words: 'The bleach was mine.' };
const WORDS = { words: 'It was new.' };

/** A claim whose Scrub has offered to give money back. */
export async function createOffer(scenario: Scenario): Promise<string> {
  const { id } = await createClaim(scenario, 'Scrub');
  await scenario.participants.scrub.api.answer({ params: { id }, body: ANSWER });
  return id;
}

/** A claim that waits for a decision of the town. */
export async function createClaimForTown(scenario: Scenario): Promise<string> {
  const { id } = await createClaim(scenario, 'Scrub');
  await bringToTown(scenario, id, scenario.participants.scrub);
  return id;
}

/** The town decides at once about an offer that costs more than its maker has earned, and else when the Bud refuses. */
async function bringToTown({ participants }: Scenario, id: string, answerer: TestUser) {
  const { status } = await answerer.api.answer({ params: { id }, body: ANSWER });
  if (status === 'with-bud') await participants.bud.api['refuse-offer']({ params: { id }, body: WORDS });
}

/** A claim that the town has decided: less than what was asked for, at the cost of one side. */
async function createDecided(scenario: Scenario, about: 'Scrub' | 'Duber') {
  const { testServer, participants } = scenario;
  const { id, duber } = await createClaim(scenario, about);
  const answerer: TestUser = about === 'Scrub' ? participants.scrub : duber;
  await bringToTown(scenario, id, answerer);
  const liable = about === 'Scrub' ? ('scrub' as const) : ('duber' as const);
  const context = { db: testServer.server.db, now: testServer.now, newId: () => crypto.randomUUID() };
  const items = [{ n: 1, cents: 500, liable }];
  const result = await decideCase(context, { caseId: id, items, reason: 'The photo shows it.', name: 'olga' });
  if (!result.ok) throw new Error(result.why);
  return { id, duber };
}

const forRoles = (inputs: Partial<Record<Role, string>>, body: object, duber?: TestUser): PreparedCall => ({
  input: {},
  inputFor: (role) => ({ params: { id: inputs[role] }, body: { ...body } }),
  ...(duber ? { callers: { Duber: duber } } : {}),
});

export const CASE_CALLS = {
  listCases: ownDataCall({ query: { pageSize: 2 } }),
  createCase: {
    prepare: async (scenario) => {
      const { orderId, deliveryId, duber } = await createDelivered(scenario);
      const bodies: Record<Role, Record<string, unknown>> = {
        Bud: { kind: 'claim', orderId, items: [SHIRT], fileIds: [await sendPhoto(scenario.participants.bud)] },
        Scrub: { kind: 'question', orderId, ...WORDS },
        Duber: { kind: 'question', deliveryId, ...WORDS },
      };
      return { input: {}, inputFor: (role) => ({ body: bodies[role] }), callers: { Duber: duber } };
    },
    strangerResult: 404,
  },
  readCase: {
    prepare: async (scenario) => {
      const [ofScrub, ofDuber] = [await createClaim(scenario, 'Scrub'), await createClaim(scenario, 'Duber')];
      const ids = { Bud: ofScrub.id, Scrub: ofScrub.id, Duber: ofDuber.id };
      return {
        input: {},
        inputFor: (role) => ({ params: { id: ids[role] } }),
        callers: { Duber: ofDuber.duber },
      };
    },
    strangerResult: 404,
  },
  answer: {
    prepare: async (scenario) => {
      const [ofScrub, ofDuber] = [await createClaim(scenario, 'Scrub'), await createClaim(scenario, 'Duber')];
      return forRoles({ Scrub: ofScrub.id, Duber: ofDuber.id }, ANSWER, ofDuber.duber);
    },
    strangerResult: 404,
  },
  'accept-offer': {
    prepare: async (scenario) => forRoles({ Bud: await createOffer(scenario) }, {}),
    strangerResult: 404,
  },
  'refuse-offer': {
    prepare: async (scenario) => forRoles({ Bud: await createOffer(scenario) }, WORDS),
    strangerResult: 404,
  },
  contest: {
    prepare: async (scenario) => {
      const ofDuber = await createDecided(scenario, 'Duber');
      const [ofBud, ofScrub] = [await createDecided(scenario, 'Scrub'), await createDecided(scenario, 'Scrub')];
      return forRoles({ Bud: ofBud.id, Scrub: ofScrub.id, Duber: ofDuber.id }, WORDS, ofDuber.duber);
    },
    strangerResult: 404,
  },
  deny: {
    prepare: async (scenario) => {
      const { id, duber } = await createDelivery(scenario, 2);
      await duber.api['pickup-failed']({ params: { id }, body: UNSAFE });
      const { data } = await scenario.participants.bud.api.listCases({ query: { pageSize: '1' } });
      return forRoles({ Bud: data.items[0]?.id ?? '' }, WORDS);
    },
    strangerResult: 404,
  },
} as const satisfies Record<string, ValidCall>;
