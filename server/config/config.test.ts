import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fillStandIns, isLocalOnly, isLoopback, reachableHost, readConfig, toUrlHost } from './config.ts';
import { ConfigError } from './environment.ts';

const ALL = { square: true, places: true, map: true, mail: true };
const NONE = { square: false, places: false, map: false, mail: false };
const SQUARE = { SQUARE_ACCESS_TOKEN: 'EAAA', SQUARE_APPLICATION_ID: 'sq0idp-1', SQUARE_LOCATION_ID: 'L1' };
const REAL = {
  ...SQUARE,
  MAPBOX_TOKEN: 'pk.1',
  MAP_STYLE_URL: 'https://tiles.example.org/style.json',
  SMTP_URL: 'smtps://user:secret@mail.example.org',
};

function configErrorOf(env: Record<string, string>): string {
  try {
    readConfig(env);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    const { message } = error as ConfigError;
    expect(message).not.toContain('\n');
    return message;
  }
  return 'accepted';
}

describe('with nothing configured', () => {
  const config = readConfig({});

  it('the server listens locally, uses the embedded database, and replaces every third party with a stand-in', () => {
    expect(config).toEqual({
      port: 3000,
      drainS: 0,
      host: '127.0.0.1',
      workers: 1,
      publicUrl: 'http://127.0.0.1:3000',
      dataDir: resolve('data'),
      demo: true,
      isDemoLive: true,
      mailFrom: 'Rubadub <no-reply@rubadub.test>',
      supportEmail: 'support@rubadub.test',
      sandbox: ALL,
      reachable: ALL,
      variables: [],
      trustProxy: false,
      rateLimitScale: 1,
      sandboxSmtpPort: 0,
    });
  });

  it('an empty variable counts as unset', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: ' ', SMTP_URL: '', DEMO: '' })).toEqual(config);
  });

  it('stand-ins are reached by browsers over the public address, and by the server over its own', () => {
    const filled = fillStandIns(config, {
      publicUrl: 'https://wash.example.org',
      ownUrl: 'http://127.0.0.1:3000',
      smtpUrl: 'smtp://127.0.0.1:4025',
    });
    expect(filled).toMatchObject({
      publicUrl: 'https://wash.example.org',
      square: {
        baseUrl: 'http://127.0.0.1:3000/sandbox/square',
        webSdkUrl: 'https://wash.example.org/sandbox/square/web-sdk/square.js',
      },
      mapbox: { baseUrl: 'https://wash.example.org/sandbox/places' },
      mapStyleUrl: 'https://wash.example.org/sandbox/map/style.json',
      smtpUrl: 'smtp://127.0.0.1:4025',
    });
  });
});

describe('the real third parties', () => {
  it('replace every stand-in when all are configured', () => {
    const config = readConfig({ ...REAL, HOST: '0.0.0.0', PUBLIC_URL: 'https://wash.example.org/' });
    expect(config).toMatchObject({
      publicUrl: 'https://wash.example.org',
      sandbox: NONE,
      reachable: NONE,
      demo: false,
      mailFrom: 'Rubadub <no-reply@wash.example.org>',
      supportEmail: 'support@wash.example.org',
      mapbox: { token: 'pk.1', baseUrl: 'https://api.mapbox.com' },
    });
    expect(fillStandIns(config, { publicUrl: config.publicUrl, ownUrl: 'http://127.0.0.1:3000' })).toEqual(config);
  });

  it.each([
    ['sq0idp-1', 'https://connect.squareup.com', 'https://web.squarecdn.com/v1/square.js'],
    ['sandbox-sq0idb-1', 'https://connect.squareupsandbox.com', 'https://sandbox.web.squarecdn.com/v1/square.js'],
  ])('the application id %s decides between Square’s sandbox and its live system', (id, baseUrl, webSdkUrl) => {
    expect(readConfig({ ...SQUARE, SQUARE_APPLICATION_ID: id }).square).toMatchObject({ baseUrl, webSdkUrl });
  });

  it('Square can be at another address, with its own script and webhook key', () => {
    const env = {
      ...SQUARE,
      SQUARE_BASE_URL: 'http://a/',
      SQUARE_WEB_SDK_URL: 'http://b/s.js',
      SQUARE_WEBHOOK_KEY: 'k',
    };
    expect(readConfig(env).square).toEqual({
      accessToken: 'EAAA',
      applicationId: 'sq0idp-1',
      locationId: 'L1',
      baseUrl: 'http://a',
      webSdkUrl: 'http://b/s.js',
      webhookKey: 'k',
    });
  });

  it.each(Object.keys(SQUARE))('Square without %s is refused', (name) => {
    expect(configErrorOf({ ...SQUARE, [name]: '' })).toMatch(new RegExp(`^${name} is missing`));
  });

  it('Square with only an address, a script or a webhook key is refused', () => {
    expect(configErrorOf({ SQUARE_BASE_URL: 'https://connect.squareup.com' })).toMatch(
      /^SQUARE_ACCESS_TOKEN is missing/,
    );
    expect(configErrorOf({ SQUARE_WEB_SDK_URL: 'https://x/s.js' })).toMatch(/^SQUARE_ACCESS_TOKEN is missing/);
    expect(configErrorOf({ SQUARE_WEBHOOK_KEY: 'k' })).toMatch(/^SQUARE_ACCESS_TOKEN is missing/);
  });

  it('routes come from the stand-in for the made-up map, from ROUTING_URL, or from nobody for a real map', () => {
    const at = { publicUrl: 'http://a', ownUrl: 'http://b' };
    const routers = [{}, REAL, { ...REAL, ROUTING_URL: 'http://r/' }].map((env) => fillStandIns(readConfig(env), at));
    expect(routers.map(({ routingUrl }) => routingUrl).join()).toBe('http://b/sandbox/routing,,http://r');
  });

  it('stand-ins on another machine need no keys, and this server does not serve them', () => {
    const config = readConfig({
      SQUARE_BASE_URL: 'http://10.0.0.9:4000/sandbox/square',
      MAPBOX_BASE_URL: 'http://10.0.0.9:4000/sandbox/places/',
    });
    expect(config.square).toMatchObject({ webSdkUrl: 'http://10.0.0.9:4000/sandbox/square/web-sdk/square.js' });
    expect(config.mapbox).toEqual({ token: 'sandbox', baseUrl: 'http://10.0.0.9:4000/sandbox/places' });
    expect(config.sandbox).toEqual(ALL);
    expect(config.reachable).toEqual({ square: false, places: false, map: true, mail: true });
  });

  it('a Mapbox address without a token is refused', () => {
    expect(configErrorOf({ MAPBOX_BASE_URL: 'https://api.mapbox.com' })).toMatch(/^MAPBOX_TOKEN is missing/);
  });

  it('the push stand-in is used together with the mail stand-in, or when PUSH_STAND_IN_URL names one', () => {
    const at = { publicUrl: 'https://wash.example.org', ownUrl: 'http://127.0.0.1:3000' };
    expect(fillStandIns(readConfig(REAL), at).pushStandIn).toBeUndefined();
    expect(fillStandIns(readConfig({}), at).pushStandIn).toBe('https://wash.example.org/sandbox/push');
    const named = 'http://10.0.0.9:4000/sandbox/push';
    expect(fillStandIns(readConfig({ ...REAL, PUSH_STAND_IN_URL: named }), at).pushStandIn).toBe(named);
    const shared = { ...REAL, SQUARE_BASE_URL: 'http://10.0.0.9:4000/sandbox/square' };
    expect(fillStandIns(readConfig(shared), at).pushStandIn).toBe(named);
    expect(configErrorOf({ PUSH_STAND_IN_URL: 'http://10.0.0.9:4000/' })).toMatch(/^PUSH_STAND_IN_URL must end in/);
    expect(configErrorOf({ PUSH_STAND_IN_URL: 'here' })).toMatch(/^PUSH_STAND_IN_URL must be a URL/);
  });

  it('SANDBOX=on serves every stand-in, even when the real third parties are configured', () => {
    expect(readConfig({ ...REAL, SANDBOX: 'on' })).toMatchObject({ sandbox: NONE, reachable: ALL });
    expect(readConfig({ ...REAL, SANDBOX: 'off' })).toMatchObject({ sandbox: NONE, reachable: NONE });
  });
});

describe('stand-ins on a public address', () => {
  it.each([
    ['HOST', { HOST: '0.0.0.0' }],
    ['HOST', { HOST: '::' }],
    ['HOST', { HOST: '192.168.1.5', PUBLIC_URL: 'http://localhost:3000' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'https://wash.example.org' }],
  ])('make readConfig fail and name %s, with %o', (variable, env) => {
    const message = configErrorOf(env);
    expect(message).toMatch(new RegExp(`^${variable} is not loopback`));
    for (const name of [...Object.keys(REAL), 'SANDBOX=on']) expect(message).toContain(name);
  });

  it('make readConfig fail even if only one is left, and it names only that one', () => {
    expect(configErrorOf({ ...REAL, SMTP_URL: '', HOST: '0.0.0.0' })).toContain('set SMTP_URL, or SANDBOX=on');
  });

  it('are allowed with SANDBOX=on', () => {
    expect(readConfig({ HOST: '0.0.0.0', SANDBOX: 'on' })).toMatchObject({
      sandbox: ALL,
      publicUrl: 'http://127.0.0.1:3000',
    });
  });

  it.each(['localhost', '127.0.0.1', '127.9.9.9', '::1', '[::1]', 'rubadub.localhost'])('%s is loopback', (host) => {
    expect(isLoopback(host)).toBe(true);
  });

  it.each(['0.0.0.0', '::', '10.0.0.1', '127.0.0.1.example.org', 'example.org'])('%s is not loopback', (host) => {
    expect(isLoopback(host)).toBe(false);
  });

  it('a wildcard address is reached over loopback', () => {
    expect(['0.0.0.0', '::', '::1', 'localhost'].map(reachableHost).map(toUrlHost)).toEqual([
      '127.0.0.1',
      '[::1]',
      '[::1]',
      'localhost',
    ]);
  });
});

describe('a server', () => {
  it.each([
    [{}, true],
    [{ HOST: '::1', PUBLIC_URL: 'http://localhost:8080' }, true],
    [{ PUBLIC_URL: 'https://laundry.example' }, false],
    [{ HOST: '0.0.0.0' }, false],
    [{ HOST: '0.0.0.0', PUBLIC_URL: 'http://127.0.0.1' }, false],
  ])('with %j is for this machine only: %s', (env, isLocal) => {
    expect(isLocalOnly(readConfig({ ...env, SANDBOX: 'on' }))).toBe(isLocal);
  });
});

describe('a variable', () => {
  it.each([
    ['PORT', '0', { port: 0 }],
    ['PORT', '65535', { port: 65_535 }],
    ['HOST', 'localhost', { host: 'localhost', publicUrl: 'http://localhost:3000' }],
    ['HOST', '::1', { host: '::1', publicUrl: 'http://[::1]:3000' }],
    ['PUBLIC_URL', 'http://LOCALHOST:8080/', { publicUrl: 'http://localhost:8080' }],
    ['DATABASE_URL', 'postgresql://u:p@db/x', { databaseUrl: 'postgresql://u:p@db/x' }],
    ['DATA_DIR', '/var/lib/rubadub', { dataDir: '/var/lib/rubadub' }],
    ['DATA_DIR', 'here', { dataDir: resolve('here') }],
    ['MAIL_FROM', 'Wash <hi@wash.org>', { mailFrom: 'Wash <hi@wash.org>' }],
    ['MAIL_FROM', 'hi@wash.org', { mailFrom: 'hi@wash.org' }],
    ['SUPPORT_EMAIL', 'help@wash.org', { supportEmail: 'help@wash.org' }],
    ['TRUST_PROXY', 'on', { trustProxy: true }],
    ['TRUST_PROXY', 'off', { trustProxy: false }],
    ['TRUST_PROXY', '2', { trustProxy: 2 }],
    ['TRUST_PROXY', 'loopback, 10.0.0.0/8,fd00::/8', { trustProxy: ['loopback', '10.0.0.0/8', 'fd00::/8'] }],
    ['RATE_LIMIT_SCALE', '0.5', { rateLimitScale: 0.5 }],
    ['ALLOWED_HOSTS', 'wash.example.org, 10.1.2.3', { allowedHosts: ['wash.example.org', '10.1.2.3'] }],
    ['SANDBOX_SMTP_PORT', '2525', { sandboxSmtpPort: 2525 }],
  ])('%s accepts %s', (name, value, expected) => {
    expect(readConfig({ [name]: value })).toMatchObject(expected);
  });

  it.each([
    ['PORT', 'http'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '3e3'],
    ['HOST', 'localhost:3000'],
    ['HOST', 'http://localhost'],
    ['PUBLIC_URL', 'localhost:3000'],
    ['PUBLIC_URL', 'ftp://localhost'],
    ['PUBLIC_URL', 'http://localhost/app'],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['DATABASE_URL', 'rubadub'],
    ['DATABASE_URL', 'postgres:rubadub@db/x'],
    ['DATABASE_DIRECT_URL', 'db:5432'],
    ['DEMO', 'yes'],
    ['SANDBOX', '1'],
    ['SQUARE_BASE_URL', 'squareup'],
    ['SQUARE_WEB_SDK_URL', '/square.js'],
    ['MAPBOX_BASE_URL', 'mapbox'],
    ['MAP_STYLE_URL', 'mapbox://styles/x'],
    ['SMTP_URL', 'mail.example.org:25'],
    ['SMTP_URL', 'https://mail.example.org'],
    ['MAIL_FROM', 'Rubadub'],
    ['MAIL_FROM', 'a@b.org\r\nBcc: <c@d.org>'],
    ['SUPPORT_EMAIL', 'support'],
    ['TRUST_PROXY', 'yes'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['ALLOWED_HOSTS', 'wash.example.org:443'],
    ['ALLOWED_HOSTS', 'https://wash.example.org'],
    ['RATE_LIMIT_SCALE', '0'],
    ['RATE_LIMIT_SCALE', '-1'],
    ['RATE_LIMIT_SCALE', 'Infinity'],
    ['SANDBOX_SMTP_PORT', '99999'],
    ['WORKERS', '0'],
    ['WORKERS', 'two'],
    ['WORKERS', '2'],
  ])('%s refuses %s with a message that names it', (name, value) => {
    expect(configErrorOf({ [name]: value })).toMatch(new RegExp(`^${name} `));
  });

  it('WORKERS above 1 needs PostgreSQL, and real services or stand-ins of another process', () => {
    const shared = {
      DATABASE_URL: 'postgres://u:p@db/x',
      SMTP_URL: 'smtp://mail',
      SQUARE_BASE_URL: 'http://other/sandbox/square',
    };
    expect(readConfig({ ...shared, WORKERS: '2' })).toMatchObject({ workers: 2 });
    for (const name of Object.keys(shared))
      expect(configErrorOf({ ...shared, [name]: '', WORKERS: '2' }), name).toMatch(/^WORKERS is 2, but /);
    expect(configErrorOf({ ...shared, SANDBOX: 'on', WORKERS: '2' })).toMatch(/^WORKERS is 2, but /);
  });

  it('a message does not repeat the password of an invalid URL', () => {
    expect(configErrorOf({ DATABASE_URL: 'mysql://root:hunter2@db/x' })).not.toContain('hunter2');
    expect(configErrorOf({ SMTP_URL: 'http://root:hunter2@mail' })).not.toContain('hunter2');
  });
});
