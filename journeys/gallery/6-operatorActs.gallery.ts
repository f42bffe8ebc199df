import type { Page } from '@playwright/test';
import { CODE_TOO_OLD, type Console, type OpenOptions, test } from './console.ts';
import * as answers from './consoleAnswers.ts';
import { takeScreenshots } from './screenshots.ts';

type Dialog = OpenOptions & {
  readonly name: string;
  readonly path: string;
  readonly button: string | RegExp;
  /** What the operator does in it before it is looked at. */
  readonly fill?: (page: Page) => Promise<void>;
};

async function screenshotDialog({ open }: Console, { name, path, button, fill, ...options }: Dialog): Promise<void> {
  const page = await open(path, options);
  await page.getByRole('button', { name: button }).first().click();
  await page.getByRole('dialog').waitFor();
  await fill?.(page);
  await takeScreenshots(page, 'console dialogs', name);
  await page.context().close();
}

const pressInDialog = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name }).click();
const codeField = (page: Page) => page.getByLabel('Code of your authenticator app');

test('dialogs of the console about money', async ({ console }) => {
  const { items } = await console.api.listTownOrders({ query: {} });
  const order = items.find(({ status }) => status === 'Completed') ?? items[0];
  const dialogs: Dialog[] = [
    {
      name: 'give money back',
      path: `orders/${order?.id}`,
      button: 'Give Money Back',
      fill: async (page) => {
        await page.getByLabel('How much, in dollars').fill('5');
        await page.getByRole('table', { name: 'What the ledger gets' }).waitFor();
      },
    },
    { name: 'what workers were paid', path: 'money', button: 'Ask for What Workers Were Paid' },
    {
      name: 'download with a code',
      path: 'money',
      button: 'Download What Workers Were Paid',
      answers: { 'export/tax-workers': CODE_TOO_OLD },
      fill: (page) => codeField(page).fill('123456'),
    },
    { name: 'bank in the USA', path: 'payouts', button: 'Change US Bank' },
    { name: 'IBAN', path: 'payouts', button: 'Change IBAN' },
    {
      name: 'promo code',
      path: 'prices',
      button: 'Make a Code…',
      answers: { 'promos/add': CODE_TOO_OLD },
      fill: async (page) => {
        await page.getByLabel('Code', { exact: true }).fill('welcome-5');
        await page.getByLabel('Takes off').selectOption('percent');
        await page.getByLabel('Percent', { exact: true }).fill('20');
        await page.getByLabel('Why?').fill('The students are back');
        await pressInDialog(page, 'Make the Code');
        await codeField(page).waitFor();
      },
    },
    { name: 'price', path: 'prices', button: 'Change…' },
    { name: 'services', path: 'prices', button: 'Change Services…' },
    { name: 'limits', path: 'settings', button: 'Change Limits' },
  ];
  for (const dialog of dialogs) await screenshotDialog(console, dialog);
});

test('other dialogs of the console', async ({ console }) => {
  const { items } = await console.api.listPeople({ query: {} });
  const scrub = items.find(({ role }) => role === 'Scrub');
  const person = `people/${scrub?.id}`;
  const dialogs: Dialog[] = [
    { name: 'pause', path: 'settings', button: /^Open.*pause/ },
    {
      name: 'pause, without a reason',
      path: 'settings',
      button: /^Open.*pause/,
      fill: (page) => pressInDialog(page, 'Take No New Orders'),
    },
    { name: 'suspend', path: person, button: 'Suspend…' },
    { name: 'hold', path: person, button: 'Hold…' },
    { name: 'hours', path: 'hours', button: 'Change…' },
    { name: 'closure', path: 'hours', button: 'Close…' },
    { name: 'message', path: 'messages', button: 'Write…' },
    { name: 'your town', path: 'settings', button: 'Change Your Town…' },
    {
      name: 'your town, in a colour that cannot be read',
      path: 'settings',
      button: 'Change Your Town…',
      fill: (page) => page.getByLabel('Colour of buttons and links').fill('#ffd400'),
    },
    { name: 'invite', path: 'settings', button: 'Invite…' },
  ];
  for (const dialog of dialogs) await screenshotDialog(console, dialog);
});

test('dialogs of the console about a case, on a bad day', async ({ console }) => {
  const { A_CASE, CASE_ID, TWO_DUBERS } = answers;
  const path = `cases/${CASE_ID}`;
  await screenshotDialog(console, {
    ...{ name: 'decide, two Dubers', path, button: 'Decide…', answers: { [path]: { ...A_CASE, dubers: TWO_DUBERS } } },
    fill: async (page) => {
      await page.getByLabel('Who pays for it').first().selectOption('duber');
      await page.getByLabel('Which Duber?').waitFor();
    },
  });
});

test('passkeys', async ({ console }) => {
  const session = { ...(await console.api.readOperatorSession()), isDemo: false };
  const options = {
    answers: { session, passkeys: answers.passkeysAt(console.namedUrl), 'passkeys/begin': CODE_TOO_OLD },
    at: console.namedUrl,
  };
  const page = await console.open('settings', options);
  await page.getByRole('list', { name: 'Passkeys' }).waitFor();
  await takeScreenshots(page, 'console settings', 'passkeys');
  await page.context().close();
  const path = 'settings';
  await screenshotDialog(console, {
    ...{ ...options, path, name: 'add passkey, with a code', button: 'Add Passkey…' },
    fill: async (dialog) => {
      await dialog.getByLabel('Name').fill('Work laptop');
      await pressInDialog(dialog, 'Add the Passkey');
      await codeField(dialog).waitFor();
    },
  });
  await screenshotDialog(console, { ...options, path, name: 'remove passkey', button: 'Remove…' });
});

test('what the demo does not have', async ({ console: { open } }) => {
  const { CASE_ID, DAY, DISPUTE_ID, EMPTY } = answers;
  const promo = answers.PROMOS.items[0]?.id;
  const screens: readonly [screen: string, state: string, path: string, given: Record<string, unknown>][] = [
    ['cases', 'two', 'cases', { cases: answers.CASES }],
    ['case', 'with the town', `cases/${CASE_ID}`, { [`cases/${CASE_ID}`]: answers.A_CASE }],
    ['chargebacks', 'two', 'chargebacks', { disputes: answers.DISPUTES }],
    [
      ...(['chargeback', 'open', `chargebacks/${DISPUTE_ID}`] as const),
      { [`disputes/${DISPUTE_ID}`]: answers.A_DISPUTE, [`disputes/${DISPUTE_ID}/evidence`]: answers.EVIDENCE },
    ],
    ['reconciliation', 'differs', 'reconciliation', { reconciliation: answers.DAYS }],
    ['reconciled day', 'differs', `reconciliation/${DAY}`, { [`reconciliation/${DAY}`]: answers.A_DAY }],
    ['approvals', 'waiting', 'approvals', { approvals: answers.APPROVALS }],
    ['prices', 'promo codes', 'prices', { promos: answers.PROMOS }],
    ['promo', 'used', `promos/${promo}`, { [`promos/${promo}/uses`]: answers.PROMO_USES }],
    ['zones', 'two', 'zones', { zones: answers.ZONES }],
    ['zone', 'with later changes', `zones/${CASE_ID}`, { zones: answers.ZONES }],
    ['today', 'empty', 'today', { today: answers.EMPTY_TODAY }],
    ['today', 'late', 'today', { today: answers.LATE_TODAY }],
    ['today windows', 'none', 'today', { today: answers.NO_BOOKINGS }],
    ['today windows', 'some', 'today', { today: answers.SOME_BOOKINGS }],
    ['today windows', 'full', 'today', { today: answers.FULL_WINDOWS }],
    ['today windows', 'at risk', 'today', { today: answers.WINDOWS_AT_RISK }],
    ['orders', 'empty', 'orders', { orders: EMPTY }],
    ['people', 'empty', 'people', { people: EMPTY }],
    ['audit', 'empty', 'audit', { audit: EMPTY }],
    ['reconciliation', 'empty', 'reconciliation', { reconciliation: EMPTY }],
  ];
  for (const [screen, state, path, given] of screens) {
    const page = await open(path, { answers: given });
    await takeScreenshots(page, `console ${screen}`, state);
    await page.context().close();
  }
});

const NEEDED = /\/api\/(?:auth|config|operator\/session|operator\/events|operator\/town$)/;

test('the console while it loads, and when it fails', async ({ console: { open } }) => {
  const { CASE_ID, DAY, DISPUTE_ID } = answers;
  const paths = {
    ...{ today: 'today', orders: 'orders', order: `orders/${CASE_ID}`, people: 'people', person: `people/${CASE_ID}` },
    ...{
      money: 'money',
      payouts: 'payouts',
      ledger: 'ledger',
      prices: 'prices',
      zones: 'zones',
      zone: `zones/${CASE_ID}`,
      rules: 'rules',
      hours: 'hours',
      settings: 'settings',
      'set-up': 'set-up',
      audit: 'audit',
    },
    ...{ chargeback: `chargebacks/${DISPUTE_ID}`, 'reconciled day': `reconciliation/${DAY}` },
  };
  for (const [screen, path] of Object.entries(paths)) {
    for (const state of ['loading', 'failed'] as const) {
      const page = await open(path, {
        prepare: async (opened) => {
          await opened.route('**/api/**', (route) => {
            if (NEEDED.test(route.request().url())) return route.continue();
            return state === 'failed' ? route.abort() : undefined;
          });
        },
      });
      if (state === 'failed') await page.getByRole('button', { name: 'Try Again' }).first().waitFor();
      await takeScreenshots(page, `console ${screen}`, state);
      await page.context().close();
    }
  }
});

test('joining, and stopping what the only operator asked for', async ({ openSignedOutPage }) => {
  const page = await openSignedOutPage();
  await page.route('**/api/operator/invitation', (route) => route.fulfill({ json: answers.INVITATION }));
  await page.goto('/#/operator/join?token=abc');
  await page.getByLabel('Full name').or(page.getByLabel('Full Name')).first().waitFor();
  await takeScreenshots(page, 'console join', 'invited');
  await page.goto('/#/operator/stop?token=abc');
  await page.getByRole('button', { name: 'Stop it' }).waitFor();
  await takeScreenshots(page, 'console stop', 'asked');
  await page.getByRole('button', { name: 'Stop it' }).click();
  await page.getByRole('alert').waitFor();
  await takeScreenshots(page, 'console stop', 'refused');
});

test('signing in to the console with a code or a passkey', async ({ console: { namedUrl }, openSignedOutPage }) => {
  const page = await openSignedOutPage();
  await page.route('**/api/operator/session', (route) => {
    const code = { ...CODE_TOO_OLD, code: 'codeOrPasskeyNeeded', message: 'Enter a code or use a passkey' };
    return route.request().method() === 'POST' ? route.fulfill({ status: 403, json: code }) : route.continue();
  });
  await page.goto(`${namedUrl}/#/operator`);
  await page.getByLabel('Email').fill('ada@rubadub.test');
  await page.getByLabel('Password', { exact: true }).fill('not the demo');
  await page.getByRole('button', { name: 'Sign In' }).click();
  await codeField(page).waitFor();
  await takeScreenshots(page, 'console sign-in', 'code or passkey');
});
