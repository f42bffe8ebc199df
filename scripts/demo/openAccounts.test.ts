import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { describeOpenOperator, describePeople, listOpenAccounts } from './openAccounts.ts';
import { DEMO_PASSWORD, DEMO_PEOPLE } from './people.ts';
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
  expect(describeOpenOperator(dataDir)).toEqual({ email: 'operator@rubadub.test', password: DEMO_PASSWORD });
});

it('never tells a password that was made for a server that others could reach', () => {
  writeSeed(dataDir, { state: 'done', password: 'Demo-1secret' });
  expect(listOpenAccounts(dataDir)).toEqual([]);
  expect(describeOpenOperator(dataDir)).toBeUndefined();
});

it('names the demo people to the server only once the demo is complete, whatever their password is', () => {
  writeSeed(dataDir, { state: 'begun', password: 'Demo-1secret' });
  expect(describePeople(dataDir)).toBeUndefined();
  const doneAt = '2026-11-20T08:00:00.000Z';
  writeSeed(dataDir, { state: 'done', password: 'Demo-1secret', doneAt });
  expect(describePeople(dataDir)).toMatchObject({ doneAt });
  expect(describePeople(dataDir)?.names.size).toBe(DEMO_PEOPLE.length);
  // Without its time nobody knows which reviews are the demo's own.
  writeSeed(dataDir, { state: 'done', password: 'Demo-1secret' });
  expect(describePeople(dataDir)).toBeUndefined();
});
