import { expect } from '@playwright/test';
import { SET_UP_SECTIONS } from '../../domain/setUp.ts';
import { test } from './console.ts';
import { NO_FIGURES } from './consoleAnswers.ts';
import { takeScreenshots } from './screenshots.ts';

test('the console', async ({ console: { api, open }, openSignedOutPage }) => {
  const { items: orders } = await api.listTownOrders({ query: {} });
  const underWay = orders.find(({ status }) => status === 'In_Progress');
  const [person] = (await api.listPeople({ query: {} })).items;
  const screens: readonly [name: string, path: string][] = [
    ['today', 'today'],
    ['orders', 'orders'],
    ['order', `orders/${orders[0]?.id}`],
    ['order under way', `orders/${underWay?.id}`],
    ['people', 'people'],
    ['person', `people/${person?.id}`],
    ['figures', 'figures'],
    ['figures by scrub', 'figures?show=scrub'],
    ['money', 'money'],
    ['payouts', 'payouts'],
    ['ledger', 'ledger'],
    ['reconciliation', 'reconciliation'],
    ['chargebacks', 'chargebacks'],
    ['cases', 'cases'],
    ['messages', 'messages'],
    ['prices', 'prices'],
    ['zones', 'zones'],
    ['new zone', 'zones/new'],
    ['rules', 'rules'],
    ['hours', 'hours'],
    ['approvals', 'approvals'],
    ['audit', 'audit'],
    ['settings', 'settings'],
    ['set-up', 'set-up'],
  ];
  for (const [name, path] of screens) {
    const page = await open(path);
    await takeScreenshots(page, `console ${name}`, 'full');
    await page.context().close();
  }
  const stalled = await open('figures', {
    prepare: async (opened) => {
      await opened.route('**/api/operator/figures*', () => undefined);
    },
  });
  await stalled.getByRole('status', { name: 'Loading Weeks' }).waitFor();
  await takeScreenshots(stalled, 'console figures', 'loading');
  for (const [state, answers] of [
    ['failed', { figures: { code: 'broken', statusCode: 403, error: 'Forbidden', message: 'Something went wrong.' } }],
    ['empty', { figures: NO_FIGURES }],
  ] as const) {
    const page = await open('figures', { answers });
    await takeScreenshots(page, 'console figures', state);
    await page.context().close();
  }
  const page = await openSignedOutPage();
  await page.goto('/#/operator');
  await expect(page.getByRole('button', { name: 'Look around the demo' })).toBeVisible();
  await takeScreenshots(page, 'console sign-in', 'demo');
});

test('the set-up of a town', async ({ console: { api, open } }) => {
  const empty = await api.readSetUp();
  const town = { ...(await api.readTown()), runsAlone: true, hasOrders: false };
  const answered = [...SET_UP_SECTIONS];
  const failed = {
    isWorking: false,
    words:
      'The card network does not accept SQUARE_ACCESS_TOKEN (UNAUTHORIZED This request could not be authorized.). Copy it again, and take token and application id both from production or both from the sandbox.',
  };
  for (const [index, section] of answered.entries()) {
    const page = await open('set-up', {
      answers: { town, 'set-up': { ...empty, answered: answered.slice(0, index) }, 'connections/test': failed },
    });
    if (section === 'rules') await page.getByText('Change single rules').click();
    if (section === 'connections') {
      await page.getByRole('button', { name: 'Test Card payments' }).click();
      await page.getByText(failed.words).waitFor();
    }
    await takeScreenshots(page, 'console set-up', section);
    await page.context().close();
  }
  const done = { by: 'Olga Owner', at: new Date().toISOString() };
  const page = await open('set-up', { answers: { town, 'set-up': { ...empty, answered, done } } });
  await takeScreenshots(page, 'console set-up', 'open');
  await page.context().close();
});
