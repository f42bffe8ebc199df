import { expect } from '../journey.ts';
import { acceptDialog } from '../screens/pageElements.ts';
import {
  advanceClocks,
  carryLaundry,
  choose,
  type Day,
  openBudsPhone,
  openDubersPhone,
  openProof,
  openScrubsPhone,
  type Phone,
  press,
  readDeliveryId,
  readPin,
  startDay,
  takeSteps,
} from './day.ts';
import type { SituationTest } from './town.ts';

const MORE_THAN_A_SILENCE_MINUTES = 21;
const LET_OTHERS_FIRST_MINUTES = 30;

const signUpSecondDuber = ({ town, north }: Day) => town.signUp('Duber', 'Dan Next', { north });

/** The place of the Bud, as a step takes one. */
async function placeOfBud({ bud }: Day): Promise<{ latitude: number; longitude: number }> {
  const [address] = (await bud.api.profile()).addresses;
  if (!address) throw new Error('no address');
  return { latitude: address.latitude, longitude: address.longitude };
}

/** Checks the text that the Bud reads in the history of a delivery. */
async function expectNewsOfWay({ page }: Phone, id: string, words: string): Promise<void> {
  await page.goto(`/#/bud/deliveries/${id}`);
  await expect(page.getByText(words).first()).toBeVisible();
}

/** Problems on the way. */
export function describeOnTheWay(test: SituationTest): void {
  for (const [situation, reason] of [
    ['a tyre is flat before the laundry is collected', 'My vehicle broke down'],
    ['a Duber drops the delivery', 'I am not well'],
  ] as const)
    test(`${situation}: another Duber takes it`, async ({ town, openVisitor }) => {
      const day = await startDay(town, openVisitor);
      const id = await readDeliveryId(day, 'Bud_To_Scrub');
      await takeSteps(day, id, 'sets out');
      const second = await signUpSecondDuber(day);
      const [atBud, atDuber] = [await openBudsPhone(day), await openDubersPhone(day, id)];
      await atBud.withoutNetwork(async () => {
        await press(atDuber.page, 'Problem?');
        await press(atDuber.page, 'I cannot do this delivery');
        await choose(atDuber.page, reason);
        await press(atDuber.page, 'Give It to Others');
        await expect(atDuber.page.getByText('They come first for 30 minutes.')).toBeVisible();
      });
      await expectNewsOfWay(atBud, id, 'The Duber could not do it');
      const atSecond = await openDubersPhone(day, id, second);
      await press(atSecond.page, 'Accept 👍');
      await expect(atBud.page.getByText('Dan Next').first()).toBeVisible();
    });

  test('a tyre is flat with the laundry on board: the town hands it on to another Duber', async ({
    town,
    openVisitor,
  }) => {
    const day = await startDay(town, openVisitor);
    const id = await readDeliveryId(day, 'Bud_To_Scrub');
    await takeSteps(day, id, 'drives');
    const [atBud, atFirst] = [await openBudsPhone(day), await openDubersPhone(day, id)];
    const words = 'My tyre is flat at the bridge.';
    const place = await placeOfBud(day);
    const { id: caseId } = await day.duber.api.createCase({
      body: { kind: 'relay', deliveryId: id, words, place },
    });
    await atBud.withoutNetwork(() => town.takeStep(id, 'relay', 'breakdown', place));
    await expectNewsOfWay(atBud, id, 'The Duber could not continue, so another one takes over');
    const second = await signUpSecondDuber(day);
    const atSecond = await openDubersPhone(day, id, second);
    await expect(atFirst.page.getByRole('heading', { name: 'Wait here for the next Duber' })).toBeVisible();
    await press(atSecond.page, 'Accept 👍');
    await expect(atSecond.page.getByRole('heading', { name: 'Look for Dora D.' })).toBeVisible();
    await expect(atFirst.page.getByRole('heading', { name: 'Wait here for Dan N.' })).toBeVisible();
    await atFirst.page.goto('/duber');
    await expect(atFirst.page.getByRole('heading', { name: 'Wait here for Dan N.' })).toBeVisible();
    await atFirst.page.getByRole('link', { name: 'View Delivery' }).click();
    await expect(atFirst.page.getByText('Where you wait for the next Duber')).toBeVisible();
    await expect(atFirst.page.getByRole('region', { name: 'Delivery Earnings' })).toHaveCount(0);
    await press(atSecond.page, 'On The Way to Pickup');
    await expect(atFirst.page.getByText('Dan N. is on the way to you.')).toBeVisible();
    await expect(atBud.page.getByText('Dan continues with it.')).toBeVisible();
    atFirst.allowErrors(404);
    await openProof(atSecond.page, town, 'Mark as Collected');
    await atSecond.page.getByLabel('Number of bags').fill('2');
    await press(atSecond.page, 'Collected');
    await expect(atFirst.page.getByRole('heading', { name: 'No Longer Your Delivery' })).toBeVisible();
    await atFirst.page.goto(`/#/duber/problems/${caseId}`);
    await expect(
      atFirst.page.getByText('Another Duber has the laundry, or the town has called the delivery off.'),
    ).toBeVisible();
    await press(atSecond.page, 'On The Way to Drop');
    await openProof(atSecond.page, town, 'Mark as Delivered');
    await atSecond.page.getByLabel('PIN').fill(await readPin(day, day.scrub));
    await press(atSecond.page, 'Delivered');
    await expect(atBud.page.locator('[data-status]').first()).toHaveText('Delivered');
  });

  test('a tyre is flat with the laundry on board, and the Duber goes on after all: they have the laundry', async ({
    town,
    openVisitor,
  }) => {
    const day = await startDay(town, openVisitor);
    const id = await readDeliveryId(day, 'Bud_To_Scrub');
    await takeSteps(day, id, 'drives');
    const place = await placeOfBud(day);
    await town.takeStep(id, 'relay', 'breakdown', place);
    await advanceClocks(day, LET_OTHERS_FIRST_MINUTES + 1);
    const { page } = await openDubersPhone(day, id);
    await press(page, 'Accept 👍');
    const expectOwnLaundry = async () => {
      await expect(page.getByText('Pickup · You')).toBeVisible();
      await expect(page.getByText('Another Duber')).toHaveCount(0);
    };
    await expect(page.getByText('You have the laundry: continue.')).toBeVisible();
    await expectOwnLaundry();
    await press(page, 'On The Way to Pickup');
    await expect(page.getByText(/^Next stop: (?!the Duber)/)).toBeVisible();
    await page.goto('/duber');
    await expectOwnLaundry();
  });

  test('a Duber is silent: the delivery goes to others', async ({ town, openVisitor }) => {
    const day = await startDay(town, openVisitor);
    const id = await readDeliveryId(day, 'Bud_To_Scrub');
    await takeSteps(day, id, 'accepts');
    const [atBud, atDuber] = [await openBudsPhone(day), await openDubersPhone(day, id)];
    await expect(atDuber.page.getByRole('button', { name: 'On The Way to Pickup' })).toBeVisible();
    atDuber.allowErrors(404);
    await atDuber.withoutNetwork(async () => {
      await advanceClocks(day, MORE_THAN_A_SILENCE_MINUTES);
      if (town.preset === 'open') await town.takeStep(id, 'take-off', 'silent');
      const status = async () => (await day.bud.api.readDelivery({ params: { id } })).status;
      await expect.poll(status, { timeout: 120_000 }).toBe('Pending');
    });
    const news =
      town.preset === 'open' ? 'The town took the Duber off it, so others can take it' : 'The Duber was silent';
    await expectNewsOfWay(atBud, id, news);
    await expect(atDuber.page.getByRole('button', { name: 'On The Way to Pickup' })).toHaveCount(0);
  });

  test('the laundry is lost: everyone involved is notified', async ({ town, openVisitor }) => {
    const day = await startDay(town, openVisitor);
    const id = await readDeliveryId(day, 'Bud_To_Scrub');
    await takeSteps(day, id, 'collects');
    const [atBud, atDuber] = [await openBudsPhone(day), await openDubersPhone(day, id)];
    await atBud.withoutNetwork(async () => {
      await press(atDuber.page, 'Problem?');
      await press(atDuber.page, 'The laundry is lost');
      await atDuber.page.getByLabel('What happened, and where?').fill('It fell off at the bridge.');
      await press(atDuber.page, 'Report as Lost');
      await expect(atDuber.page.getByRole('dialog')).toHaveCount(0);
    });
    await expect(atBud.page.getByText('The laundry is reported as lost')).toBeVisible();
    const { items } = (await day.bud.api.listCases({ query: {} })).data;
    expect(items.map(({ kind, priority }) => [kind, priority])).toEqual([['lost', 'high']]);
    // It is found on the same day.
    await press(atDuber.page, 'Found It: Deliver It');
    await expect(atDuber.page.getByText('They know that you are on your way to them')).toBeVisible();
    await expect(atBud.page.getByText('The laundry is reported as lost')).toHaveCount(0);
    expect((await day.bud.api.readDelivery({ params: { id } })).status).toBe('Way_To_Drop');
  });

  test('the Scrub reads what the start waits for until the laundry is there', async ({ town, openVisitor }) => {
    const day = await startDay(town, openVisitor);
    const atScrub = await openScrubsPhone(day);
    const start = atScrub.page.getByRole('button', { name: 'Start Job' });
    if (town.preset === 'careful') {
      await expect(atScrub.page.getByText('Waiting for the laundry. A Duber will bring it to you.')).toBeVisible();
      await expect(start).toBeDisabled();
      await start.click({ force: true });
    } else await expect(atScrub.page.getByText('You can start before the laundry is there.')).toBeVisible();
    await carryLaundry(day, 'Bud_To_Scrub');
    await expect(atScrub.page.getByRole('button', { name: "I can't do it" })).toHaveCount(0);
    await expect(start).toBeEnabled();
    await press(atScrub.page, 'Start Job');
    await expect(atScrub.page.locator('[data-status="In_Progress"]').first()).toBeVisible();
  });

  test('a wrong tap on Delivered is taken back, and the Scrub still waits', async ({ town, openVisitor }) => {
    const day = await startDay(town, openVisitor);
    const id = await readDeliveryId(day, 'Bud_To_Scrub');
    await takeSteps(day, id, 'drives');
    const [atScrub, atDuber] = [await openScrubsPhone(day), await openDubersPhone(day, id)];
    const deliver = async () => {
      if (town.preset === 'open') {
        const question = /mark this delivery as completed/;
        return acceptDialog(atDuber.page, question, () => press(atDuber.page, 'Mark as Delivered'));
      }
      await openProof(atDuber.page, town, 'Mark as Delivered');
      await atDuber.page.getByLabel('PIN').fill(await readPin(day, day.scrub));
      return press(atDuber.page, 'Delivered');
    };
    await atScrub.withoutNetwork(async () => {
      await deliver();
      await expect(atDuber.page.getByRole('button', { name: 'Undo' })).toBeVisible();
    });
    await expect(atScrub.page.getByText('The laundry has arrived.')).toBeVisible();
    await atDuber.page.getByRole('button', { name: 'Undo' }).click();
    const way = 'The laundry has not arrived yet. A Duber is bringing it to you.';
    await expect(atScrub.page.getByText(way)).toBeVisible();
    await expect(atDuber.page.getByText('Taken back: pressed by mistake')).toBeVisible();
    await deliver();
    await expect(atScrub.page.getByText('The laundry has arrived.')).toBeVisible();
  });
}
