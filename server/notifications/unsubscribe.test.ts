import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Notifications } from '../../contract/notifications.ts';
import { createPushKeys } from '../../sandbox/push/decrypt.ts';
import { expectFailure, sendRequest } from '../../testing/checkedClient.ts';
import { createParticipants, type Participants, placeOrder } from '../../testing/orderSteps.ts';
import { CHEAPEST_DATABASE, openTestServer, type TestServer } from '../../testing/testServer.ts';

describe('unsubscribe links and push subscriptions over HTTP', () => {
  let testServer: TestServer;
  let participants: Participants;
  let page = '';
  let oneClick = '';
  beforeAll(async () => {
    testServer = await openTestServer(CHEAPEST_DATABASE);
    participants = await createParticipants(testServer);
    await placeOrder(participants);
    const mail = (await testServer.waitForMail(participants.bud.user.email, 'is placed')) as Awaited<
      ReturnType<TestServer['waitForMail']>
    > & {
      unsubscribe?: string;
    };
    page = /(http\S+\/#\/unsubscribe\?token=\S+)/.exec(mail.text)?.[1] ?? '';
    // The sandbox's inbox shows the link only if the mail has both headers of RFC 8058.
    oneClick = mail.unsubscribe ?? '';
    expect(mail.html).toContain(`href="${page}"`);
  });
  afterAll(() => testServer?.close());

  const token = () => page.split('token=')[1] ?? '';
  const receivesMail = async () => choiceOf(await participants.bud.api.notifications(), 'placed')?.mail;
  const choiceOf = ({ choices }: Notifications, wanted: string) => choices.find(({ kind: one }) => one === wanted);
  const pathOf = (address: string) => new URL(address).pathname.replace('/api', '') + new URL(address).search;
  const post = (path: string, body: string, type = 'application/x-www-form-urlencoded') =>
    sendRequest(testServer.apiUrl, 'POST', path, { body, headers: { 'content-type': type } });

  test('opening either unsubscribe link changes nothing', async () => {
    expect(await testServer.api().readUnsubscribe({ query: { token: token() } })).toEqual({
      kind: 'placed',
      role: 'Bud',
      email: expect.stringMatching(/^b…@/),
      mail: true,
    });
    const opened = await fetch(testServer.apiUrl + pathOf(oneClick), { redirect: 'manual' });
    expect([opened.status, opened.headers.get('location')]).toEqual([303, `/#/unsubscribe?token=${token()}`]);
    expect((await sendRequest(testServer.apiUrl, 'HEAD', pathOf(oneClick))).status).toBe(405);
    expect(await receivesMail()).toBe(true);
  });

  test('the unsubscribe page turns the mails of one kind off and on again without a session', async () => {
    const answer = await testServer.api().unsubscribe({ body: { token: token() } });
    expect(answer).toMatchObject({ kind: 'placed', mail: false });
    const { choices } = await participants.bud.api.notifications();
    // Mails about arrivals are off for everybody.
    const off = choices.filter(({ kind: other, mail }) => !mail && other !== 'arrived');
    expect(off).toEqual([{ kind: 'placed', mail: false, push: true }]);
    expect((await testServer.api().unsubscribe({ body: { token: token(), mail: true } })).mail).toBe(true);
    expect(await receivesMail()).toBe(true);
  });

  test('the one-click POST of a mail program unsubscribes, with either form encoding', async () => {
    const forms: [body: string, type: string][] = [
      ['List-Unsubscribe=One-Click', 'application/x-www-form-urlencoded'],
      [
        '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n',
        'multipart/form-data; boundary=b',
      ],
    ];
    for (const [body, type] of forms) {
      await participants.bud.api.chooseNotifications({ body: { kind: 'placed', mail: true } });
      expect((await post(pathOf(oneClick), body, type)).status, type).toBe(200);
      expect(await receivesMail(), type).toBe(false);
    }
    const before = await testServer.waitForMail(participants.bud.user.email);
    await placeOrder(participants);
    // The Scrub's mail of the same step has arrived, so the Bud's would have, too.
    await testServer.waitForMail(participants.scrub.user.email, 'new job');
    expect(await testServer.waitForMail(participants.bud.user.email)).toEqual(before);
  });

  test('a forged unsubscribe link returns 404 and changes nothing', async () => {
    await participants.bud.api.chooseNotifications({ body: { kind: 'placed', mail: true } });
    const [person = '', kind = '', signature = ''] = token().split('.');
    const other = participants.scrub.user.id.replaceAll('-', '');
    const forged = [
      `${other}.${kind}.${signature}`,
      `${person}.accepted.${signature}`,
      `${person}.${kind}.${signature.slice(0, -2)}`,
      `${person}.${kind}.${'A'.repeat(43)}`,
      `${person}.${kind}.`,
      `${person}.${kind}.${signature}.x`,
      'x',
      '..',
    ];
    const refused = { status: 404, message: 'This link is not one of ours' };
    for (const bad of forged) {
      expect(await expectFailure(testServer.api().readUnsubscribe({ query: { token: bad } })), bad).toEqual(refused);
      expect(await expectFailure(testServer.api().unsubscribe({ body: { token: bad } })), bad).toEqual(refused);
      const path = `/unsubscribe/one-click?token=${encodeURIComponent(bad)}`;
      expect((await post(path, 'List-Unsubscribe=One-Click')).status, bad).toBe(404);
    }
    expect((await post(pathOf(oneClick), 'List-Unsubscribe=Perhaps')).status).toBe(404);
    expect((await post(pathOf(oneClick), '')).status).toBe(404);
    expect(await receivesMail()).toBe(true);
  });

  test('returns 400 with a message when a push subscription is not valid', async () => {
    const { p256dh, auth } = createPushKeys();
    const subscribe = (endpoint: string, keys: object = { p256dh, auth }) =>
      expectFailure(participants.bud.api.subscribePush({ body: { endpoint, keys } as never }));
    const message = 'endpoint must be an https address on the public internet';
    for (const endpoint of ['https://10.0.0.1/x', 'https://localhost/x', 'http://push.example.org/x', 'x'])
      expect(await subscribe(endpoint), endpoint).toEqual({ status: 400, message });
    const good = 'https://push.example.org/x';
    expect((await subscribe(good, { p256dh: 'AAAA', auth })).message).toBe('p256dh must be 65 bytes in base64url');
    expect((await subscribe(good, { p256dh, auth: 'A' })).message).toBe('auth must be 16 bytes in base64url');
    const notOnCurve = Buffer.alloc(65, 4).toString('base64url');
    expect((await subscribe(good, { p256dh: notOnCurve, auth })).message).toBe(
      'keys.p256dh must be a point on the curve P-256',
    );
    expect(
      (await expectFailure(participants.duber.api.chooseNotifications({ body: { kind: 'placed', mail: false } })))
        .status,
    ).toBe(400);
    expect((await participants.bud.api.notifications()).devices).toEqual([]);
  });

  test('a subscription that the browser has renewed replaces the one before, which only its own person can replace', async () => {
    const subscription = (path: string) => {
      const { p256dh, auth } = createPushKeys();
      return { endpoint: `${testServer.sandboxUrl}/sandbox/push/${path}`, keys: { p256dh, auth } };
    };
    const { bud, scrub } = participants;
    const before = subscription('before');
    await bud.api.subscribePush({ body: before });
    const renewed = { ...subscription('renewed'), replaces: before.endpoint };
    expect((await expectFailure(scrub.api.subscribePush({ body: renewed }))).status).toBe(404);
    expect((await scrub.api.notifications()).devices).toEqual([]);
    const device = await bud.api.subscribePush({ body: renewed });
    expect((await bud.api.notifications()).devices).toEqual([device]);
    expect(device.endpoint).toBe(renewed.endpoint);
    for (const replaces of [before.endpoint, 'not an address'])
      expect((await expectFailure(bud.api.subscribePush({ body: { ...renewed, replaces } }))).status).toBe(404);
    expect((await bud.api.notifications()).devices).toEqual([device]);
    await bud.api.unsubscribePush({ params: { id: device.id } });
  });

  test('signing out deletes the push subscription of that device', async () => {
    const { user } = participants.duber;
    const { authToken } = await testServer.api().login({ body: { email: user.email, password: 'Rubadub1!' } });
    const { p256dh, auth } = createPushKeys();
    const body = {
      endpoint: `${testServer.sandboxUrl}/sandbox/push/duber`,
      keys: { p256dh, auth },
      agent: 'Firefox on Linux',
    };
    const device = await testServer.api(authToken).subscribePush({ body });
    expect((await participants.duber.api.notifications()).devices).toEqual([device]);
    await testServer.api(authToken).logout();
    expect((await participants.duber.api.notifications()).devices).toEqual([]);
  });
});
