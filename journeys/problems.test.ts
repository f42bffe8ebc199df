import { createTestUser, openDashboard, placeOrder, type TestUser } from './accounts.ts';
import { expect, MAPLESS, test } from './journey.ts';
import { expectNoScreenProblems } from './screenProblems.ts';
import { doubleTap, openFold } from './screens/pageElements.ts';

// Far away from the users of the other journeys.
const LOCATION = { latitude: 24.7, longitude: 68.1 };
const WIDTHS = [320, 390, 768, 1280] as const;

/** An order that its Bud has fetched, so that it can be reported at once. */
async function createFetchedOrder(bud: TestUser, scrub: TestUser): Promise<string> {
  const { id } = await placeOrder(bud, scrub, { selfDelivery: true, selfPickup: true });
  for (const step of ['accept-order', 'start-order', 'complete-order'] as const)
    await scrub.api[step]({ params: { id } });
  return id;
}

test('a Bud reports a missing shirt, the Scrub offers money, the Bud accepts, and both follow it live', async ({
  server,
  openVisitor,
}) => {
  const [bud, scrub] = await Promise.all([
    createTestUser(server, { role: 'Bud', fullname: 'Rita Report', at: LOCATION }),
    createTestUser(server, { role: 'Scrub', fullname: 'Sam Sorry', at: LOCATION }),
  ]);
  const orderId = await createFetchedOrder(bud, scrub);
  const [budVisitor, scrubVisitor] = [await openVisitor(MAPLESS), await openVisitor(MAPLESS)];
  await openDashboard(budVisitor, server, bud);
  await openDashboard(scrubVisitor, server, scrub);
  const [budPage, scrubPage] = [budVisitor.page, scrubVisitor.page];
  await expect(scrubPage.getByRole('link', { name: 'Problems' })).toHaveCount(0);

  await budPage.goto(`/#/bud/orders/${orderId}`);
  await budPage.getByRole('link', { name: 'Report a problem' }).click();
  const form = budPage.getByRole('form', { name: 'Report a problem' });
  await form.getByLabel('What is it?').fill('Blue shirt');
  await form.getByLabel('What is wrong with it?').selectOption('Missing');
  await form.getByLabel('Price when new').fill('40');
  await form.getByLabel('Age (in months)').fill('6');
  await expect(form).toContainText('Up to 60 % of its price');
  await form.getByLabel('What you ask for').fill('24,01');
  budVisitor.allowErrors(400);
  await form.getByRole('button', { name: 'Send report' }).click();
  await expect(form).toContainText('At most $24.00 for its age');
  await expectNoScreenProblems(budPage, 'report a problem', WIDTHS);
  // A second thing, which is too much for one order, and is taken away again.
  const addButton = form.getByRole('button', { name: 'Add another thing' });
  await addButton.click();
  const second = form.getByRole('group', { name: 'Thing 2' });
  await expect(second.getByLabel('What is it?')).toBeFocused();
  await second.getByLabel('What you ask for').fill('300');
  await expect(form.getByText('At most $300.00 for one order', { exact: true })).toBeVisible();
  await expectNoScreenProblems(budPage, 'two things to report', WIDTHS);
  await form.getByRole('button', { name: 'Remove thing 2' }).click();
  await expect(second).toHaveCount(0);
  await expect(addButton).toBeFocused();
  await form.getByLabel('What you ask for').fill('10');
  await form.getByRole('button', { name: 'Send report' }).click();
  await expect(budPage.getByRole('heading', { name: /^Problem C-\d+$/ })).toBeVisible();
  await expect(budPage.getByText('The Scrub has 24 hours to answer. After that, we decide.')).toBeVisible();
  await expectNoScreenProblems(budPage, 'a problem', WIDTHS);

  // The link appears by itself, with the live event.
  await scrubPage.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Problems' }).click();
  // A toast about the job would cover the first row on the smallest phone.
  await expect(scrubPage.getByRole('button', { name: 'Close notification' })).toHaveCount(0);
  await expect(scrubPage.getByText('–', { exact: true })).toHaveCount(0);
  await expectNoScreenProblems(scrubPage, 'problems', WIDTHS);
  await scrubPage.getByRole('link', { name: 'View Details' }).first().click();
  const answer = scrubPage.getByRole('region', { name: 'Your answer' });
  await answer.getByLabel('How much').fill('8');
  await answer.getByLabel('What happened?').fill('It was in the next load. I am sorry.');
  await expectNoScreenProblems(scrubPage, 'the answer to a claim', WIDTHS);
  scrubVisitor.allowErrors(400);
  await answer.getByRole('button', { name: 'Send answer' }).click();
  // No more than what was paid for the order.
  await expect(answer.getByText('At most $5.94', { exact: true })).toBeVisible();
  await answer.getByLabel('How much').fill('5');
  await answer.getByRole('button', { name: 'Send answer' }).click();
  await expect(answer).toHaveCount(0);

  const offer = budPage.getByRole('region', { name: 'The offer' });
  await expect(offer).toContainText('The Scrub offers to give $5.00 back to the card.');
  await expect(budPage.getByRole('region', { name: 'Now' }).getByText('Your turn')).toBeVisible();
  await expectNoScreenProblems(budPage, 'an offer', WIDTHS);
  await offer.getByRole('button', { name: 'No, ask the town' }).click();
  await offer.getByRole('button', { name: 'Back' }).click();
  // A double tap is one tap.
  await doubleTap(offer.getByRole('button', { name: 'Accept', exact: true }));
  await expect(budPage.getByText('$5.00 goes back to the card.')).toBeVisible();
  await expect(budPage.getByText('Nothing was accepted')).toHaveCount(0);
  await expect(scrubPage.getByText('It is decided, and is closed after 7 days.')).toBeVisible();
  await budPage.getByRole('link', { name: 'View the order' }).click();
  await openFold(budPage, 'Money');
  const price = budPage.getByRole('region', { name: 'Price Breakdown' });
  await expect(price).toContainText('$5.00 given back: Problem C-');
  await expectNoScreenProblems(budPage, 'an order whose problem gave money back', WIDTHS);
  await price.getByRole('link', { name: 'Problem C-' }).click();
  await expect(budPage.getByRole('heading', { name: /^Problem C-\d+$/ })).toBeVisible();
});
