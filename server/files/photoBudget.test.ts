import { expect, test } from 'vitest';
import { PHOTO_SECONDS_PER_HOUR, PHOTO_SECONDS_PER_HOUR_OF_NETWORK, PHOTOS_PER_HOUR } from '../../domain/files.ts';
import { expectFailure } from '../../testing/checkedClient.ts';
import { asBlob, createPng, SMALL_PHOTO } from '../../testing/photos.ts';
import { CHEAPEST_DATABASE, openTestServer, type TestUser } from '../../testing/testServer.ts';

const PHOTO = asBlob(SMALL_PHOTO);
const upload = (user: TestUser) => user.api.createFile({ photo: PHOTO });

test('thirty photos an hour are enough for a person', async () => {
  const env = { RATE_LIMIT_SCALE: '1' };
  const testServer = await openTestServer(CHEAPEST_DATABASE, { env, isClockStopped: true });
  try {
    const [bud, other] = [await testServer.createUser('Bud'), await testServer.createUser('Bud')];
    const idempotencyKey = 'first';
    for (let count = 0; count < PHOTOS_PER_HOUR; count += 1) {
      testServer.advanceClock(1_000);
      await bud.api.createFile({ photo: PHOTO, ...(count === 0 ? { idempotencyKey } : {}) });
    }
    const refused = await expectFailure(upload(bud));
    expect(refused).toEqual({ status: 429, message: 'You have sent many photos. Please wait a while and try again' });
    // A repeated request is no other photo, and nobody else waits.
    await bud.api.createFile({ photo: PHOTO, idempotencyKey });
    await upload(other);
    testServer.advanceClock(60 * 60_000);
    await upload(bud);
  } finally {
    await testServer.close();
  }
});

test('the time that photos take is limited for a person, and for a network', async () => {
  const env = { RATE_LIMIT_SCALE: '1', TRUST_PROXY: 'on' };
  const testServer = await openTestServer(CHEAPEST_DATABASE, { env, isClockStopped: true });
  try {
    const [bud, other] = [await testServer.createUser('Bud'), await testServer.createUser('Bud')];
    const [network, elsewhere] = ['198.51.100.7', '198.51.100.8'];
    const send = async ({ token }: TestUser, from: string, bytes = SMALL_PHOTO) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'image/png', 'x-forwarded-for': from };
      const response = await fetch(`${testServer.apiUrl}/files`, { method: 'POST', headers, body: bytes.slice() });
      return [response.status, response.headers.get('retry-after')];
    };
    const { db } = testServer.server;
    const spent = (key: string) =>
      db.updateTable('rate_limits').where('kind', '=', 'photo-ms').where('network', '=', key);
    const isDamaged = [400, null];
    // A millisecond at least, although nothing comes of it.
    expect(await send(bud, network, createPng(40, 30).subarray(0, 60))).toEqual(isDamaged);
    await spent(bud.user.id)
      .set({ count: PHOTO_SECONDS_PER_HOUR * 1_000 - 1 })
      .execute();
    expect(await send(bud, network)).toEqual([201, null]);
    expect(await send(bud, elsewhere)).toEqual([429, '3600']);
    expect(await send(other, network)).toEqual([201, null]);
    await spent(network)
      .set({ count: PHOTO_SECONDS_PER_HOUR_OF_NETWORK * 1_000 - 1 })
      .execute();
    expect(await send(other, network)).toEqual([201, null]);
    expect(await send(other, network)).toEqual([429, '3600']);
    expect(await send(other, elsewhere)).toEqual([201, null]);
    testServer.advanceClock(60 * 60_000);
    expect([await send(bud, network), await send(other, network)]).toEqual([
      [201, null],
      [201, null],
    ]);
  } finally {
    await testServer.close();
  }
});
