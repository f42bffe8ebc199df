import { expect, test } from 'vitest';
import { outcomeOf } from '../../testing/checkedClient.ts';
import { createOperator, operatorClient } from '../../testing/operators.ts';
import { addPasskeyOf } from '../../testing/passkeys.ts';
import { openTestServer, type TestServer } from '../../testing/testServer.ts';
import { passkeySiteOf } from './passkeys.ts';

test('after a move to another address, the passkeys of before are listed, and not asked for', async () => {
  const before = await openTestServer('postgres');
  const env = { SANDBOX: 'on', PUBLIC_URL: 'https://wash.example.org' };
  const after = await openTestServer('postgres', { beside: before, env });
  const plain = await openTestServer('postgres', { beside: before, env: { ...env, PUBLIC_URL: 'http://wash.test' } });
  const ada = await createOperator(before);
  await addPasskeyOf(ada);
  const there = { ...ada, api: operatorClient(after, ada.token) };
  expect(await there.api.listPasskeys()).toMatchObject({ items: [{ site: 'localhost' }], origin: env.PUBLIC_URL });
  expect(await outcomeOf(there.api.beginPasskeyEntry({ body: {} }))).toBe('noPasskey');
  const passkey = await addPasskeyOf(there, 'At the new address');
  const used = passkey.use(await there.api.beginPasskeyEntry({ body: {} }));
  await there.api.enterPasskey({ body: { passkey: used } });
  const without = operatorClient(plain, ada.token);
  expect((await without.listPasskeys()).origin).toBeNull();
  expect(await outcomeOf(without.beginPasskey({ body: {} }))).toBe('passkeysUnavailable');
  for (const testServer of [plain, after, before]) await testServer.close();
});

test('of two servers, one asks and the other one accepts the answer once', async () => {
  const first = await openTestServer('postgres');
  const second = await openTestServer('postgres', { beside: first });
  const ada = await createOperator(first);
  const passkey = await addPasskeyOf(ada, 'Does not count', { counts: false });
  const request = await ada.api.beginPasskeyEntry({ body: {} });
  const enter = (testServer: TestServer) =>
    operatorClient(testServer, ada.token).enterPasskey({ body: { passkey: passkey.use(request) } });
  const results = await Promise.allSettled([second, first, second, first].map(enter));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const next = passkey.use(await ada.api.beginPasskeyEntry({ body: {} }));
  await operatorClient(second, ada.token).enterPasskey({ body: { passkey: next } });
  await second.close();
  await first.close();
});

test.each([
  ['https://wash.example.org', { id: 'wash.example.org', origin: 'https://wash.example.org' }],
  ['https://wash.example.org:8443', { id: 'wash.example.org', origin: 'https://wash.example.org:8443' }],
  ['http://127.0.0.1:3000', { id: 'localhost', origin: 'http://localhost:3000' }],
  ['http://[::1]:3000', { id: 'localhost', origin: 'http://localhost:3000' }],
  ['http://localhost', { id: 'localhost', origin: 'http://localhost' }],
  ['http://wash.example.org', undefined],
  ['https://192.0.2.7', undefined],
  ['https://[2001:db8::1]', undefined],
])('a console at %s has its passkeys at the name that browsers allow', (publicUrl, site) => {
  expect(passkeySiteOf({ publicUrl })).toEqual(site);
});
