import { type Browser, chromium, type Page } from '@playwright/test';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { catchFirstError, createPayment, type SquareSandbox, startSquareSandbox } from '../../testing/squareSandbox.ts';

type TokenResult = {
  status: string;
  token?: string;
  details?: object;
  errors?: { type: string; field: string; message: string }[];
};
type TestCard = { tokenize(): Promise<TokenResult>; destroy(): Promise<boolean> };

let harness: SquareSandbox;
let shop: FastifyInstance;
let shopUrl: string;
let browser: Browser;
let page: Page;
let pageErrors: string[];

// The shop page is on another origin than the sandbox, and its policy allows only the sandbox's scripts.
beforeAll(async () => {
  harness = await startSquareSandbox();
  const { origin } = new URL(harness.url);
  shop = Fastify({ forceCloseConnections: true });
  shop.get('/', (_request, reply) =>
    reply
      .header(
        'content-security-policy',
        `default-src 'none'; script-src ${origin}; connect-src ${origin}; img-src data:`,
      )
      .type('text/html')
      .send(`<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,"><div id="card"></div>
<script src="${harness.url}/web-sdk/square.js"></script></html>`),
  );
  shopUrl = await shop.listen({ host: '127.0.0.1', port: 0 });
  const quiet = ['gpu', 'quic', 'background-networking', 'component-update', 'sync'].map((name) => `--disable-${name}`);
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--no-first-run', ...quiet],
  });
});

afterAll(async () => {
  await browser.close();
  await shop.close();
  await harness.stop();
});

beforeEach(async () => {
  page = await browser.newPage();
  pageErrors = [];
  page.on('console', (message) => pageErrors.push(message.text()));
  page.on('pageerror', (error) => pageErrors.push(error.message));
  await page.goto(shopUrl);
  await page.evaluate(async () => {
    const world = globalThis as unknown as {
      Square: { payments(id: string, place: string): { card(): Promise<TestCard & { attach(to: string): void }> } };
      card: TestCard;
    };
    const card = await world.Square.payments('sandbox-app', 'sandbox-location').card();
    await card.attach('#card');
    world.card = card;
  });
});

afterEach(() => page.close());

function tokenize(): Promise<TokenResult> {
  return page.evaluate(() => (globalThis as unknown as { card: TestCard }).card.tokenize());
}

async function fill(number: string, date: string, cvv: string, zip: string): Promise<void> {
  await page.getByLabel('Card number').fill(number);
  await page.getByLabel('Expiration date (MM/YY)').fill(date);
  await page.getByLabel('CVV').fill(cvv);
  await page.getByLabel('ZIP').fill(zip);
}

test('digits typed into the form become a token that pays once, under a strict content security policy', async () => {
  await page.getByLabel('Card number').pressSequentially('4111111111111111');
  await page.getByLabel('Expiration date (MM/YY)').pressSequentially('1230');
  await page.getByLabel('CVV').pressSequentially('111');
  await page.getByLabel('ZIP').pressSequentially('94103');
  expect(await page.getByLabel('Card number').inputValue()).toBe('4111 1111 1111 1111');
  expect(await page.getByLabel('Expiration date (MM/YY)').inputValue()).toBe('12/30');
  const result = await tokenize();
  expect(result).toEqual({
    status: 'OK',
    token: expect.stringMatching(/^cnon:/),
    details: {
      method: 'Card',
      billing: { postalCode: '94103' },
      card: { brand: 'VISA', last4: '1111', expMonth: 12, expYear: 2030 },
    },
  });
  const sourceId = String(result.token);
  expect((await createPayment(harness, { sourceId })).status).toBe('COMPLETED');
  expect(await catchFirstError(createPayment(harness, { sourceId }))).toMatchObject({ code: 'CARD_TOKEN_USED' });
  expect(pageErrors).toEqual([]);
});

test('a buyer is verified for a charge, for saving the card, or for both, and for nothing else', async () => {
  const verify = (details: object) =>
    page.evaluate((asked) => {
      const world = globalThis as unknown as {
        Square: { payments(id: string): { verifyBuyer(source: string, details: object): Promise<{ token: string }> } };
      };
      return world.Square.payments('sandbox-app').verifyBuyer('cnon:one', asked);
    }, details);
  const amount = { amount: '26.83', currencyCode: 'USD' };
  for (const details of [
    { ...amount, intent: 'CHARGE' },
    { ...amount, intent: 'CHARGE_AND_STORE' },
    { intent: 'STORE' },
  ])
    expect((await verify(details)).token).toMatch(/^verf:/);
  await expect(verify({ ...amount, intent: 'KEEP' })).rejects.toThrow('KEEP is not an intent');
  await expect(verify({ intent: 'CHARGE_AND_STORE' })).rejects.toThrow('A charge has an amount');
});

test.each([
  ['5105105105105100', 'MASTERCARD'],
  ['6011000000000004', 'DISCOVER'],
  ['30000000000004', 'DISCOVER_DINERS'],
  ['3569990010095841', 'JCB'],
  ['6222988812340000', 'CHINA_UNIONPAY'],
])('the published card %s is a %s', async (number, brand) => {
  await fill(number, '12/30', '123', '94103');
  expect(await tokenize()).toMatchObject({ status: 'OK', details: { card: { brand, last4: number.slice(-4) } } });
});

test('an American Express card is grouped 4-6-5 and needs four CVV digits', async () => {
  await fill('340000000000009', '530', '111', '94103');
  expect(await page.getByLabel('Card number').inputValue()).toBe('3400 000000 00009');
  expect(await page.getByLabel('Expiration date (MM/YY)').inputValue()).toBe('05/30');
  expect((await tokenize()).errors).toEqual([{ type: 'VALIDATION_ERROR', field: 'cvv', message: 'CVV has 4 digits' }]);
  await page.getByLabel('CVV').fill('1111');
  expect(await tokenize()).toMatchObject({ status: 'OK', details: { card: { brand: 'AMERICAN_EXPRESS' } } });
});

test('an empty form names every field, and each problem is announced with its field until it is fixed', async () => {
  const { status, errors } = await tokenize();
  expect(status).toBe('Invalid');
  expect(errors?.map(({ field }) => field)).toEqual(['cardNumber', 'expirationDate', 'cvv', 'postalCode']);
  const number = page.getByLabel('Card number');
  expect(await number.evaluate((input) => input.matches(':focus'))).toBe(true);
  expect(await number.getAttribute('aria-invalid')).toBe('true');
  const problem = page.locator(`[id="${await number.getAttribute('aria-describedby')}"]`);
  expect(await problem.textContent()).toBe('Card number is not valid');
  await number.fill('4');
  expect(await number.getAttribute('aria-invalid')).toBeNull();
  expect(await number.getAttribute('aria-describedby')).toBeNull();
  expect(await problem.textContent()).toBe('');
});

test('a mistyped number, an expired card and a short ZIP have different errors', async () => {
  await fill('4111111111111112', '01/20', '111', '9410');
  expect((await tokenize()).errors?.map(({ message }) => message)).toEqual([
    'Card number is not valid',
    'This card has expired',
    'ZIP is not valid',
  ]);
  await fill('4111111111111111', '13/30', '111', '94103');
  expect((await tokenize()).errors?.map(({ message }) => message)).toEqual(['Expiration date is not valid']);
});

test.each([
  ['1/30', '01/30'],
  ['0130', '01/30'],
  ['12/2030', '12/30'],
  ['12 / 30', '12/30'],
  ['9', '09'],
])('the date typed as %s reads %s', async (typed, read) => {
  await page.getByLabel('Expiration date (MM/YY)').pressSequentially(typed);
  expect(await page.getByLabel('Expiration date (MM/YY)').inputValue()).toBe(read);
  await page.getByLabel('Expiration date (MM/YY)').fill(typed);
  expect(await page.getByLabel('Expiration date (MM/YY)').inputValue()).toBe(read);
});

test('a digit typed in the middle of a number keeps the caret next to it', async () => {
  const number = page.getByLabel('Card number');
  await number.fill('41111111');
  await number.evaluate((input: { setSelectionRange(from: number, to: number): void }) =>
    input.setSelectionRange(4, 4),
  );
  await page.keyboard.press('5');
  expect(await number.inputValue()).toBe('4111 5111 1');
  await page.keyboard.press('6');
  expect(await number.inputValue()).toBe('4111 5611 11');
});

test('browsers can autofill the form, and a destroyed form is removed', async () => {
  const hints = await page
    .locator('input')
    .evaluateAll((inputs) =>
      inputs.map((input) => [input.getAttribute('autocomplete'), input.getAttribute('inputmode')]),
    );
  expect(hints).toEqual([
    ['cc-number', 'numeric'],
    ['cc-exp', 'numeric'],
    ['cc-csc', 'numeric'],
    ['postal-code', 'numeric'],
  ]);
  await page.evaluate(() => (globalThis as unknown as { card: TestCard }).card.destroy());
  expect(await page.locator('#card').innerHTML()).toBe('');
  await expect(tokenize()).rejects.toThrow('Card has already been destroyed');
});
