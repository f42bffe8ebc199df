import { describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';

const SQUARE = { SQUARE_ACCESS_TOKEN: 'EAAA', SQUARE_APPLICATION_ID: 'sq0idp-1', SQUARE_LOCATION_ID: 'L1' };

describe('the demo', () => {
  it.each([
    ['live with the embedded database', {}, true, true],
    ['off with a database server', { DATABASE_URL: 'postgres://localhost/rubadub' }, false, false],
    [
      'on with a database server when asked for',
      { DATABASE_URL: 'postgres://localhost/rubadub', DEMO: 'on' },
      true,
      false,
    ],
    ['still when asked for', { DEMO: 'on' }, true, false],
    ['live when asked for', { DEMO: 'live' }, true, true],
    ['off when asked for', { DEMO: 'off' }, false, false],
    ['off when real cards would be charged', SQUARE, false, false],
    ['off when real mail would be sent', { SMTP_URL: 'smtp://mail.example.org' }, false, false],
  ])('is %s', (_, env, demo, isDemoLive) => {
    expect(readConfig(env)).toMatchObject({ demo, isDemoLive });
  });

  it('cannot be turned on with real cards or real mail', () => {
    expect(() => readConfig({ ...SQUARE, DEMO: 'on' })).toThrow(/^DEMO is on, but SQUARE_ACCESS_TOKEN is set/);
    expect(() => readConfig({ SMTP_URL: 'smtp://mail.example.org', DEMO: 'on' })).toThrow(
      /^DEMO is on, but SMTP_URL is set/,
    );
    expect(() => readConfig({ ...SQUARE, DEMO: 'live' })).toThrow(/^DEMO is live, but SQUARE_ACCESS_TOKEN is set/);
  });

  it('lives with the embedded database only', () => {
    const database = { DATABASE_URL: 'postgres://localhost/rubadub' };
    expect(() => readConfig({ ...database, DEMO: 'live' })).toThrow(/^DEMO is live, but DATABASE_URL is set/);
  });
});
