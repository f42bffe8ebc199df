import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { API } from '../../contract/api.ts';
import type { ErrorBody } from '../../contract/failures.ts';
import { CONTACTS_LIFETIME_MS } from '../../domain/deliveries.ts';
import { MAX_PHOTOS_OF_STEP, PHOTO_MAX_BYTES, UNUSED_FILE_KEPT_MS, USED_FILE_KEPT_MS } from '../../domain/files.ts';
import { expectFailure, sendRequest } from '../../testing/checkedClient.ts';
import { createDelivery } from '../../testing/deliveryExceptionCalls.ts';
import {
  advanceDelivery,
  createOrderInStatus,
  createParticipants,
  findDeliveryId,
  type Participants,
} from '../../testing/orderSteps.ts';
import { asBlob, createExif, createPng, EXIF_SECRET, insertSegment, SMALL_PHOTO } from '../../testing/photos.ts';
import { startS3Sandbox } from '../../testing/s3Sandbox.ts';
import { DATABASE_KINDS, openTestServer, type TestServer, type TestUser } from '../../testing/testServer.ts';
import { type Tx, transact } from '../db/database.ts';
import { eraseFiles } from './eraseFiles.ts';
import { hasLaundryUnderWay } from './files.sql.ts';
import { attachFiles } from './files.ts';
import { createS3Storage } from './s3.ts';

const PHOTO = asBlob(SMALL_PHOTO);
const upload = (user: TestUser) => user.api.createFile({ photo: PHOTO });
const read = async (user: TestUser, id: string) =>
  Buffer.from(await (await user.api.readFile({ params: { id } })).arrayBuffer());
const readers = (users: readonly TestUser[], id: string) =>
  Promise.all(
    users.map((user) =>
      user.api.readFile({ params: { id } }).then(
        () => 'sees',
        (error) => error.statusCode,
      ),
    ),
  );

describe.each(DATABASE_KINDS)('files on %s', (kind) => {
  let testServer: TestServer;
  let people: Participants;
  let db: Tx;
  const attach = (
    owner: TestUser,
    fileIds: string[],
    aboutId: string,
    aboutKind: 'delivery' | 'handover' | 'case' = 'delivery',
  ) =>
    transact(db, (tx) => attachFiles(tx, { owner: owner.user.id, fileIds, aboutKind, aboutId })).then(
      () => 'attached',
      (refusal) => Object.values(refusal.validationErrors[0].constraints)[0],
    );
  const send = (user: TestUser, type: string, body: string | Uint8Array<ArrayBuffer>) =>
    fetch(`${testServer.apiUrl}/files`, {
      method: 'POST',
      headers: { authorization: `Bearer ${user.token}`, 'content-type': type },
      body,
    }).then(async (response) => [response.status, ((await response.json()) as ErrorBody).code]);

  beforeAll(async () => {
    testServer = await openTestServer(kind);
    people = await createParticipants(testServer);
    db = testServer.server.db;
  });
  afterAll(() => testServer?.close());

  test('a photo comes back as pixels alone, with headers that keep it from running', async () => {
    const { bud } = people;
    const plain = await read(bud, (await upload(bud)).id);
    const secret = insertSegment(plain, createExif(1));
    expect(secret.includes(EXIF_SECRET)).toBe(true);
    const { id, ...photo } = await bud.api.createFile({ photo: asBlob(secret, 'image/jpeg') });
    const { headers, body } = await sendRequest(testServer.apiUrl, 'GET', `/files/${id}`, { token: bud.token });
    const bytes = Buffer.from(await body.arrayBuffer());
    expect(bytes.includes(EXIF_SECRET)).toBe(false);
    expect(photo).toEqual({ type: 'image/jpeg', width: 8, height: 6, bytes: bytes.length });
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
      'content-disposition': 'inline',
      // It may become a document.
      'cache-control': 'no-store',
      vary: 'authorization',
      'cross-origin-resource-policy': 'same-origin',
    });
  });

  test('a file that is no photo gets a clear refusal', async () => {
    const { bud } = people;
    expect(await send(bud, 'image/png', 'not a photo')).toEqual([400, 'notAPhoto']);
    expect(await send(bud, 'image/png', '')).toEqual([400, 'notAPhoto']);
    expect(await send(bud, 'image/jpeg', createPng(30_000, 30_000, 1).slice())).toEqual([400, 'tooManyPixels']);
    expect(await send(bud, 'image/svg+xml', '<svg/>')).toEqual([415, 'notPhotoType']);
    expect(await send(bud, 'application/json', '{}')).toEqual([415, 'notPhotoType']);
    expect(await send(bud, 'image/png', new Uint8Array(PHOTO_MAX_BYTES + 1))).toEqual([413, 'photoTooLarge']);
  });

  test('no other call takes a photo, or a body as large as one', async () => {
    const post = (type: string, body: string | Uint8Array<ArrayBuffer>) =>
      fetch(testServer.apiUrl + API.createAddress.path, {
        method: 'POST',
        headers: { authorization: `Bearer ${people.bud.token}`, 'content-type': type },
        body,
      }).then(async (response) => [response.status, ((await response.json()) as ErrorBody).code]);
    expect(await post('image/png', SMALL_PHOTO.slice())).toEqual([415, 'notJsonType']);
    expect(await post('application/json', JSON.stringify({ text: 'x'.repeat(70_000) }))).toEqual([413, 'tooLarge']);
  });

  test('the same photo with the same key is one file', async () => {
    const [{ bud, scrub }, idempotencyKey] = [people, 'one'];
    const first = await bud.api.createFile({ photo: PHOTO, idempotencyKey });
    expect(await bud.api.createFile({ photo: PHOTO, idempotencyKey })).toEqual(first);
    expect((await scrub.api.createFile({ photo: PHOTO, idempotencyKey })).id).not.toBe(first.id);
    const other = asBlob(createPng(6, 8));
    expect(await expectFailure(bud.api.createFile({ photo: other, idempotencyKey }))).toMatchObject({ status: 409 });
  });

  test('only its owner sees a file that is about nothing, or about what no feature shows', async () => {
    const { bud, scrub, duber } = people;
    const { id } = await upload(bud);
    expect(await readers([bud, scrub, duber], id)).toEqual(['sees', 404, 404]);
    expect(await attach(bud, [id], id, 'case')).toBe('attached');
    expect(await readers([bud, scrub, duber], id)).toEqual(['sees', 404, 404]);
  });

  test('a file about a delivery is seen by its people, and by no stranger', async () => {
    const stranger = await createParticipants(testServer);
    const strangers = [stranger.bud, stranger.scrub, stranger.duber];
    // They have an order of their own.
    const other = await createOrderInStatus(stranger, 'Accepted');
    const { id: deliveryId, duber } = await createDelivery({ testServer, participants: people }, 2);
    const { bud, scrub } = people;
    const { id } = await upload(duber);
    expect(await attach(duber, [id], deliveryId, 'delivery')).toBe('attached');
    expect(await readers([bud, scrub, duber], id)).toEqual(['sees', 'sees', 'sees']);
    const { headers } = await sendRequest(testServer.apiUrl, 'GET', `/files/${id}`, { token: bud.token });
    expect(headers.get('cache-control')).toBe('private, max-age=3600');
    expect(await readers(strangers, id)).toEqual([404, 404, 404]);
    const theirs = await upload(stranger.bud);
    expect(await attach(stranger.bud, [theirs.id], findDeliveryId(other, 'Bud_To_Scrub'), 'delivery')).toBe('attached');
    expect(await readers([...strangers, bud, scrub, duber], theirs.id)).toEqual(['sees', 'sees', 404, 404, 404, 404]);
  });

  test('a Duber sees photos of their own delivery, for seven days after it, and the Bud and the Scrub see all', async () => {
    const { bud, scrub } = people;
    const [first, second] = [await testServer.createUser('Duber'), await testServer.createUser('Duber')];
    const order = await createOrderInStatus(people, 'Accepted');
    const params = { id: order.id };
    /** The hand-overs of a delivery, each with a photo of the Bud's, and one about the delivery. */
    const photosOf = async (deliveryId: string) => {
      const rows = await db.selectFrom('handovers').where('delivery_id', '=', deliveryId).select('id').execute();
      const photos = [(await upload(bud)).id, (await upload(bud)).id, (await upload(bud)).id];
      const subjects = [...rows.map(({ id }) => ['handover', id] as const), ['delivery', deliveryId] as const];
      for (const [index, [kind, id]] of subjects.entries())
        expect(await attach(bud, photos.slice(index, index + 1), id, kind)).toBe('attached');
      return photos;
    };
    const way = findDeliveryId(order, 'Bud_To_Scrub');
    await advanceDelivery(first, way);
    await scrub.api['start-order']({ params });
    await scrub.api['complete-order']({ params });
    const wayBack = findDeliveryId(await scrub.api.readOrder({ params }), 'Scrub_To_Bud');
    await advanceDelivery(second, wayBack);
    const seen = (photos: string[]) => Promise.all(photos.map((id) => readers([bud, scrub, first, second], id)));
    const [there, back] = [await photosOf(way), await photosOf(wayBack)];
    expect(await seen(there)).toEqual(there.map(() => ['sees', 'sees', 'sees', 404]));
    expect(await seen(back)).toEqual(back.map(() => ['sees', 'sees', 404, 'sees']));
    const longAgo = new Date(testServer.now().getTime() - CONTACTS_LIFETIME_MS - 60_000);
    await db.updateTable('deliveries').set({ delivered_at: longAgo }).where('order_id', '=', order.id).execute();
    expect(await seen([...there, ...back])).toEqual([...there, ...back].map(() => ['sees', 'sees', 404, 404]));
  });

  test('a step takes its own unused photos only, and may be repeated', async () => {
    const { bud, scrub } = people;
    const [ofOne, ofAnother] = [
      await createOrderInStatus(people, 'Accepted'),
      await createOrderInStatus(people, 'Accepted'),
    ];
    const [aboutId, otherId] = [findDeliveryId(ofOne, 'Bud_To_Scrub'), findDeliveryId(ofAnother, 'Bud_To_Scrub')];
    const [first, second] = [await upload(bud), await upload(bud)];
    const lost = 'A photo is no longer there. Please remove it and take it again';
    expect(await attach(scrub, [first.id], aboutId)).toBe(lost);
    expect(await attach(bud, [first.id, aboutId], aboutId)).toBe(lost);
    // Nothing of what was refused is left.
    expect(await attach(bud, [first.id, second.id], otherId)).toBe('attached');
    expect(await attach(bud, [first.id, second.id], otherId)).toBe('attached');
    expect(await attach(bud, [second.id], aboutId)).toBe(lost);
    expect(await attach(bud, [], aboutId)).toBe('attached');
  });

  test("six photos of one step keep nobody's next photo from what they are about", async () => {
    const [{ bud, scrub }, aboutId] = [people, randomUUID()];
    const send6 = async () => {
      const ids: string[] = [];
      while (ids.length < MAX_PHOTOS_OF_STEP) ids.push((await upload(bud)).id);
      return ids;
    };
    expect(await attach(bud, await send6(), aboutId, 'case')).toBe('attached');
    expect(await attach(scrub, [(await upload(scrub)).id], aboutId, 'case')).toBe('attached');
    expect(await attach(bud, [(await upload(bud)).id], aboutId, 'case')).toBe('attached');
  });

  test('the photos of people whose laundry is under way come first', async () => {
    const own = await createParticipants(testServer);
    const first = () => Promise.all([own.bud, own.scrub, own.duber].map(({ user }) => hasLaundryUnderWay(db, user.id)));
    await createOrderInStatus(own, 'Requested');
    expect(await first()).toEqual([false, false, false]);
    const order = await createOrderInStatus(own, 'Accepted');
    // The Scrub may weigh what is brought to them.
    expect(await first()).toEqual([false, true, false]);
    const way = findDeliveryId(order, 'Bud_To_Scrub');
    const params = { id: way };
    await own.duber.api['accept-delivery']({ params });
    expect(await first()).toEqual([true, true, true]);
    const rest = ['way-to-pickup', 'collected', 'way-to-drop', 'delivered'] as const;
    for (const step of rest) await own.duber.api[step]({ params });
    expect(await first()).toEqual([false, true, false]);
  });

  test('a step takes six photos at most', async () => {
    const { id } = await createDelivery({ testServer, participants: people }, 2);
    const fileIds = Array.from({ length: MAX_PHOTOS_OF_STEP + 1 }, () => randomUUID());
    const arriving = people.duber.api['arrived-at-pickup']({ params: { id }, body: { fileIds } });
    expect((await expectFailure(arriving)).message).toBe('fileIds must have at most 6 ids');
  });

  test('an unused file is erased after a day, and the content of a used one after 180', async () => {
    const { bud } = people;
    const [unused, used] = [await upload(bud), await upload(bud)];
    await attach(bud, [used.id], randomUUID());
    const erase = async (afterMs: number) => {
      const now = () => new Date(testServer.now().getTime() + afterMs);
      while (await eraseFiles({ db, now, storage: undefined }));
      return [...(await readers([bud], unused.id)), ...(await readers([bud], used.id))];
    };
    expect(await erase(UNUSED_FILE_KEPT_MS - 60_000)).toEqual(['sees', 'sees']);
    expect(await erase(UNUSED_FILE_KEPT_MS + 60_000)).toEqual([404, 'sees']);
    expect(await erase(USED_FILE_KEPT_MS - 60_000)).toEqual([404, 'sees']);
    expect(await erase(USED_FILE_KEPT_MS + 60_000)).toEqual([404, 404]);
    const rows = db.selectFrom('files').where('id', 'in', [unused.id, used.id]).select(['id', 'gone_at']).execute();
    expect(await rows).toEqual([{ id: used.id, gone_at: expect.any(Date) }]);
    expect(await db.selectFrom('file_contents').where('file_id', '=', used.id).execute()).toEqual([]);
  });
});

test('with S3_URL contents are in the bucket, and a storage that is away loses nothing', async () => {
  const sandbox = await startS3Sandbox();
  const { url, accessKeyId, secretAccessKey } = sandbox.config;
  const env = { S3_URL: url, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey };
  const testServer = await openTestServer('embedded', { env: { ...env, RATE_LIMIT_SCALE: '1' } });
  try {
    const { db } = testServer.server;
    const bud = await testServer.createUser('Bud');
    const { id, bytes } = await upload(bud);
    expect(await read(bud, id)).toHaveLength(bytes);
    expect(await db.selectFrom('file_contents').selectAll().execute()).toEqual([]);
    const storage = createS3Storage(sandbox.config);
    expect(await storage.get(id)).toHaveLength(bytes);
    const now = () => new Date(testServer.now().getTime() + UNUSED_FILE_KEPT_MS + 60_000);
    await eraseFiles({ db, now, storage });
    expect(await storage.get(id)).toBeUndefined();
    expect(await readers([bud], id)).toEqual([404]);

    const kept = await upload(bud);
    sandbox.goAway();
    expect(await readers([bud], kept.id)).toEqual([503]);
    const again = { photo: PHOTO, idempotencyKey: 'again' };
    expect((await expectFailure(bud.api.createFile(again))).status).toBe(503);
    expect((await expectFailure(bud.api.createFile(again))).status).toBe(503);
    expect(await db.selectFrom('files').where('kept_at', 'is', null).select('id').execute()).toHaveLength(1);
    // A phone that tries the same photo again and again has sent three until now.
    const { count } = await db
      .selectFrom('rate_limits')
      .select('count')
      .where('kind', '=', 'photos')
      .executeTakeFirstOrThrow();
    expect(count).toBe(3);
    await expect(eraseFiles({ db, now, storage })).rejects.toThrow('the file storage does not answer');
    expect(await db.selectFrom('files').select('id').execute()).toHaveLength(2);
  } finally {
    await testServer.close();
    await sandbox.stop();
  }
});
