import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ActName, OPERATOR_API } from '../../contract/operator/api.ts';
import type { ActRule } from '../../contract/operator/call.ts';
import { consentFor } from '../../domain/approvals.ts';
import { test } from '../console.ts';
import { expect } from '../journey.ts';
import { NO_ACTS, secondsOf } from './keystrokeModel.ts';
import { readHandActs } from './measure.ts';
import { TWENTY_SITUATIONS } from './situations.ts';

const JOURNEYS = join(import.meta.dirname, '..');

test('each of the twenty situations is measured once, in its journey', () => {
  const situations = Object.entries(TWENTY_SITUATIONS);
  expect(situations).toHaveLength(20);
  for (const [name, { journey }] of situations) {
    const text = readFileSync(join(JOURNEYS, journey), 'utf8');
    expect(text.split(`measure('${name}', async`).length - 1, `${name} in ${journey}`).toBe(1);
  }
});

test('of the twenty situations, an operator who runs the town alone waits for tax numbers only', () => {
  const asked = Object.values(TWENTY_SITUATIONS).flatMap(({ acts }) =>
    acts.flatMap((act) => (act.startsWith('ask:') ? [act.slice('ask:'.length) as ActName] : [])),
  );
  const consentOf = (act: ActName) => {
    const { alone }: ActRule = OPERATOR_API[act].act;
    return [act, consentFor({ needsApproval: true, runsAlone: true, alone, hasOrders: true })];
  };
  expect(asked.map(consentOf)).toEqual([
    ['addZone', 'code-and-mail'],
    ['exportTaxWorkers', 'approval'],
    ['sendDispute', 'code-and-mail'],
  ]);
});

test('the meter counts presses, keys, choices and pages, and nothing that no hand does', async ({
  addOperator,
  openConsole,
}) => {
  const { page } = await openConsole(await addOperator('Ada Meter'), 'today');
  const dialog = page.getByRole('dialog');
  const acts = () => readHandActs([page]);
  expect(await acts()).toEqual(NO_ACTS);
  await page.getByRole('link', { name: 'Announcements' }).click();
  await page.getByRole('button', { name: 'Write…' }).click();
  const opened = { ...NO_ACTS, presses: 2, pages: 1 };
  expect(await acts()).toEqual(opened);
  await dialog.getByLabel('To').selectOption('All Scrubs');
  expect(await acts()).toEqual({ ...opened, presses: 4 });
  // A field is pressed before it is typed into, and a hand goes to the keyboard and back.
  await dialog.getByLabel('Title').fill('Hello');
  await dialog.getByLabel('Title').press('!');
  await dialog.getByRole('checkbox', { name: 'Urgent' }).check();
  await page.keyboard.press('Escape');
  const typed = { ...opened, presses: 6, keys: 6, commands: 1, handMoves: 3 };
  expect(await acts()).toEqual({ ...typed, scrolls: expect.any(Number) });
  await expect(dialog).toHaveCount(0);
  await page.reload();
  const reloaded = { ...typed, commands: 2, pages: 2, scrolls: expect.any(Number) };
  expect(await acts()).toEqual(reloaded);
  await page.getByRole('button', { name: 'Write…' }).evaluate((button: { click(): void }) => button.click());
  await expect(dialog).toBeVisible();
  expect(await acts(), 'scripts are no hands').toEqual(reloaded);
});

test('the seconds are those of the keystroke-level model', () => {
  expect(secondsOf(NO_ACTS)).toBe(0);
  // A press into a field, ten keys, and a press on a button.
  expect(secondsOf({ ...NO_ACTS, presses: 2, keys: 10, handMoves: 2 })).toBeCloseTo(8.9, 5);
});
