import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPushKeys } from '../../sandbox/push/decrypt.ts';
import { mayPushTo, openPushSender } from './push.ts';
import { type DnsLookup, isPublicAddress, PrivateNetworkError } from './pushEndpoints.ts';

const STAND_IN = 'http://127.0.0.1:3000/sandbox/push';

test.each([
  'https://localhost/x',
  'https://localhost./x',
  'https://push.localhost/x',
  'https://127.0.0.1/x',
  'https://127.1/x',
  'https://2130706433/x',
  'https://0x7f.0.0.1/x',
  'https://0.0.0.0/x',
  'https://10.1.2.3/x',
  'https://100.64.0.1/x',
  'https://172.31.255.255/x',
  'https://192.168.1.1/x',
  'https://169.254.169.254/latest/meta-data',
  'https://224.0.0.1/x',
  'https://255.255.255.255/x',
  'https://[::1]/x',
  'https://[::]/x',
  'https://[::ffff:127.0.0.1]/x',
  'https://[::ffff:10.0.0.1]/x',
  'https://[64:ff9b::7f00:1]/x',
  'https://[2002:7f00:1::]/x',
  'https://[fe80::1]/x',
  'https://[fd00::1]/x',
  'https://[ff02::1]/x',
  'https://printer/x',
  'https://db.internal/x',
  'https://nas.local/x',
  'https://user:password@push.example.org/x',
  'http://push.example.org/x',
  'ftp://push.example.org/x',
  'javascript:alert(1)',
  'not an address',
  'http://127.0.0.1:3000/sandbox/square',
  'http://127.0.0.1:3000/sandbox/pushes/x',
  'http://127.0.0.1:3000/sandbox/push/../../api/health/live',
  'http://127.0.0.1:3001/sandbox/push/x',
])('a push must not be sent to %s', (endpoint) => {
  expect(mayPushTo(endpoint, STAND_IN)).toBe(false);
});

test.each([
  'https://fcm.googleapis.com/fcm/send/abc:def',
  'https://updates.push.services.mozilla.com/wpush/v2/gAAA',
  'https://web.push.apple.com/QGuQ',
  'https://8.8.8.8/x',
  'https://[2606:4700::1111]:8443/x',
])('a push may be sent to %s', (endpoint) => {
  expect(mayPushTo(endpoint, undefined)).toBe(true);
});

test('a push may be sent to the sandbox only when one is configured', () => {
  expect(mayPushTo(`${STAND_IN}/phone-1`, STAND_IN)).toBe(true);
  expect(mayPushTo(`${STAND_IN}/phone-1`, undefined)).toBe(false);
});

test('text that is not an IPv4 or global IPv6 address is not public', () => {
  for (const address of ['', 'localhost', '999.1.1.1', '::ffff:8.8.8.8']) expect(isPublicAddress(address)).toBe(false);
});

describe('an endpoint whose host resolves to a private address', () => {
  const listener = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  let connections = 0;
  let port = 0;
  beforeAll(async () => {
    listener.listen(0, '127.0.0.1');
    await once(listener, 'listening');
    port = (listener.address() as { port: number }).port;
  });
  afterAll(async () => {
    listener.close();
    await once(listener, 'close');
  });

  const sendTo = async (lookup: DnsLookup) => {
    const { p256dh, privateKey, auth } = createPushKeys();
    const sender = openPushSender({ keys: { publicKey: p256dh, privateKey }, supportEmail: 'a@b.example', lookup });
    const target = { endpoint: `https://push.example.org:${port}/x`, p256dh, auth };
    const push = { title: 'x', body: 'y', url: '/', tag: 'z' };
    const failed = sender.send(target, push, { ttlS: 60, urgency: 'low' }).catch((error: unknown) => error);
    return failed.finally(() => sender.close());
  };

  test('is never connected to, even if only one of its addresses is private', async () => {
    const loopback = { address: '127.0.0.1', family: 4 };
    const lookedUp: string[] = [];
    for (const addresses of [
      [loopback],
      [{ address: '8.8.8.8', family: 4 }, loopback],
      [{ address: '::1', family: 6 }],
    ]) {
      const failed = await sendTo((hostname, _options, callback) => {
        lookedUp.push(hostname);
        callback(null, addresses);
      });
      expect(failed).toBeInstanceOf(PrivateNetworkError);
    }
    expect(lookedUp).toEqual(['push.example.org', 'push.example.org', 'push.example.org']);
    expect(connections).toBe(0);
  });
});
