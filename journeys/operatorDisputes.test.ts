import { makePollDue } from '../server/payments/earnings/disputeMoney.ts';
import { createParticipants, placeOrder } from '../testing/orderSteps.ts';
import type { TestServer } from '../testing/testServer.ts';
import { approveWaiting, goToPage, pressWithCode, test } from './console.ts';
import { expect, PHONE } from './journey.ts';
import { expectNoScreenProblems } from './screenProblems.ts';
import { expectToast } from './screens/pageElements.ts';

const WIDTHS = [320, 768, 1280];
const SOON = { timeout: 100_000 };

/** What a cardholder and their bank do. */
async function bank({ sandboxUrl }: TestServer, path: string, body: object): Promise<{ id: string }> {
  const headers = { 'content-type': 'application/json' };
  const url = `${sandboxUrl}/sandbox/square/disputes${path}`;
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(response.ok, await response.clone().text()).toBe(true);
  return ((await response.json()) as { dispute: { id: string } }).dispute;
}

/** What a webhook does. */
async function look({ server, now }: TestServer): Promise<void> {
  await makePollDue(server.db, now());
  server.wakeTimers();
}

test('two operators answer a chargeback with evidence, and the bank decides for them', async ({
  town,
  openConsole,
  addOperator,
  measure,
}) => {
  const { testServer } = town;
  const people = await createParticipants(testServer);
  const { id: orderId, number } = await placeOrder(people);
  await people.scrub.api['accept-order']({ params: { id: orderId } });
  const findCharged = () =>
    testServer.server.db
      .selectFrom('payments')
      .select('square_id as squareId')
      .where('order_id', '=', orderId)
      .where('state', '=', 'captured')
      .executeTakeFirst();
  await expect.poll(async () => (await findCharged()) !== undefined, SOON).toBe(true);
  const { squareId } = (await findCharged()) ?? {};
  const contested = await bank(testServer, '', { payment_id: squareId, reason: 'NOT_RECEIVED' });
  await look(testServer);

  const caps = ['see', 'money'] as const;
  const ada = await addOperator('Ada Bank', caps);
  await expect.poll(async () => (await ada.api.listDisputes({ query: {} })).items.length, SOON).toBe(1);
  const bo = await addOperator('Bo Bank', caps);
  const [{ page, allowErrors }, second] = [await openConsole(ada, 'today'), await openConsole(bo, 'today', PHONE)];
  for (const allow of [allowErrors, second.allowErrors]) allow(403);
  await measure('answer a chargeback', async () => {
    await goToPage(page, 'Chargebacks');
    await expect(page.getByText('13 days left').or(page.getByText('14 days left'))).toBeVisible();
    await expectNoScreenProblems(page, 'chargebacks', WIDTHS);
    await page.getByRole('link', { name: new RegExp(number) }).click();
    await expect(page.getByRole('heading', { name: `Chargeback of ${number}` })).toBeVisible();
    await expect(page.getByText('order Accepted by Scrub')).toBeVisible();
    await expectNoScreenProblems(page, 'a chargeback', WIDTHS);
    await page.getByRole('button', { name: 'Save the Evidence…' }).click();
    await page.getByLabel('Why?').fill('The Scrub has it');
    await pressWithCode(page.getByRole('dialog'), 'Save It', ada);
    await expectToast(page, 'The evidence is saved');
    await expect(page.getByText('Kept by Ada Bank')).toBeVisible();
    await page.getByRole('button', { name: 'Send to the Bank…' }).click();
    await page.getByLabel('Why?').fill('It is under way');
    await page.getByRole('button', { name: 'Ask for Approval' }).click();
    await expectToast(page, 'This waits for another operator');
    await approveWaiting(second.page, 'I have read it', bo);
  });
  const stateOf = async () => (await ada.api.listDisputes({ query: {} })).items[0]?.networkState;
  await expect.poll(stateOf, SOON).toBe('PROCESSING');

  await bank(testServer, `/${contested.id}`, { state: 'WON' });
  await look(testServer);
  const ended = async () => (await ada.api.listDisputes({ query: { state: 'ended' } })).items.map((one) => one.status);
  await expect.poll(ended, SOON).toEqual(['won']);
  await page.getByRole('link', { name: 'Chargebacks' }).first().click();
  await page.getByRole('button', { name: 'Ended' }).click();
  await expect(page.getByText(/^Won .+\s[ap]m$/)).toBeVisible();
  const [dispute] = (await ada.api.listDisputes({ query: { state: 'ended' } })).items;
  const auditor = await addOperator('Olga Admin', ['admin']);
  const { items } = await auditor.api.listAudit({ query: { subjectId: dispute?.id ?? '' } });
  expect(items.map(({ action }) => action)).toEqual(['sendDispute', 'ask', 'prepareDispute']);
});
