import { expect, type Locator, type Page } from '@playwright/test';
import type { OrderStatus } from '../../domain/orders.ts';
import { expectAccessible } from '../accessibility.ts';
import { card, openFold } from './pageElements.ts';

export type OrderChoices = {
  readonly address: string;
  readonly scrub: string;
  /** The label on the screen, such as 'Medium (3-5 lbs)'. */
  readonly load: string;
  readonly instructions?: string;
};

const nextButton = (page: Page) => page.getByRole('button', { name: 'Next' });

/** Fills in the three steps before the payment. Each step must be complete before the next one opens. */
export async function fillOrder(page: Page, { address, scrub, load, instructions }: OrderChoices): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Location', exact: true })).toBeVisible();
  // The only address is chosen already.
  await page.getByRole('radio', { name: address, exact: true }).check();
  await expectAccessible(page, 'Place order: Location');
  await nextButton(page).click();
  await expect(page.getByRole('heading', { name: 'Select Scrubber' })).toBeVisible();
  await expect(nextButton(page)).toBeDisabled();
  await page.getByRole('radio', { name: scrub, exact: true }).check();
  await expectAccessible(page, 'Place order: Select Scrubber');
  await nextButton(page).click();
  await expect(page.getByRole('heading', { name: 'Order Details' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Place Order' })).toBeDisabled();
  await page.getByRole('radio', { name: load, exact: true }).check();
  if (instructions) await page.getByRole('textbox', { name: 'Special Instructions' }).fill(instructions);
  await expectAccessible(page, 'Place order: Order Details');
  await page.getByRole('button', { name: 'Place Order' }).click();
  await expect(page.getByRole('heading', { name: 'Checkout' })).toBeVisible();
}

/** Fills in a card that expires in December 2030. */
export async function fillCard(page: Page, { number = '4111111111111111', cvv = '111' } = {}): Promise<void> {
  await page.getByLabel('Card number').fill(number);
  await page.getByLabel('Expiration date (MM/YY)').fill('1230');
  await page.getByLabel('CVV').fill(cvv);
  await page.getByLabel('ZIP').fill('24101');
}

/** Pays and continues from the thank-you dialog to the list of orders. */
export async function pay(page: Page, total: string): Promise<void> {
  await page.getByRole('button', { name: `Pay ${total}`, exact: true }).click();
  const thanks = page.getByRole('dialog', { name: 'Thanks for your order!' });
  await expect(thanks).toContainText('You will see the order in your dashboard once we confirm your payment');
  await expectAccessible(page, 'Thanks for your order');
  await thanks.getByRole('button', { name: 'My Orders' }).click();
  await expect(page).toHaveURL(/\/#\/bud\/orders$/);
}

const STATUS_LABELS: Record<OrderStatus, string> = {
  Requested: 'Requested',
  Accepted: 'Accepted',
  In_Progress: 'In Progress',
  Completed: 'Completed',
  Cancelled: 'Cancelled',
  Rejected: 'Rejected',
};

/** The card with the status of an order or a job. */
export function orderStatusCard(page: Page): Locator {
  return card(page, 'Order Status').or(card(page, 'Job Status'));
}

export async function expectOrderStatus(page: Page, status: OrderStatus): Promise<void> {
  await expect(orderStatusCard(page).locator('[data-status]')).toHaveText(STATUS_LABELS[status]);
}

/** Opens one of an order's deliveries by its type, such as 'Bud → Scrub'. */
export async function openDelivery(page: Page, type: string): Promise<void> {
  if (page.url().includes('/bud/')) await openFold(page, 'Details');
  const delivery = card(page, 'Deliveries').getByRole('listitem').filter({ hasText: type });
  await delivery.getByRole('link', { name: 'View Details' }).click();
  await expect(page.getByRole('heading', { name: 'Delivery Details' })).toBeVisible();
}

/** The card on a Bud's dashboard of the order under way. */
export const liveOrderCard = (page: Page): Locator => card(page, 'Your laundry right now');

/** Reads the receipt of the order on the page, which prints on one sheet, and goes back. */
export async function readReceipt(page: Page, summary: string, movements: readonly RegExp[]): Promise<void> {
  await openFold(page, 'Money');
  await page.getByRole('link', { name: 'Receipt' }).click();
  const receipt = page.getByRole('article', { name: 'Receipt' });
  await expect(receipt).toContainText(summary);
  await expect(receipt.getByRole('heading', { name: /^Visa ending in \d{4}$/ })).toBeVisible();
  await expect(receipt.getByRole('listitem')).toHaveText([...movements]);
  await expectAccessible(page, `Receipt: ${summary}`);
  const paper = (await page.pdf({ format: 'A4' })).toString('latin1');
  expect(paper.match(/\/Type\s*\/Page\b/g), 'it prints on one sheet').toHaveLength(1);
  await page.getByRole('link', { name: 'Back to the Order' }).click();
}

/** From an order that has ended to the checkout of the same one, whose choices are filled in. */
export async function orderAgain(
  page: Page,
  { load, instructions }: Required<Pick<OrderChoices, 'load' | 'instructions'>>,
): Promise<void> {
  await page.getByRole('button', { name: 'Order again' }).click();
  await expect(page.getByRole('radio', { name: load, exact: true })).toBeChecked();
  await expect(page.getByRole('textbox', { name: 'Special Instructions' })).toHaveValue(instructions);
  await page.getByRole('button', { name: 'Place Order' }).click();
}
