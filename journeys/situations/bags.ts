import { expect, PHONE } from '../journey.ts';
import { openFold } from '../screens/pageElements.ts';
import {
  type Day,
  openBudsPhone,
  openDubersPhone,
  openProof,
  openScrubsPhone,
  press,
  readDeliveryId,
  readPin,
  startDay,
  takePhoto,
  takeSteps,
} from './day.ts';
import type { SituationTest } from './town.ts';

const WRONG_PINS = 5;

const readCases = async ({ bud }: Day) => (await bud.api.listCases({ query: {} })).data.items.map(({ kind }) => kind);

/** What goes wrong when laundry changes hands. */
export function describeBags(test: SituationTest): void {
  test('two bags are given and one is taken: both numbers are stored, and a case is opened', async ({
    town,
    openVisitor,
  }) => {
    const day = await startDay(town, openVisitor);
    const id = await readDeliveryId(day, 'Bud_To_Scrub');
    await takeSteps(day, id, 'sets out');
    const [atScrub, atDuber] = [await openScrubsPhone(day), await openDubersPhone(day, id)];
    await expect(atDuber.page.getByRole('button', { name: 'Mark as Collected' })).toBeVisible();
    await openProof(atDuber.page, town, 'Mark as Collected');
    await atDuber.page.getByLabel('Number of bags').fill('2');
    // In a cellar: the number waits on the phone.
    await atDuber.withoutNetwork(async () => {
      await press(atDuber.page, 'Collected');
      await expect(atDuber.page.getByText('Not sent yet').first()).toBeVisible();
    });
    await expect(atScrub.page.getByText(/with Dora Drive since .+, 2 bags\./)).toBeVisible();
    await press(atDuber.page, 'On The Way to Drop');
    await openProof(atDuber.page, town, 'Mark as Delivered');
    await atDuber.page.getByLabel('PIN').fill(await readPin(day, day.scrub));
    await press(atDuber.page, 'Delivered');
    await expect(atScrub.page.getByRole('button', { name: /^I have \d bags?$/ })).toBeVisible();
    await atScrub.page.getByLabel('Bags').fill('1');
    await press(atScrub.page, 'I have 1 bag');
    await expect.poll(() => readCases(day)).toEqual(['handover']);
    await atScrub.page.goto('/#/scrub/problems');
    await expect(atScrub.page.getByText('The number of bags differs').first()).toBeVisible();
  });

  test('five wrong PINs: the Duber leaves the laundry with a photo, and a case is opened', async ({
    town,
    openVisitor,
  }) => {
    const day = await startDay(town, openVisitor);
    const id = await readDeliveryId(day, 'Bud_To_Scrub');
    await takeSteps(day, id, 'drives');
    const pin = await readPin(day, day.scrub);
    const wrong = pin === '0000' ? '0001' : '0000';
    const [atScrub, atDuber] = [await openScrubsPhone(day), await openDubersPhone(day, id)];
    atDuber.allowErrors(409);
    await openProof(atDuber.page, town, 'Mark as Delivered');
    await atDuber.page.getByLabel('PIN').fill(wrong);
    // The first waits on the phone, and is refused once it is sent.
    await atDuber.withoutNetwork(async () => {
      await press(atDuber.page, 'Delivered');
      await expect(atDuber.page.getByText('Not sent yet').first()).toBeVisible();
    });
    await expect(atDuber.page.getByText('This is not the PIN, or it was used already').first()).toBeVisible();
    const tryPin = () => day.duber.api.deliverWithProof({ params: { id }, body: { pin: wrong } });
    for (let count = 1; count < WRONG_PINS; count += 1) await expect(tryPin()).rejects.toThrow(/PIN/);
    await expect.poll(() => readCases(day)).toContain('wrong-pin');
    await press(atDuber.page, 'Got it');
    await openProof(atDuber.page, town, 'Mark as Delivered');
    await press(atDuber.page, 'No PIN? Take a photo');
    await takePhoto(atDuber.page);
    await press(atDuber.page, 'Delivered');
    await expect(atScrub.page.getByText('The laundry has arrived.')).toBeVisible();
  });

  test('the phone of the Duber does not work at the door: the Scrub says so, and the town marks it as delivered', async ({
    town,
    openVisitor,
  }) => {
    const day = await startDay(town, openVisitor);
    const id = await readDeliveryId(day, 'Bud_To_Scrub');
    await takeSteps(day, id, 'drives');
    const [atScrub, atBud] = [await openScrubsPhone(day), await openBudsPhone(day)];
    await press(atScrub.page, 'I have 2 bags');
    const waits = atScrub.page.getByText('The Duber has not marked it as delivered yet.');
    await expect(waits).toBeVisible();
    await town.takeStep(id, 'mark-delivered', 'no-phone');
    await expect(waits).toHaveCount(0);
    await expect(atScrub.page.getByText('The laundry has arrived.')).toBeVisible();
    await atBud.page.goto(`/#/bud/deliveries/${id}`);
    await expect(atBud.page.getByText('The town marked it as delivered')).toBeVisible();
    await press(atScrub.page, 'Start Job');
    await expect(atScrub.page.getByText('In Progress').first()).toBeVisible();
    const lines = await day.duber.api.earningLines({ query: {} });
    expect(lines.map(({ deliveryId }) => deliveryId)).toContain(id);
  });

  test('a stranger finds a bag: its page says whom to write to, and no name', async ({ town, openVisitor }) => {
    const day = await startDay(town, openVisitor);
    const atBud = await openBudsPhone(day);
    if (town.preset === 'open') await openFold(atBud.page, 'Prove the hand-over');
    await atBud.page.getByRole('link', { name: 'Tags for your bags' }).click();
    await press(atBud.page, 'Make tags');
    const tag = atBud.page.getByRole('listitem').filter({ hasText: 'Rubadub, bag 1' });
    const code = (await tag.locator('strong').textContent()) ?? '';
    await atBud.withoutNetwork(async () => {
      const finder = await openVisitor({ ...PHONE, isMapless: true });
      await finder.page.goto(`/b/${code.toLowerCase()}`);
      await expect(finder.page.getByRole('heading', { name: `Bag ${code}` })).toBeVisible();
      await expect(finder.page.getByText('A Rubadub bag. Found it?')).toBeVisible();
      await expect(finder.page.getByText(day.bud.fullname)).toHaveCount(0);
    });
    await atBud.page.goto(`/b/${code}`);
    await expect(atBud.page.getByText('Bag 1 of your order.')).toBeVisible();
  });
}
