import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../../contract/client.ts';
import { SHIRT } from '../../testing/caseHarness.ts';
import { runCommand } from '../../testing/childProcesses.ts';
import { UNSAFE } from '../../testing/deliveryExceptionCalls.ts';
import {
  advanceDelivery,
  createOrderInStatus,
  createParticipants,
  findDeliveryId,
  type Participants,
} from '../../testing/orderSteps.ts';
import { sendPhoto } from '../../testing/sentPhotos.ts';
import { createTestDatabase, openTestServer, PASSWORD, type TestServer } from '../../testing/testServer.ts';
import { waitFor } from '../../testing/waits.ts';
import { queryRows } from '../db/database.ts';
import { findAuditProblems } from '../payments/ledger/audit.sql.ts';

const folder = mkdtempSync(join(tmpdir(), 'rubadub-backup-'));
const pathOf = (name: string) => join(folder, name);

// The stand-ins and the time of both servers, which go on while no server of the town runs.
let world: TestServer;
beforeAll(async () => {
  world = await openTestServer('postgres');
});
afterAll(async () => {
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A claim for a stained shirt that the Scrub has answered with an offer. */
async function createOffer({ bud, scrub, duber }: Participants): Promise<string> {
  const order = await createOrderInStatus({ bud, scrub }, 'Completed', { selfDelivery: true });
  await advanceDelivery(duber, findDeliveryId(order, 'Scrub_To_Bud'));
  const report = { kind: 'claim' as const, orderId: order.id, items: [SHIRT], fileIds: [await sendPhoto(bud)] };
  const { id } = await bud.api.createCase({ body: report });
  await scrub.api.answer({ params: { id }, body: { offer: 'give-back', amount: 10, words: 'The bleach was mine.' } });
  return id;
}

/** A delivery whose Duber stands with the laundry at a door that nobody opens, with a photo of how they got it. */
async function createFailedDelivery({ bud, scrub, duber }: Participants) {
  const order = await createOrderInStatus({ bud, scrub }, 'Accepted');
  const params = { id: findDeliveryId(order, 'Bud_To_Scrub') };
  for (const step of ['accept-delivery', 'way-to-pickup'] as const) await duber.api[step]({ params });
  const photo = await sendPhoto(duber);
  await duber.api.collectWithProof({ params, body: { bags: 2, fileIds: [photo] } });
  await duber.api['way-to-drop']({ params });
  await duber.api['drop-failed']({ params, body: UNSAFE });
  return { orderId: order.id, params, photo };
}

const readBytes = async (api: Client, id: string) =>
  Buffer.from(await (await api.readFile({ params: { id } })).arrayBuffer()).toString('base64');

test('a bad day goes on after its backup was restored: laundry on the way, its photo, and a claim with its money', async () => {
  const first = await openTestServer('embedded', { beside: world, env: { DATA_DIR: pathOf('first') } });
  const people = await createParticipants(first);
  const caseId = await createOffer(people);
  const { orderId, params, photo } = await createFailedDelivery(people);
  const readAll = async (bud: Client) => ({
    order: await bud.readOrder({ params: { id: orderId } }),
    custody: await bud.readCustody({ params: { id: orderId } }),
    case: await bud.readCase({ params: { id: caseId } }),
    photo: await readBytes(bud, photo),
  });
  const before = await readAll(people.bud.api);
  await first.close();

  const database = await createTestDatabase();
  expect(await runCommand('backup', [pathOf('1.gz')], { DATA_DIR: pathOf('first') })).toMatchObject({ code: 0 });
  const place = { DATABASE_URL: database, DATA_DIR: pathOf('none') };
  expect(await runCommand('restore', [pathOf('1.gz')], place)).toMatchObject({ code: 0 });

  const second = await openTestServer('postgres', { beside: { databaseUrl: database, shared: world.shared } });
  const signIn = async ({ user: { email } }: Participants['bud']) =>
    second.api((await second.api().login({ body: { email, password: PASSWORD } })).authToken);
  const [bud, scrub, duber] = await Promise.all([people.bud, people.scrub, people.duber].map(signIn));
  if (!bud || !scrub || !duber) throw new Error('three people sign in');
  expect(await readAll(bud)).toEqual(before);

  await duber['try-again']({ params, body: {} });
  await duber.delivered({ params });
  await scrub.confirmReceived({ params: { id: orderId }, body: { bags: 2 } });
  await scrub['start-order']({ params: { id: orderId } });
  await bud['accept-offer']({ params: { id: caseId }, body: {} });
  const refunds = () => queryRows<{ state: string }>(second.server.db, sql`select state from refunds`);
  await waitFor(async () => expect(await refunds()).toEqual([{ state: 'refunded' }]));
  expect(await findAuditProblems(second.server.db)).toEqual([]);
  await second.close();
});
