import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { listOpenAccounts } from './openAccounts.ts';
import { DEMO_PASSWORD } from './people.ts';
import { writeSeed } from './seedState.ts';

let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'rubadub-demo-'));
});

afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

it('offers one demo person of each role once the demo is complete', () => {
  expect(listOpenAccounts(dataDir)).toEqual([]);
  writeSeed(dataDir, { state: 'begun', password: DEMO_PASSWORD });
  expect(listOpenAccounts(dataDir)).toEqual([]);
  writeSeed(dataDir, { state: 'done', password: DEMO_PASSWORD });
  expect(listOpenAccounts(dataDir)).toEqual([
    { role: 'Bud', email: 'bud@rubadub.test', password: DEMO_PASSWORD },
    { role: 'Scrub', email: 'scrub@rubadub.test', password: DEMO_PASSWORD },
    { role: 'Duber', email: 'duber@rubadub.test', password: DEMO_PASSWORD },
  ]);
});

it('never tells a password that was made for a server that others could reach', () => {
  writeSeed(dataDir, { state: 'done', password: 'Demo-1secret' });
  expect(listOpenAccounts(dataDir)).toEqual([]);
});
