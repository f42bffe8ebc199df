import { expect, type Page } from '@playwright/test';
import { acceptDialog, card, expectTimeline, expectToast } from './pageElements.ts';

type Step = {
  readonly button: string;
  readonly status: string;
  readonly toast: readonly [title: string, description?: string];
  readonly confirmation?: string;
};

// spec 4.2 and 8
const STEPS: readonly Step[] = [
  { button: 'Accept 👍', status: 'Accepted', toast: ['Congratulations!', 'This delivery is assigned to you'] },
  {
    button: 'On The Way to Pickup',
    status: 'Way To Pick',
    toast: ['Status updated: On the way to pickup.'],
  },
  { button: 'Mark as Collected', status: 'Collected', toast: ['Status updated: Package collected.'] },
  { button: 'On The Way to Drop', status: 'Way To Drop', toast: ['Status updated: On the way to drop-off.'] },
  {
    button: 'Mark as Delivered',
    status: 'Delivered',
    toast: ['Delivery Completed!', 'Great job on successful delivery.'],
    confirmation: 'Are you sure you want to mark this delivery as completed?',
  },
];

export const DELIVERY_STATUS_LABELS = ['Pending', ...STEPS.map((step) => step.status)] as const;

/** Takes the steps of a delivery from one status to another and checks the screen after each. */
export async function takeDeliverySteps(page: Page, from: string, until: string): Promise<void> {
  const first = DELIVERY_STATUS_LABELS.indexOf(from);
  const last = DELIVERY_STATUS_LABELS.indexOf(until);
  for (const [index, step] of STEPS.slice(first, last).entries()) {
    const bar = page.getByRole('region', { name: 'Next step' });
    await expect(bar.getByRole('button')).toHaveCount(1);
    const button = bar.getByRole('button', { name: step.button, exact: true });
    if (step.confirmation === undefined) await button.click();
    else await acceptDialog(page, step.confirmation, () => button.click());
    await expectToast(page, ...step.toast);
    const status = card(page, 'Delivery Status');
    await expect(status.locator('[data-status]')).toHaveText(step.status);
    await expectTimeline(status.getByRole('list'), DELIVERY_STATUS_LABELS.slice(0, first + index + 2));
  }
}
