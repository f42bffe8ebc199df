import { expectAccessible } from './accessibility.ts';
import { openDashboard, placeOrder } from './accounts.ts';
import { expect, MAPLESS, OFFLINE_PHONE, PHONE, test } from './journey.ts';
import { resizeWindow } from './layoutProblems.ts';
import { createParticipants } from './orderScenario.ts';
import { openFold } from './screens/pageElements.ts';

test('laundry changes hands with tags and a PIN, also when the Duber has no network', async ({
  server,
  openVisitor,
}) => {
  const { bud, scrub, duber } = await createParticipants(server, 'Hilda');
  const { id } = await placeOrder(bud, scrub);
  await scrub.api['accept-order']({ params: { id } });
  const deliveryId = (await bud.api.readOrder({ params: { id } })).deliveries[0]?.id ?? '';
  for (const step of ['accept-delivery', 'way-to-pickup'] as const)
    await duber.api[step]({ params: { id: deliveryId } });

  const atBud = await openVisitor(MAPLESS);
  await openDashboard(atBud, server, bud);
  await atBud.page.goto(`/#/bud/orders/${id}`);
  const laundry = atBud.page.getByRole('region', { name: 'Laundry' });
  await openFold(atBud.page, 'Prove the hand-over');
  await expect(laundry.getByText('The laundry is with you.')).toBeVisible();
  await expect(laundry.getByText(/Your PIN/), 'nobody tells it at the pickup').toHaveCount(0);
  await expectAccessible(atBud.page, 'the order with its proofs');
  await laundry.getByRole('link', { name: 'Tags for your bags' }).click();
  await atBud.page.getByRole('button', { name: 'Make tags' }).click();
  const tag = atBud.page.getByRole('listitem').filter({ hasText: 'Rubadub, bag 1' });
  const code = (await tag.locator('strong').textContent()) ?? '';
  await expectAccessible(atBud.page, 'the tags');

  const atDuber = await openVisitor(OFFLINE_PHONE);
  await openDashboard(atDuber, server, duber);
  await atDuber.page.goto(`/#/duber/deliveries/${deliveryId}`);
  await atDuber.page.getByRole('button', { name: 'Prove the hand-over' }).click();
  const sheet = atDuber.page.getByRole('dialog');
  const tagOf = (one: string) => sheet.getByRole('button', { name: `Remove ${one}` });
  await sheet.getByLabel('Code on a tag').fill(code.toLowerCase());
  await sheet.getByRole('button', { name: 'Add' }).click();
  await expect(tagOf(code)).toBeVisible();
  await expectAccessible(atDuber.page, 'the sheet for tags');
  // The page has two columns when a tablet is turned, and the button behind the sheet moves.
  await resizeWindow(atDuber.page, { width: 1024, height: 768 });
  await expect(atDuber.page.getByRole('button', { name: 'Prove the hand-over', includeHidden: true })).toHaveCount(1);
  await expect(tagOf(code)).toBeVisible();
  await resizeWindow(atDuber.page, PHONE.viewport);
  await expect(tagOf(code)).toBeVisible();
  await sheet.getByLabel('Code on a tag').fill('ZZZ');
  await sheet.getByRole('button', { name: 'Add' }).click();
  await expect(sheet.getByText('A code has six letters and digits')).toBeVisible();
  // A tag that was typed wrongly is refused by its name; the sheet keeps the others, and it can be removed.
  await sheet.getByLabel('Code on a tag').fill('ZZZZZZ');
  await expect(sheet.getByText('A code has six letters and digits')).toHaveCount(0);
  await sheet.getByRole('button', { name: 'Add' }).click();
  atDuber.allowErrors(409);
  await sheet.getByRole('button', { name: 'Collected' }).click();
  await expect(
    atDuber.page.getByRole('alert').filter({ hasText: 'Bag ZZZZZZ does not belong to the order' }),
  ).toHaveCount(1);
  await expect(sheet.getByText('Bag ZZZZZZ does not belong to the order')).toBeVisible();
  await expect(tagOf(code)).toBeVisible();
  await expectAccessible(atDuber.page, 'the sheet with a bag that was refused');
  await tagOf('ZZZZZZ').click();
  await expect(tagOf('ZZZZZZ')).toHaveCount(0);
  await expect(sheet.getByText('Bag ZZZZZZ does not belong to the order')).toHaveCount(0);
  await sheet.getByRole('button', { name: 'Collected' }).click();
  await expect(sheet).toHaveCount(0);
  await atBud.page.goto(`/#/bud/orders/${id}`);
  await openFold(atBud.page, 'Prove the hand-over');
  await expect(laundry.getByText(/with Hilda Duber since .+, 1 bag\./)).toBeVisible();

  await atDuber.page.getByRole('button', { name: 'On The Way to Drop' }).click();
  const { pin } = await scrub.api.readCustody({ params: { id } });
  await atDuber.page.getByRole('button', { name: 'Prove the hand-over' }).click();
  // The sheet is on the device by now, and its proof waits there until the network is back.
  await expect(sheet.getByText('The person who takes the laundry sees it on their order.')).toBeVisible();
  await expectAccessible(atDuber.page, 'the sheet for the PIN');
  await atDuber.setOffline(true);
  await sheet.getByLabel('PIN').fill(pin ?? '');
  await sheet.getByRole('button', { name: 'Delivered' }).click();
  await expect(atDuber.page.getByText('Not sent yet').first()).toBeVisible();
  await atDuber.setOffline(false);
  await expect(laundry.getByText(/with Hilda Scrub since/)).toBeVisible();
  const { handovers } = await scrub.api.readCustody({ params: { id } });
  expect(handovers.map(({ proof }) => proof)).toEqual(['bag-codes', 'pin']);

  const atScrub = await openVisitor(MAPLESS);
  await openDashboard(atScrub, server, scrub);
  await atScrub.page.goto(`/#/scrub/jobs/${id}`);
  await atScrub.page.getByRole('button', { name: 'I have 1 bag' }).click();
  await expect(atScrub.page.getByRole('button', { name: 'I have 1 bag' })).toHaveCount(0);

  const finder = await openVisitor({ ...PHONE, isMapless: true });
  await finder.page.goto(`/b/${code.toLowerCase()}`);
  await expect(finder.page.getByRole('heading', { name: `Bag ${code}` })).toBeVisible();
  await expect(finder.page.getByText('A Rubadub bag. Found it?')).toBeVisible();
  await expect(finder.page.getByText('Hilda')).toHaveCount(0);
  await expectAccessible(finder.page, 'the bag');
});
