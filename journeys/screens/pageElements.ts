import { expect, type Locator, type Page } from '@playwright/test';

/** Waits for a toast and closes it, so that it is not confused with the next one. */
export async function expectToast(page: Page, title: string, description?: string | RegExp): Promise<void> {
  const toast = page
    .getByRole('region', { name: 'Notifications' })
    .locator('[role="status"], [role="alert"]')
    .filter({ hasText: title })
    .filter(description === undefined ? {} : { hasText: description });
  await expect(toast).toBeVisible();
  // At once: on a busy machine a toast moves and ends by itself while a mouse would look for it.
  await toast
    .getByRole('button', { name: 'Close notification' })
    .evaluateAll((buttons: readonly { click(): void }[]) => {
      for (const button of buttons) button.click();
    });
  await expect(toast).toHaveCount(0);
}

const expectsDialog = new WeakSet<Page>();

/** Reports and dismisses every dialog that the journey does not expect. An open dialog would block its page. */
export function onUnexpectedDialog(page: Page, report: (message: string) => void): void {
  page.on('dialog', (dialog) => {
    if (expectsDialog.has(page)) return;
    report(dialog.message());
    void dialog.dismiss().catch(() => undefined);
  });
}

/** Does something that opens a dialog, checks its message and accepts it. */
export async function acceptDialog(page: Page, words: string | RegExp, act: () => Promise<unknown>): Promise<void> {
  expectsDialog.add(page);
  const opened = page.waitForEvent('dialog').then(async (dialog) => {
    expectsDialog.delete(page);
    const message = dialog.message();
    await dialog.accept();
    return message;
  });
  const [message] = await Promise.all([opened, act()]).finally(() => expectsDialog.delete(page));
  if (typeof words === 'string') expect(message).toBe(words);
  else expect(message).toMatch(words);
}

/** Does something that asks in a sheet of ours, checks the title and agrees. */
export async function agreeInSheet(
  page: Page,
  title: string | RegExp,
  button: string,
  act: () => Promise<unknown>,
): Promise<void> {
  await act();
  const sheet = page.getByRole('dialog', { name: title });
  await sheet.getByRole('button', { name: button, exact: true }).click();
  await expect(sheet).toHaveCount(0);
}

/** The value of a dashboard's figure. */
export function figureNamed(page: Page, name: string): Locator {
  const card = page.locator('dl > div').filter({ has: page.locator('dt').getByText(name, { exact: true }) });
  return card.locator('dd');
}

export async function expectFigures(page: Page, figures: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(figures)) await expect(figureNamed(page, name), name).toHaveText(value);
}

/** A card of the page by its heading. */
export function card(page: Page, name: string): Locator {
  return page.getByRole('main').getByRole('region', { name, exact: true });
}

/** Opens a part of the page that is folded, such as 'Details'. It stays open if it is. */
export async function openFold(page: Page, title: string): Promise<void> {
  const summary = page
    .getByRole('main')
    .locator('summary')
    .filter({ has: page.getByText(title, { exact: true }) });
  await expect(summary).toBeVisible();
  if ((await summary.locator('xpath=..').getAttribute('open')) === null) await summary.click();
}

/** Opens a screen from the sidebar, or on phones from the bar at the bottom. */
export async function goTo(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click();
}

export async function refresh(page: Page): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: 'Refresh' }).first().click();
}

/** Checks the statuses that a timeline shows as reached, oldest first. */
export async function expectTimeline(timeline: Locator, statuses: readonly string[]): Promise<void> {
  const reached = timeline.getByRole('listitem').filter({ has: timeline.page().locator('time') });
  await expect(reached).toHaveText(statuses.map((status) => new RegExp(`^${status}\\s*${DATE_PATTERN.source}$`)));
}

/** Presses Try Again until `loaded` shows. A live event also loads the page again, and then there is nothing to press. */
export async function tryAgain(page: Page, loaded: Locator): Promise<void> {
  const click = page.getByRole('button', { name: 'Try Again' }).click();
  await Promise.race([click.catch(() => undefined), loaded.waitFor()]);
  await expect(loaded).toBeVisible();
}

// spec 9: DD/MMM/YY : h:mm a
export const DATE_PATTERN = /\d{2}\/[A-Z][a-z]{2}\/\d{2} : \d{1,2}:\d{2} [ap]m/;

/** Taps twice before the screen can show what the first tap did. */
export const doubleTap = (button: Locator): Promise<void> =>
  button.evaluate((element) => {
    const { MouseEvent } = globalThis as unknown as { MouseEvent: new (type: string, init: object) => Event };
    for (const detail of [1, 2])
      element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail }));
  });
