import { expect } from '../journey.ts';
import { orderStatusCard } from '../screens/orders.ts';
import { openFold } from '../screens/pageElements.ts';
import {
  advanceClocks,
  carryLaundry,
  choose,
  type Day,
  openBudsPhone,
  openScrubsPhone,
  press,
  startDay,
  weighWhereAsked,
} from './day.ts';
import type { SituationTest } from './town.ts';

const MORE_THAN_A_SILENCE_MINUTES = 8 * 60 + 5;
const MORE_THAN_LATE_MINUTES = 48 * 60 + 5;
// The timers run twice a minute.
const TIMERS = { timeout: 120_000 };

const readCases = async ({ bud }: Day) => (await bud.api.listCases({ query: {} })).data.items.map(({ kind }) => kind);

// A careful town weighs laundry before it charges a card.
const MONEY_OF_CANCELLED = {
  open: {
    before: 'charged',
    dialog: /It costs nothing: you get \$\d+\.\d\d back\./,
    status: /In all, \$\d+\.\d\d goes back to your card\./,
    after: 'refunded',
  },
  careful: {
    before: 'held',
    dialog: 'It costs nothing.',
    status: 'You pay nothing.',
    after: 'released',
  },
} as const;

/** What changes about an order. */
export function describeChanges(test: SituationTest): void {
  test('a Scrub is ill and gives the order back: another one does it', async ({ town, openVisitor }) => {
    // In a careful town, who does not have the work reads a short name.
    const day = await startDay(town, openVisitor);
    const well = await town.signUp('Scrub', 'Will Well', { north: day.north + 500 });
    const [atBud, atScrub] = [await openBudsPhone(day), await openScrubsPhone(day)];
    await atBud.withoutNetwork(async () => {
      await press(atScrub.page, "I can't do it");
      await choose(atScrub.page, 'I am not well');
      await press(atScrub.page, 'Give It Back');
      await expect(
        atScrub.page.getByText(/^You gave this job back\. Bea (Bad|B\.) is choosing another Scrub\.$/),
      ).toBeVisible();
    });
    const others = atBud.page.getByRole('region', { name: 'Choose another Scrub' });
    await expect(others.getByRole('heading')).toHaveText("Sol can't do your laundry after all");
    atScrub.allowErrors(404);
    await others.getByRole('button', { name: 'Ask Will Well' }).click();
    await expect(orderStatusCard(atBud.page)).toContainText('Will Well has not answered yet.');
    await well.api['accept-order']({ params: { id: day.orderId } });
    await expect(atBud.page.locator('[data-status="Accepted"]').first()).toBeVisible();
  });

  test('a Bud cancels after the acceptance, and pays nothing', async ({ town, openVisitor }) => {
    const money = MONEY_OF_CANCELLED[town.preset];
    const day = await startDay(town, openVisitor);
    const readMovements = async () => {
      const { movements } = await day.bud.api.readReceipt({ params: { id: day.orderId } });
      return movements.map(({ kind }) => kind);
    };
    await expect.poll(readMovements).toContain(money.before);
    const [atBud, atScrub] = [await openBudsPhone(day), await openScrubsPhone(day)];
    await atScrub.withoutNetwork(async () => {
      await openFold(atBud.page, 'Help');
      await press(atBud.page, 'Cancel this order');
      const dialog = atBud.page.getByRole('dialog');
      await expect(dialog).toContainText(money.dialog);
      await choose(atBud.page, 'I changed my mind');
      await dialog.getByRole('button', { name: 'Cancel Order' }).click();
      await expect(atBud.page.getByText(money.status)).toBeVisible();
    });
    await expect(atScrub.page.locator('[data-status="Cancelled"]').first()).toBeVisible();
    await expect.poll(readMovements).toContain(money.after);
  });

  test('a Scrub has the laundry and is silent: the town asks', async ({ town, openVisitor }) => {
    const day = await startDay(town, openVisitor);
    await carryLaundry(day, 'Bud_To_Scrub');
    const [atBud, atScrub] = [await openBudsPhone(day), await openScrubsPhone(day)];
    await atBud.withoutNetwork(async () => {
      await advanceClocks(day, MORE_THAN_A_SILENCE_MINUTES);
      await expect.poll(() => readCases(day), TIMERS).toEqual(['scrub-silent']);
    });
    await atBud.page.goto('/#/bud/problems');
    await expect(atBud.page.getByText('The Scrub has not started').first()).toBeVisible();
    await press(atScrub.page, 'Start Job');
    await expect(atScrub.page.locator('[data-status="In_Progress"]').first()).toBeVisible();
  });

  test('the laundry is late: the Bud is notified, and the Scrub still finishes it', async ({ town, openVisitor }) => {
    const day = await startDay(town, openVisitor);
    await carryLaundry(day, 'Bud_To_Scrub');
    await day.scrub.api['start-order']({ params: { id: day.orderId } });
    await weighWhereAsked(day);
    const [atBud, atScrub] = [await openBudsPhone(day), await openScrubsPhone(day)];
    await atBud.withoutNetwork(async () => {
      await advanceClocks(day, MORE_THAN_LATE_MINUTES);
      await expect.poll(() => readCases(day), TIMERS).toEqual(['late']);
    });
    await atBud.page.goto('/#/bud/problems');
    await expect(atBud.page.getByText('The laundry is late').first()).toBeVisible();
    await press(atScrub.page, 'Complete Job');
    await expect(atScrub.page.locator('[data-status="Completed"]').first()).toBeVisible();
  });
}
