import { firstAddressId } from '../testing/orderSteps.ts';
import { waitFor } from '../testing/waits.ts';
import { openDashboard, type TestUser } from './accounts.ts';
import { goToPage, pressWithCode, test } from './console.ts';
import { expect, MAPLESS } from './journey.ts';
import { expectNoScreenProblems } from './screenProblems.ts';
import { fillCard } from './screens/orders.ts';
import { expectToast, openFold } from './screens/pageElements.ts';

const WIDTHS = [320, 390, 1280];

test('an operator makes a promo code on a screen, a Bud pays less with it, and the console says what it cost', async ({
  town,
  openVisitor,
  openConsole,
  addOperator,
  measure,
}) => {
  const ada = await addOperator('Ada Codes');
  const { page, allowErrors } = await openConsole(ada, 'today');
  allowErrors(403);
  const dialog = page.getByRole('dialog');
  const section = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Promo codes' }) });
  await measure('make a promo code', async () => {
    await goToPage(page, 'Prices & promos');
    await section.getByRole('button', { name: 'Make a Code…' }).click();
    await dialog.getByLabel('Code', { exact: true }).fill('welcome-5');
    await dialog.getByLabel('Dollars', { exact: true }).fill('5');
    await dialog.getByLabel('Uses in all').fill('20');
    await expect(dialog.getByText('It costs at most $100.00.')).toBeVisible();
    await dialog.getByLabel('Why?').fill('The students are back');
    await expectNoScreenProblems(page, 'making a promo code', WIDTHS);
    await pressWithCode(dialog, 'Make the Code', ada);
    await expectToast(page, 'The code is made');
  });
  const row = section.getByRole('listitem').filter({ hasText: 'WELCOME-5' });
  await expect(row).toContainText('$5.00 off. 20 uses in all. 1 for each Bud.');
  await expect(row).toContainText('0 uses, $0.00 so far of at most $100.00');
  await expectNoScreenProblems(page, 'the promo codes of a town', WIDTHS);

  const { createUser } = town.testServer;
  const [bud, scrub] = await Promise.all([createUser('Bud', { north: 1500 }), createUser('Scrub', { north: 2900 })]);
  const visitor = await openVisitor(MAPLESS);
  visitor.allowErrors(409);
  const draft = {
    ...{ addressId: firstAddressId(bud), loadSize: 'Medium', selfDelivery: false, selfPickup: false, instructions: '' },
    scrub: { id: scrub.user.id, fullname: scrub.user.fullname, distanceMeters: 1400 },
  };
  await visitor.context.addInitScript(([key, value]) => (sessionStorage[key] ??= value), [
    `rubadub-draft-${bud.user.id}`,
    JSON.stringify(draft),
  ] as const);
  await openDashboard(visitor, town, { token: bud.token, role: 'Bud' } as TestUser);
  const place = visitor.page;
  await place.goto('/#/bud/place-order?step=4');
  const pay = place.getByRole('button', { name: /^Pay/ });
  await expect(pay).toHaveText('Pay $26.83');
  await place.getByRole('button', { name: 'Have a promo code?' }).click();
  const field = place.getByRole('textbox', { name: 'Promo code' });
  await expect(field).toBeFocused();
  await field.fill('welcom-5');
  await place.getByRole('button', { name: 'Apply' }).click();
  await expect(place.getByText('There is no such code. Please check it')).toBeVisible();
  await expectNoScreenProblems(place, 'a promo code that does not exist', WIDTHS);
  await field.fill('welcome-5');
  await field.press('Enter');
  await expect(place.getByText('WELCOME-5 takes $5.00 off.')).toBeVisible();
  await expect(pay).toHaveText('Pay $21.83');
  await expectNoScreenProblems(place, 'a checkout with a promo code', WIDTHS);
  // Going back and coming again loses nothing.
  await place.getByRole('button', { name: 'Back', exact: true }).click();
  await place.goto('/#/bud/place-order?step=4');
  await expect(pay).toHaveText('Pay $21.83');
  await fillCard(place);
  await pay.click();
  await place
    .getByRole('dialog', { name: 'Thanks for your order!' })
    .getByRole('button', { name: 'Track order' })
    .click();
  await openFold(place, 'Money');
  const price = place.getByRole('region', { name: 'Price Breakdown' });
  await expect(price).toContainText('Promo WELCOME-5');
  await expect(price).toContainText('-$5.00');
  await expect(price).toContainText('$21.83');
  await expectNoScreenProblems(place, 'an order with a promo code', WIDTHS);

  const [order] = (await bud.api.listOrders({ query: {} })).data.items;
  await scrub.api['accept-order']({ params: { id: order?.id ?? '' } });
  await waitFor(async () => {
    const { promotions } = (await ada.api.listMoneyWeeks({ query: {} })).weeks[0] ?? {};
    expect(promotions).toBe(5);
  });
  await place.goto(`/#/bud/orders/${order?.id}/receipt`);
  const receipt = place.getByRole('article', { name: 'Receipt' });
  await expect(receipt).toContainText('Promo WELCOME-5');
  await expect(receipt.getByText('Charged')).toBeVisible();
  await expectNoScreenProblems(place, 'a receipt with a promo code', WIDTHS);

  await page.reload();
  await expect(row).toContainText('1 use, $5.00 so far of at most $100.00');
  await row.getByRole('link', { name: 'WELCOME-5' }).click();
  const use = page.getByRole('row').filter({ hasText: order?.number ?? '' });
  await expect(use).toContainText('$5.00');
  await expectNoScreenProblems(page, 'who has used a promo code', WIDTHS);
  await page.goto('/#/operator/money');
  await expect(
    page.getByRole('columnheader', { name: 'Promo codes' }).or(page.getByText('Promo codes')).first(),
  ).toBeVisible();
  await page.goto('/#/operator/prices');
  await row.getByRole('button', { name: 'End…' }).click();
  await dialog.getByLabel('Why?').fill('Enough of them');
  await dialog.getByRole('button', { name: 'End the Code' }).click();
  await expectToast(page, 'WELCOME-5 has ended');
  await expect(row).toContainText('Ended');
  const acts = (await ada.api.listAudit({ query: { operatorId: ada.session.operator.id } })).items;
  expect(acts.map(({ action, reason }) => [action, reason])).toEqual([
    ['endPromo', 'Enough of them'],
    ['addPromo', 'The students are back'],
    ['join', expect.anything()],
  ]);
});
