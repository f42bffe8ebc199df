import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MINUTE_MS } from '../../domain/durations.ts';
import { PRODUCT_NAME } from '../../domain/identity.ts';
import { expectFailure } from '../../testing/checkedClient.ts';
import { createOperator, operatorClient, type TestOperator, tokenOf } from '../../testing/operators.ts';
import { createParticipants, placeOrder } from '../../testing/orderSteps.ts';
import { createPng } from '../../testing/photos.ts';
import { openTestServer, RULE_DATABASES, type TestServer } from '../../testing/testServer.ts';
import { waitFor } from '../../testing/waits.ts';
import { readPublicTown } from '../town/identity.sql.ts';

const REASON = 'Because of the test';
const SUDS = {
  ...{
    name: 'Suds & Sons',
    color: '#7a1f5c',
    legalName: 'Suds & Sons Laundry LLC',
    address: '1 Quay Street\nRiverside',
  },
  ...{ taxNumber: '12-3456789', supportEmail: 'help@suds.example', phone: '+12025550123' },
};

type Mail = { readonly to: string; readonly subject: string; readonly text: string; readonly html: string };

const folder = mkdtempSync(join(tmpdir(), 'rubadub-page-'));
writeFileSync(join(folder, 'index.html'), '<html><head><title>Rubadub</title></head></html>');
writeFileSync(join(folder, 'manifest.webmanifest'), '{"name":"Rubadub"}');
writeFileSync(join(folder, 'sw.js'), '`Rubadub`');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(RULE_DATABASES)('who the town is, on %s', (kind) => {
  let testServer: TestServer;
  let ada: TestOperator;
  beforeAll(async () => {
    testServer = await openTestServer(kind, { webDir: folder });
    ada = await createOperator(testServer);
  });
  afterAll(() => testServer?.close());

  const set = (body: object, { api }: TestOperator = ada) =>
    api.setIdentity({ body: { ...SUDS, ...body, reason: REASON } });
  const page = async ({ apiUrl }: TestServer = testServer) => (await fetch(apiUrl.replace(/api$/, ''))).text();
  /** A page does not wait long for a busy database: it then has the name before. */
  const expectPage = (words: string, server?: TestServer) =>
    waitFor(async () => expect(await page(server)).toContain(words));
  const inbox = async (): Promise<Mail[]> =>
    (await fetch(`${testServer.sandboxUrl}/sandbox/mail/messages`)).json() as Promise<Mail[]>;

  test('is the product until somebody says otherwise', async () => {
    expect(await ada.api.readIdentity()).toMatchObject({
      name: PRODUCT_NAME,
      color: '#0b6e8b',
      hasLogo: false,
      setBy: null,
    });
    const { town, supportEmail } = await testServer.api().readConfig();
    expect([town, supportEmail]).toEqual([
      { name: PRODUCT_NAME, legalName: null, address: null, taxNumber: null, phone: null },
      'support@rubadub.test',
    ]);
    await expectPage('<title>Rubadub</title>');
  });

  test('is refused in a colour that nobody can read, with the nearest one that works', async () => {
    const { message } = await expectFailure(set({ color: '#ffd400' }));
    expect(message).toBe(
      'Text is hard to read on #ffd400: its contrast is 1.3, and 4.5 is needed. The nearest colour that works is #826c00',
    );
    for (const color of ['red', '#fff', '#0b6e8b;}', ''])
      expect((await expectFailure(set({ color }))).message, color).toContain('A colour is like #0b6e8b');
    expect((await expectFailure(set({ name: ' ' }))).message).toBe('Enter the name of the town');
    expect((await expectFailure(set({ name: 'Suds\nBcc: x' }))).message).toContain('single line');
  });

  test('changes at once where one operator runs it, and both support addresses are told', async () => {
    expect((await set({})).approvalId).toBeNull();
    expect(await ada.api.readIdentity()).toMatchObject({ ...SUDS, setBy: ada.session.operator.fullname });
    expect((await testServer.api().readConfig()).supportEmail).toBe('help@suds.example');
    for (const address of ['support@rubadub.test', 'help@suds.example'])
      expect((await testServer.waitForMail(address, 'has changed')).text).toContain('help@suds.example now');
    await expectPage('<title>Suds &#38; Sons</title>');
    const [row] = (await ada.api.listAudit({ query: { q: 'setIdentity' } })).items;
    expect(row?.details).toMatchObject({ name: 'Suds & Sons', before: { name: PRODUCT_NAME } });
  });

  test('is in every mail, push, receipt and bag, and the product is in none', async () => {
    const people = await createParticipants(testServer);
    const order = await placeOrder(people);
    await people.scrub.api['accept-order']({ params: { id: order.id } });
    const { tags } = await people.bud.api.makeBags({ params: { id: order.id }, body: { bags: 1 } });
    expect(await testServer.api().readBag({ params: { code: tags[0]?.code ?? '' } })).toMatchObject({
      supportEmail: 'help@suds.example',
      supportPhone: '+12025550123',
    });
    await testServer.api().forgotPassword({ body: { email: people.bud.user.email } });
    testServer.advanceClock(MINUTE_MS);
    await testServer.api().sendOtpForEmail({ body: { email: people.bud.user.email } });
    const reset = await testServer.waitForMail(people.bud.user.email, 'Set a new Suds & Sons password');
    expect(reset.text).toContain(
      'Email us at help@suds.example.\nSuds & Sons\nSuds & Sons Laundry LLC\n1 Quay Street\nRiverside\nTax number 12-3456789',
    );
    expect(reset.html).toContain('background:#7a1f5c');
    await testServer.waitForMail(people.bud.user.email, 'You already have a Suds & Sons account');
    await testServer.waitForMail(people.bud.user.email, 'Your order is accepted');
    const link = await testServer.server.inviteOperator({ email: 'next@suds.example', caps: ['see'] });
    const { address } = await operatorClient(testServer).readInvitation({ body: { token: tokenOf(link) } });
    expect(new URL(address).searchParams.get('issuer')).toBe('Suds & Sons');
    // The operators read how the town was called before.
    const owners = [SUDS.supportEmail, 'support@rubadub.test'];
    const sent = (await inbox()).filter(({ to, text }) => !owners.includes(to) && text.includes('Suds & Sons'));
    expect(sent.length).toBeGreaterThan(5);
    for (const { subject, text, html } of sent)
      expect(`${subject} ${text} ${html}`, subject).not.toContain(PRODUCT_NAME);
    const config = { publicUrl: '', supportEmail: '', mailFrom: 'Rubadub <no-reply@rubadub.test>' };
    expect((await readPublicTown({ db: testServer.server.db, now: testServer.now, config })).sender).toEqual({
      ...{ name: 'Suds & Sons', address: 'no-reply@rubadub.test' },
    });
  });

  test('has a logo that is written again, on the next page, and that the audit does not keep', async () => {
    const photo = createPng(40, 30).toString('base64');
    await ada.api.setLogo({ body: { photo, reason: REASON } });
    expect((await ada.api.readIdentity()).hasLogo).toBe(true);
    const icon = await waitFor(async () => {
      const answer = await fetch(testServer.apiUrl.replace(/api$/, 'icons/icon-192.png'));
      expect(answer.headers.get('content-type')).toBe('image/jpeg');
      return answer;
    });
    expect(
      Buffer.from(await icon.arrayBuffer())
        .subarray(0, 2)
        .toString('hex'),
    ).toBe('ffd8');
    const [row] = (await ada.api.listAudit({ query: { q: 'setLogo' } })).items;
    expect(row?.details).toEqual({ photo: expect.stringMatching(/^\d+ bytes$/) });
    for (const wrong of [Buffer.from('<svg onload="x"/>').toString('base64'), photo.slice(0, 40)])
      expect((await expectFailure(ada.api.setLogo({ body: { photo: wrong, reason: REASON } }))).status).toBe(400);
    await ada.api.setLogo({ body: { photo: null, reason: REASON } });
    expect((await ada.api.readIdentity()).hasLogo).toBe(false);
  });

  test.skipIf(kind === 'embedded')('has its new name on another server without a restart', async () => {
    const second = await openTestServer(kind, { beside: testServer, webDir: folder });
    await expectPage('Suds', second);
    await set({ name: 'Foam' });
    await expectPage('<title>Foam</title>', second);
    expect((await second.api().readConfig()).town.name).toBe('Foam');
    await second.close();
  });

  test('changes with a second operator where there are two', async () => {
    const grace = await createOperator(testServer);
    const { approvalId } = await set({ name: 'Bubbles' });
    expect(await page()).not.toContain('Bubbles');
    await grace.api.approve({ params: { id: approvalId ?? '' }, body: { reason: REASON } });
    await expectPage('<title>Bubbles</title>');
    const seer = await createOperator(testServer, { caps: ['see'] });
    expect((await expectFailure(set({ name: 'Mine' }, seer))).status).toBe(403);
  });
});
