import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { readBackupFile } from '../server/db/backup/file.ts';
import { openServerDatabase, queryRow } from '../server/db/database.ts';
import { withChecksum, withRow } from '../testing/backupFiles.ts';
import { BASE_ENV, NODE_FLAGS, runCommand } from '../testing/childProcesses.ts';
import { createTestDatabase } from '../testing/testServer.ts';
import { convertBackup } from './convertBackup.ts';

const BACKUPS = join(import.meta.dirname, '..', 'testing', 'backups');
/** Made by the last build that had migrations: two orders, one of them delivered and reviewed, one cancelled. */
const OF_MIGRATIONS = join(BACKUPS, 'ofMigrations.backup.gz');
/** The same people and orders, in builds with schema 1 to 7. */
const OF_SCHEMA_1 = join(BACKUPS, 'ofSchema1.backup.gz');
const OF_SCHEMA_2 = join(BACKUPS, 'ofSchema2.backup.gz');
const OF_SCHEMA_3 = join(BACKUPS, 'ofSchema3.backup.gz');
const OF_SCHEMA_4 = join(BACKUPS, 'ofSchema4.backup.gz');
const OF_SCHEMA_5 = join(BACKUPS, 'ofSchema5.backup.gz');
const OF_SCHEMA_6 = join(BACKUPS, 'ofSchema6.backup.gz');
const OF_SCHEMA_7 = join(BACKUPS, 'ofSchema7.backup.gz');
const SCRIPT = join(import.meta.dirname, 'convertBackup.ts');

const folder = mkdtempSync(join(tmpdir(), 'rubadub-convert-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the script, and returns what it prints. */
function convert(from: string, to: string): string {
  try {
    return execFileSync(process.execPath, [...NODE_FLAGS, SCRIPT, from, join(folder, to)], {
      ...{ env: BASE_ENV, encoding: 'utf8', stdio: 'pipe' },
    });
  } catch (error) {
    return (error as { readonly stderr: string }).stderr;
  }
}

function change(name: string, edit: (whole: string) => string, earlier = OF_MIGRATIONS): string {
  const path = join(folder, name);
  writeFileSync(path, gzipSync(edit(gunzipSync(readFileSync(earlier)).toString())));
  return path;
}

/** The lines of a converted backup that contain a text. */
async function linesOf(backup: string, text: string): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of convertBackup(() => readBackupFile(backup))) if (line.includes(text)) lines.push(line);
  return lines;
}

const LINES = [
  'delivery 599 delivery-duber',
  'load 1250 scrub',
  'pickup 599 pickup-duber',
  'platform-fee 125 platform',
  'taxes 110 state',
];

describe.each([
  ['that had migrations', OF_MIGRATIONS],
  ['with schema 1', OF_SCHEMA_1],
  ['with schema 2', OF_SCHEMA_2],
  ['with schema 3', OF_SCHEMA_3],
  ['with schema 4', OF_SCHEMA_4],
  ['with schema 5', OF_SCHEMA_5],
  ['with schema 6', OF_SCHEMA_6],
  ['with schema 7', OF_SCHEMA_7],
])('the backup of a build %s', (_, earlier) => {
  test('is refused by a restore, which names the command that converts the backup', async () => {
    const env = { DATABASE_URL: await createTestDatabase(), DATA_DIR: join(folder, 'none') };
    const { code, output } = await runCommand('restore', [earlier], env);
    expect([code, output]).toEqual([1, expect.stringContaining('convert it first (npm run convert-backup)')]);
  });

  test('is restored once it is converted, with every order, line of a price, hand-over, review and cent', async () => {
    rmSync(join(folder, 'new.gz'), { force: true });
    expect(convert(earlier, 'new.gz')).toContain('is written');
    const env = { DATABASE_URL: await createTestDatabase(), DATA_DIR: join(folder, 'none') };
    const restored = await runCommand('restore', [join(folder, 'new.gz')], env);
    expect([restored.code, restored.output]).toEqual([0, expect.stringContaining('are restored')]);
    const checked = await runCommand('ledgerCheck', [], env);
    expect([checked.code, checked.output]).toEqual([0, expect.stringContaining('The ledger is right')]);
    const { db, close } = openServerDatabase(env.DATABASE_URL, 1);
    try {
      const found = await queryRow(
        db,
        sql`select (select array_agg(status order by number) from orders) as orders,
          (select count(*)::int from steps where of_order is not null) as steps,
          (select count(*)::int from steps where of_delivery is not null) as "deliverySteps",
          (select count(*)::int from earnings) as earnings,
          (select count(*)::int from handovers) as handovers,
          (select array_agg(o.holder_role || case when o.held_since is null then '' else ' again' end order by number)
            from orders o) as holders, (select count(*)::int from reviews) as reviews,
          (select array_agg(item || ' ' || cents || ' ' || earner order by l.order_id, item) from order_lines l) as lines,
          (select is_first_pass from admission_sweeps) as "isFirstPass"`,
      );
      expect(found).toEqual({
        ...{
          orders: ['Completed', 'Cancelled'],
          steps: 6,
          deliverySteps: 12,
          earnings: 2,
          handovers: 4,
          holders: ['Bud again', 'Bud'],
          reviews: 1,
          lines: [...LINES, ...LINES],
          isFirstPass: false,
        },
      });
    } finally {
      await close();
    }
  });
});

describe('the backup of an earlier build', () => {
  test('keeps an order whose card was being held, with the lines of its price', async () => {
    const price = { loadPrice: 1250, delivery: 0, pickup: 599, platformFee: 125, taxes: 110, totalPrice: 2084 };
    const draft = JSON.stringify({ id: 'an order', price, taxRate: 800 }).replaceAll('"', '\\"');
    const held = change('held.gz', (whole) => withChecksum(whole.replace('"draft":null', () => `"draft":"${draft}"`)));
    const lines = await linesOf(held, 'an order');
    expect(lines).toHaveLength(1);
    expect(JSON.parse((JSON.parse(lines[0] ?? '') as { draft: string }).draft)).toEqual({
      ...{ id: 'an order', taxRate: 800 },
      lines: [
        { item: 'load', cents: 1250, earner: 'scrub', isTaxed: true },
        { item: 'pickup', cents: 599, earner: 'pickup-duber', isTaxed: false },
        { item: 'platform-fee', cents: 125, earner: 'platform', isTaxed: true },
        { item: 'taxes', cents: 110, earner: 'state', isTaxed: false },
      ],
    });
  });

  test('keeps who had the laundry of a delivery that was called off', async () => {
    const relayed = (whole: string) =>
      whole.replaceAll('"way-to-drop"', '"relay"').replaceAll('"Delivered"', '"Called_Off"');
    const [delivery = ''] = await linesOf(
      change('relayed.gz', (whole) => withChecksum(relayed(whole))),
      '"delivery_type"',
    );
    const { duber_id, carrier_id, lost_at } = JSON.parse(delivery);
    expect([carrier_id, lost_at]).toEqual([duber_id, null]);
  });

  test('keeps since when laundry is lost', async () => {
    const lost = change('lost.gz', (whole) => withChecksum(whole.replaceAll('"delivered"', '"report-lost"')));
    const [deliveries, steps] = await Promise.all([
      linesOf(lost, '"delivery_type"'),
      linesOf(lost, '"action":"report-lost"'),
    ]);
    const since = (lines: readonly string[], time: string) => lines.map((line) => JSON.parse(line)[time]);
    expect(since(deliveries, 'lost_at')).toEqual(since(steps, 'at'));
    expect(steps).toHaveLength(2);
  });

  test('keeps what was offered in a case, by whom and where', async () => {
    const event = {
      id: 'an event',
      case_id: 'a case',
      position: '1',
      action: 'answer',
      status: 'with-bud',
      at: 'noon',
    };
    const by = { by_id: null, by_role: 'Operator', set_by: 'Olga', words: 'Sorry.' };
    const what = { offer: 'give-back', cents: '300', file_ids: '{a photo}', latitude: '24.8', longitude: '67' };
    const backup = change(
      'case.gz',
      (whole) => withChecksum(withRow(whole, 'case_events', { ...event, ...by, ...what })),
      OF_SCHEMA_3,
    );
    const [step = ''] = await linesOf(backup, 'an event');
    expect(JSON.parse(step)).toEqual({
      ...{ subject_kind: 'case', subject_id: 'a case', position: '1', id: 'an event', action: 'answer' },
      ...{
        status: 'with-bud',
        at: 'noon',
        actor_role: 'Operator',
        actor_id: null,
        actor_name: 'Olga',
        words: 'Sorry.',
      },
      ...what,
    });
  });

  test('keeps which earning a payout waits for', async () => {
    const hold = { order_id: 'an order', cents: '599', pay_entry: '7' };
    const backup = change('hold.gz', (whole) => withChecksum(withRow(whole, 'payout_holds', hold)), OF_SCHEMA_3);
    const [line = ''] = await linesOf(backup, '"cents":"599","earning_entry"');
    expect(JSON.parse(line)).toEqual({ order_id: 'an order', cents: '599', earning_entry: '7' });
  });

  test('keeps what a person is kept from, which has nothing to do with an erasure', async () => {
    const hold = { id: 'a hold', kind: 'payout', of_admission: 'false' };
    const backup = change('person.gz', (whole) => withChecksum(withRow(whole, 'holds', hold)), OF_SCHEMA_5);
    const [line = ''] = await linesOf(backup, 'a hold');
    expect(JSON.parse(line)).toEqual({ ...hold, of_erasure: 'false' });
  });

  test('is refused in one line when it is damaged, of an even earlier build, or converted already', () => {
    convert(OF_MIGRATIONS, 'converted.gz');
    const refused: readonly [string, string, string][] = [
      [
        'damaged',
        change('damaged.gz', (whole) => whole.replace('Ada', 'Eve')),
        'the checksum at the end does not match',
      ],
      ['cut', change('cut.gz', (whole) => whole.slice(0, 3_000)), 'cut short'],
      [
        'earlier',
        change('earlier.gz', (whole) => withChecksum(whole.replace(',"053_rates_and_restores"', ''))),
        'restore it with the last build that has migrations',
      ],
      ['converted', join(folder, 'converted.gz'), 'restore it as it is'],
      ['missing', join(folder, 'none.gz'), 'does not exist'],
    ];
    for (const [name, from, words] of refused) {
      const output = convert(from, `${name}-new.gz`);
      expect(output, name).toContain(words);
      expect(output.trim().split('\n'), name).toHaveLength(1);
    }
  });
});
