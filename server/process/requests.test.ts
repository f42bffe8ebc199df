import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createOrderInStatus,
  createParticipants,
  findDeliveryId,
  type Participants,
} from '../../testing/orderSteps.ts';
import { openTestServer, RULE_DATABASES, type TestServer } from '../../testing/testServer.ts';
import { queryRows } from '../db/database.ts';

describe.each(RULE_DATABASES)('a request that is sent again with its Idempotency-Key, on %s', (kind) => {
  let server: TestServer;
  let people: Participants;

  beforeAll(async () => {
    server = await openTestServer(kind);
    people = await createParticipants(server);
  });
  afterAll(() => server?.close());

  test('is not taken again after its step was taken back, and gets the first answer to the letter', async () => {
    const { bud, duber } = people;
    const params = { id: findDeliveryId(await createOrderInStatus(people, 'Accepted'), 'Bud_To_Scrub') };
    await duber.api['accept-delivery']({ params });
    await duber.api['way-to-pickup']({ params });
    const collect = () => duber.api.collected({ params, idempotencyKey: 'collected-once' });
    const first = JSON.stringify(await collect());
    await duber.api.correct({ params, body: {} });
    expect(JSON.stringify(await collect())).toBe(first);
    const { status } = await bud.api.readDelivery({ params });
    expect(status).toBe('Way_To_Pick');
    await duber.api.collected({ params, idempotencyKey: 'collected-twice' });
  });

  test('is stored as a digest of the key, with its answer, once', async () => {
    const { scrub } = people;
    const { id } = await createOrderInStatus(people, 'Requested');
    const accept = () => scrub.api['accept-order']({ params: { id }, idempotencyKey: 'accept-order-key' });
    const answers = [await accept(), await accept()];
    const { db } = server.server;
    const rows = await queryRows<{ keyHash: Buffer; answer: unknown }>(
      db,
      sql`select key_hash as "keyHash", answer from requests where call = 'accept-order' and subject_id = ${id}`,
    );
    expect(rows).toMatchObject([{ answer: answers[0] }]);
    expect(answers[1]).toEqual(answers[0]);
    expect(rows[0]?.keyHash.toString()).not.toContain('accept-order-key');
  });
});
