import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Notifications } from '../../contract/notifications.ts';
import { createPushKeys } from '../../sandbox/push/decrypt.ts';
import { expectFailure, sendRequest } from '../../testing/checkedClient.ts';
import { createParticipants, type Participants, placeOrder } from '../../testing/orderSteps.ts';
import { DATABASE_KINDS, openTestServer, type TestServer } from '../../testing/testServer.ts';

describe('unsubscribing and subscribing over HTTP', () => {
  let world: TestServer;
  let cast: Participants;
  let page = '';
  let oneClick = '';
  beforeAll(async () => {
    world = await openTestServer(DATABASE_KINDS.at(-1) ?? 'embedded');
    cast = await createParticipants(world);
    await placeOrder(cast);
    const mail = (await world.waitForMail(cast.bud.user.email, 'is placed')) as Awaited<
      ReturnType<TestServer['waitForMail']>
    > & {
      unsubscribe?: string;
    };
    page = /(http\S+\/#\/unsubscribe\?token=\S+)/.exec(mail.text)?.[1] ?? '';
    // The stand-in shows it only where both headers of RFC 8058 stand.
    oneClick = mail.unsubscribe ?? '';
    expect(mail.html).toContain(`href="${page}"`);
  });
  afterAll(() => world?.close());

  const token = () => page.split('token=')[1] ?? '';
  const mailed = async () => choiceOf(await cast.bud.api.notifications(), 'placed')?.mail;
  const choiceOf = ({ choices }: Notifications, wanted: string) => choices.find(({ kind: one }) => one === wanted);
  const pathOf = (address: string) => new URL(address).pathname.replace('/api', '') + new URL(address).search;
  const post = (path: string, body: string, type = 'application/x-www-form-urlencoded') =>
    sendRequest(world.apiUrl, 'POST', path, { body, headers: { 'content-type': type } });

  test('looking at either link changes nothing', async () => {
    expect(await world.api().readUnsubscribe({ query: { token: token() } })).toEqual({
      kind: 'placed',
      role: 'Bud',
      email: expect.stringMatching(/^b…@/),
      mail: true,
    });
    const looked = await fetch(world.apiUrl + pathOf(oneClick), { redirect: 'manual' });
    expect([looked.status, looked.headers.get('location')]).toEqual([303, `/#/unsubscribe?token=${token()}`]);
    expect((await sendRequest(world.apiUrl, 'HEAD', pathOf(oneClick))).status).toBe(405);
    expect(await mailed()).toBe(true);
  });

  test('the page switches off the mails of one kind without a session, and takes it back', async () => {
    const answer = await world.api().unsubscribe({ body: { token: token() } });
    expect(answer).toMatchObject({ kind: 'placed', mail: false });
    const { choices } = await cast.bud.api.notifications();
    expect(choices.filter(({ mail }) => !mail)).toEqual([{ kind: 'placed', mail: false, push: true }]);
    expect((await world.api().unsubscribe({ body: { token: token(), mail: true } })).mail).toBe(true);
    expect(await mailed()).toBe(true);
  });

  test('a mail program’s button posts a form, in either encoding, and it holds', async () => {
    const forms: [body: string, type: string][] = [
      ['List-Unsubscribe=One-Click', 'application/x-www-form-urlencoded'],
      [
        '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n',
        'multipart/form-data; boundary=b',
      ],
    ];
    for (const [body, type] of forms) {
      await cast.bud.api.chooseNotifications({ body: { kind: 'placed', mail: true } });
      expect((await post(pathOf(oneClick), body, type)).status, type).toBe(200);
      expect(await mailed(), type).toBe(false);
    }
    const before = await world.waitForMail(cast.bud.user.email);
    await placeOrder(cast);
    // The Scrub's mail of the same step has left: the Bud's is not on its way.
    await world.waitForMail(cast.scrub.user.email, 'New job');
    expect(await world.waitForMail(cast.bud.user.email)).toEqual(before);
  });

  test('a forged link does nothing, and reads as none of ours', async () => {
    await cast.bud.api.chooseNotifications({ body: { kind: 'placed', mail: true } });
    const [person = '', kindOf = '', mac = ''] = token().split('.');
    const other = cast.scrub.user.id.replaceAll('-', '');
    const forged = [
      `${other}.${kindOf}.${mac}`,
      `${person}.accepted.${mac}`,
      `${person}.${kindOf}.${mac.slice(0, -2)}`,
      `${person}.${kindOf}.${'A'.repeat(43)}`,
      `${person}.${kindOf}.`,
      `${person}.${kindOf}.${mac}.x`,
      'x',
      '..',
    ];
    const refused = { status: 404, message: 'This link is not one of ours' };
    for (const bad of forged) {
      expect(await expectFailure(world.api().readUnsubscribe({ query: { token: bad } })), bad).toEqual(refused);
      expect(await expectFailure(world.api().unsubscribe({ body: { token: bad } })), bad).toEqual(refused);
      const path = `/unsubscribe/one-click?token=${encodeURIComponent(bad)}`;
      expect((await post(path, 'List-Unsubscribe=One-Click')).status, bad).toBe(404);
    }
    expect((await post(pathOf(oneClick), 'List-Unsubscribe=Perhaps')).status).toBe(404);
    expect((await post(pathOf(oneClick), '')).status).toBe(404);
    expect(await mailed()).toBe(true);
  });

  test('a device that is none is refused in words', async () => {
    const { p256dh, auth } = createPushKeys();
    const subscribe = (endpoint: string, keys: object = { p256dh, auth }) =>
      expectFailure(cast.bud.api.subscribePush({ body: { endpoint, keys } as never }));
    const words = 'endpoint must be an https address on the public internet';
    for (const endpoint of ['https://10.0.0.1/x', 'https://localhost/x', 'http://push.example.org/x', 'x'])
      expect(await subscribe(endpoint), endpoint).toEqual({ status: 400, message: words });
    const good = 'https://push.example.org/x';
    expect((await subscribe(good, { p256dh: 'AAAA', auth })).message).toBe('p256dh must be 65 bytes in base64url');
    expect((await subscribe(good, { p256dh, auth: 'A' })).message).toBe('auth must be 16 bytes in base64url');
    const off = Buffer.alloc(65, 4).toString('base64url');
    expect((await subscribe(good, { p256dh: off, auth })).message).toBe(
      'keys.p256dh must be a point on the curve P-256',
    );
    expect(
      (await expectFailure(cast.duber.api.chooseNotifications({ body: { kind: 'placed', mail: false } }))).status,
    ).toBe(400);
    expect((await cast.bud.api.notifications()).devices).toEqual([]);
  });

  test('signing out ends the pushes of that device', async () => {
    const { user } = cast.duber;
    const { authToken } = await world.api().login({ body: { email: user.email, password: 'Rubadub1!' } });
    const { p256dh, auth } = createPushKeys();
    const body = {
      endpoint: `${world.sandboxUrl}/sandbox/push/duber`,
      keys: { p256dh, auth },
      agent: 'Firefox on Linux',
    };
    const device = await world.api(authToken).subscribePush({ body });
    expect((await cast.duber.api.notifications()).devices).toEqual([device]);
    await world.api(authToken).logout();
    expect((await cast.duber.api.notifications()).devices).toEqual([]);
  });
});
