import type { DeliveryType } from '../../domain/deliveries.ts';
import { expect } from '../journey.ts';
import { agreeInSheet, openFold } from '../screens/pageElements.ts';
import {
  advanceClocks,
  choose,
  type Day,
  openBudsPhone,
  openDubersPhone,
  openProof,
  type Phone,
  press,
  readDeliveryId,
  readPin,
  startDay,
  takePhoto,
  takeSteps,
  washLaundry,
} from './day.ts';
import type { SituationTest } from './town.ts';

const MORE_THAN_A_WAIT_MINUTES = 6;

type Door = { readonly day: Day; readonly id: string; readonly atBud: Phone; readonly atDuber: Phone };

/** A Duber on the way to a door, and the phones of both. */
async function driveTo(day: Day, type: DeliveryType): Promise<Door> {
  const id = await readDeliveryId(day, type);
  await takeSteps(day, id, type === 'Bud_To_Scrub' ? 'sets out' : 'drives');
  return { day, id, atBud: await openBudsPhone(day), atDuber: await openDubersPhone(day, id) };
}

const happened = ({ page }: Phone) => page.getByRole('region', { name: 'What happened' });

/** The Duber says that they are at the door, and waits while the Bud's phone has no network. */
async function waitAtTheDoor({ day, atBud, atDuber: { page } }: Door): Promise<void> {
  await press(page, 'Problem?');
  await press(page, 'I am at the door');
  await expect(page.getByRole('dialog')).toContainText(/Please wait \d:\d\d/);
  await expect(atBud.page.getByRole('heading', { name: 'Dora is at your door' })).toBeVisible();
  await advanceClocks(day, MORE_THAN_A_WAIT_MINUTES);
}

/** Ends the attempt for a reason, with a photo of the door. */
async function giveUp({ page }: Phone, { button, reason }: { button: string; reason: string }): Promise<void> {
  const [open, end] =
    button === 'pickup' ? ['I cannot collect it', 'End This Pickup'] : ['I cannot hand it over', 'End This Attempt'];
  await press(page, open);
  await choose(page, reason);
  if (reason !== 'It is not safe') await takePhoto(page);
  await press(page, end);
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

/** What goes wrong at a door. */
export function describeAtTheDoor(test: SituationTest): void {
  for (const [situation, reason] of [
    ['nobody is home when the laundry is collected', 'Nobody is here'],
    ['there is nothing to collect', 'There is nothing to collect'],
  ] as const)
    test(`${situation}: the Bud reads it, and asks for another try`, async ({ town, openVisitor }) => {
      const door = await driveTo(await startDay(town, openVisitor), 'Bud_To_Scrub');
      const { day, id, atBud, atDuber } = door;
      await waitAtTheDoor(door);
      await atBud.withoutNetwork(() => giveUp(atDuber, { button: 'pickup', reason }));
      await expect(happened(atBud)).toContainText('The pickup did not work out');
      await expect(happened(atBud)).toContainText(`Dora said: “${reason}.”`);
      await happened(atBud).getByRole('button', { name: 'Try Again' }).click();
      await expect(happened(atBud)).toHaveCount(0);
      expect((await day.bud.api.readDelivery({ params: { id } })).status).toBe('Pending');
      // The same Duber accepts it again, and says at the door again that they are there.
      await atDuber.page.reload();
      for (const step of ['Accept 👍', 'On The Way to Pickup', 'Problem?']) await press(atDuber.page, step);
      await expect(atDuber.page.getByRole('button', { name: 'I am at the door' })).toBeVisible();
    });

  test('nobody is home when the laundry comes back: the Duber tries once more, and the Bud says the PIN', async ({
    town,
    openVisitor,
  }) => {
    const day = await startDay(town, openVisitor);
    await washLaundry(day);
    const door = await driveTo(day, 'Scrub_To_Bud');
    const { atBud, atDuber } = door;
    await waitAtTheDoor(door);
    await atBud.withoutNetwork(() => giveUp(atDuber, { button: 'drop', reason: 'Nobody is here' }));
    await expect(happened(atBud)).toContainText('Dora has the laundry, and tries again today or brings it back.');
    await press(atDuber.page, 'Try Again');
    await openProof(atDuber.page, town, 'Mark as Delivered');
    await atDuber.page.getByLabel('PIN').fill(await readPin(day, day.bud));
    await press(atDuber.page, 'Delivered');
    await openFold(atBud.page, 'Details');
    await expect(atBud.page.getByRole('region', { name: 'Laundry', exact: true })).toContainText(
      'The laundry is with you since',
    );
  });

  for (const [situation, reason] of [
    ['the laundry is refused', 'They do not want it'],
    ['it is not safe at the door', 'It is not safe'],
  ] as const)
    test(`${situation}: it goes back to the Scrub`, async ({ town, openVisitor }) => {
      const day = await startDay(town, openVisitor);
      await washLaundry(day);
      const door = await driveTo(day, 'Scrub_To_Bud');
      const { id, atBud, atDuber } = door;
      await waitAtTheDoor(door);
      await atBud.withoutNetwork(() => giveUp(atDuber, { button: 'drop', reason }));
      await expect(happened(atBud)).toContainText(`Dora said: “${reason}.”`);
      await press(atDuber.page, 'Bring It Back');
      await expect(atDuber.page.getByRole('button', { name: 'Mark as Brought Back' })).toBeVisible();
      // With proofs, the one who takes it back first says so on their own phone.
      if (town.preset === 'careful') {
        await day.scrub.api.confirmReceived({ params: { id: day.orderId }, body: { bags: 2 } });
        await press(atDuber.page, 'Mark as Brought Back');
        await press(atDuber.page, 'They confirmed it on their own phone');
      } else
        await agreeInSheet(atDuber.page, 'Is the laundry back?', 'It Is Back', () =>
          press(atDuber.page, 'Mark as Brought Back'),
        );
      await expect(happened(atBud)).toContainText('The laundry was brought back');
      expect((await day.bud.api.readDelivery({ params: { id } })).status).toBe('Returned');
    });

  test('laundry is left at the door, where the Bud wanted it', async ({ town, openVisitor }) => {
    const day = await startDay(town, openVisitor);
    await washLaundry(day);
    const { id, atBud, atDuber } = await driveTo(day, 'Scrub_To_Bud');
    if (town.preset === 'open') await openFold(atBud.page, 'Prove the hand-over');
    await atBud.page.getByRole('switch', { name: 'Leave it at my door' }).click();
    await expect(atBud.page.getByRole('switch', { name: 'Leave it at my door' })).toBeChecked();
    await atDuber.page.reload();
    await expect(
      atDuber.page.getByText('The Bud lets you leave it at the door: take a photo of it there.'),
    ).toBeVisible();
    await openProof(atDuber.page, town, 'Mark as Delivered');
    await expect(atDuber.page.getByRole('dialog').getByText('The Bud lets you leave it at the door')).toBeVisible();
    await takePhoto(atDuber.page);
    if (town.preset === 'careful') {
      const choose = (leaveAtDoor: boolean) =>
        day.bud.api.chooseLeaveAtDoor({ params: { id: day.orderId }, body: { leaveAtDoor } });
      await choose(false);
      atDuber.allowErrors(409);
      await press(atDuber.page, 'Delivered');
      await expect(atDuber.page.getByRole('dialog')).toContainText('The Bud no longer lets you leave it at the door.');
      await choose(true);
    }
    await atBud.withoutNetwork(() => press(atDuber.page, 'Delivered'));
    await expect(atBud.page.getByRole('region', { name: 'Laundry', exact: true })).toContainText(/your door|with you/);
    const { handovers } = await day.bud.api.readCustody({ params: { id: day.orderId } });
    expect(handovers.at(-1)).toMatchObject({ deliveryId: id, proof: 'door' });
  });
}
