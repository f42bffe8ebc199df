import { expect } from '../journey.ts';
import {
  bringLaundryHome,
  choose,
  type Day,
  openBudsPhone,
  openScrubsPhone,
  type Phone,
  press,
  startDay,
  takePhoto,
} from './day.ts';
import type { SituationTest } from './town.ts';

type Claim = { readonly day: Day; readonly id: string; readonly atBud: Phone; readonly atScrub: Phone };

/** A Bud reports what is wrong with a shirt that came home, and the Scrub opens the report. */
async function reportShirt(day: Day, kind: 'Stained' | 'Missing'): Promise<Claim> {
  await bringLaundryHome(day);
  const [atBud, atScrub] = [await openBudsPhone(day), await openScrubsPhone(day)];
  const { page } = atBud;
  await atScrub.withoutNetwork(async () => {
    await page.getByRole('link', { name: 'Report a problem' }).click();
    await page.getByLabel('What is it?').fill('Blue shirt');
    await page.getByLabel('What is wrong with it?').selectOption(kind);
    if (kind === 'Stained') await takePhoto(page);
    await page.getByLabel('Price when new').fill('20');
    await page.getByLabel('Age (in months)').fill('2');
    await page.getByLabel('What you ask for').fill('5');
    await press(page, 'Send report');
    await expect(page.getByRole('heading', { name: /^Problem C-\d+$/ })).toBeVisible();
  });
  const id = page.url().split('/').at(-1) ?? '';
  await atScrub.page.goto(`/#/scrub/problems/${id}`);
  await expect(atScrub.page.getByRole('region', { name: 'Your answer' })).toBeVisible();
  return { day, id, atBud, atScrub };
}

/** The Scrub answers while the Bud's phone has no network. */
async function answer({ atBud, atScrub: { page } }: Claim, offer: string, dollars?: string): Promise<void> {
  await atBud.withoutNetwork(async () => {
    await choose(page, offer);
    if (dollars) await page.getByLabel('How much').fill(dollars);
    await page.getByLabel('What happened?').fill('I am sorry about the shirt.');
    await press(page, 'Send answer');
    await expect(page.getByRole('region', { name: 'Your answer' })).toHaveCount(0);
  });
}

const offerTo = ({ atBud: { page } }: Claim) => page.getByRole('region', { name: /^The (offer|answer)$/ });

/** What is wrong with laundry that came home. */
export function describeClaims(test: SituationTest): void {
  for (const kind of ['Stained', 'Missing'] as const)
    test(`a shirt is ${kind.toLowerCase()}: the Scrub gives money back, and the Bud accepts`, async ({
      town,
      openVisitor,
    }) => {
      const claim = await reportShirt(await startDay(town, openVisitor), kind);
      await answer(claim, 'Give money back', '4');
      await expect(offerTo(claim)).toContainText('The Scrub offers to give $4.00 back to the card.');
      await press(claim.atBud.page, 'Accept');
      await expect(claim.atBud.page.getByText('$4.00 goes back to the card.')).toBeVisible();
      await expect(claim.atScrub.page.getByText('It is decided, and is closed after 7 days.')).toBeVisible();
    });

  test('a shirt is stained: the Scrub cleans it again', async ({ town, openVisitor }) => {
    const claim = await reportShirt(await startDay(town, openVisitor), 'Stained');
    const { day, atBud, atScrub } = claim;
    await answer(claim, 'Clean it again');
    await expect(offerTo(claim)).toContainText('The Scrub offers to clean it again, at no cost for the Bud.');
    await press(atBud.page, 'Accept');
    await expect(atScrub.page.getByText('It is decided, and is closed after 7 days.')).toBeVisible();
    await expect(atScrub.page.getByText('The laundry is cleaned again, at no cost for the Bud.')).toBeVisible();
    await atBud.page.goto(`/#/bud/orders/${day.orderId}`);
    await expect(atBud.page.locator('[data-status="In_Progress"]').first()).toBeVisible();
    expect((await day.bud.api.readOrder({ params: { id: day.orderId } })).round).toBe(2);
  });

  test('a shirt was stained before, says the Scrub: the Bud asks the town, which decides', async ({
    town,
    openVisitor,
  }) => {
    const claim = await reportShirt(await startDay(town, openVisitor), 'Stained');
    const { id, atBud, atScrub } = claim;
    await answer(claim, 'It was like that before');
    await expect(offerTo(claim)).toContainText('The Scrub says that it was like that before.');
    await expect(atBud.page.getByText('Without an answer within 72 hours, nothing is given back.')).toBeVisible();
    await expect(atBud.page.getByRole('button', { name: 'Agree', exact: true })).toBeVisible();
    await press(atBud.page, 'No, ask the town');
    await press(atBud.page, 'Ask the town');
    await expect(offerTo(claim)).toContainText('Say what would be fair');
    await atBud.page.getByRole('textbox', { name: 'What would be fair, and why?' }).fill('It was clean on the photo.');
    await press(atBud.page, 'Ask the town');
    await expect(atBud.page.getByText('We look at it and decide. You do not need to do anything.')).toBeVisible();
    await town.decide(id, [{ n: 1, cents: 300, liable: 'platform' }], 'The photo shows it clean.');
    await expect(atBud.page.getByText('$3.00 goes back to the card.')).toBeVisible();
    await expect(atScrub.page.getByText('It is decided, and is closed after 7 days.')).toBeVisible();
  });
}
