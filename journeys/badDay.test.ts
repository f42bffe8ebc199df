import type { Locator, Page } from '@playwright/test';
import { createTestUser, openDashboard, placeOrder, type TestUser } from './accounts.ts';
import { expect, PHONE, test, type Visitor, type VisitorOptions } from './journey.ts';
import { resizeWindow } from './layoutProblems.ts';
import { readOfflineCache } from './offlineReady.ts';
import { newPhoto } from './photos.ts';
import type { ProductServer } from './productServer.ts';
import { expectNoScreenProblems } from './screenProblems.ts';
import { orderStatusCard } from './screens/orders.ts';
import { acceptDialog, doubleTap, expectToast, openFold } from './screens/pageElements.ts';

// Far away from the users of the other journeys, whose deliveries would be offered here as well.
const LOCATION = { latitude: 25.6, longitude: 68.9 };

async function expectGoodPhoneScreen(page: Page, name: string): Promise<void> {
  await expectNoScreenProblems(page, name, [320, 1280]);
  await resizeWindow(page, PHONE.viewport);
}

const createPerson = (server: ProductServer, role: TestUser['role'], fullname: string) =>
  createTestUser(server, { role, fullname, at: LOCATION });

type OpenVisitor = (options?: VisitorOptions) => Promise<Visitor>;

/** A phone with a page of a user. */
async function openPhone(openVisitor: OpenVisitor, server: ProductServer, user: TestUser, path: string) {
  const visitor = await openVisitor({ ...PHONE, isMapless: true });
  await openDashboard(visitor, server, user);
  await visitor.page.goto(`/#${path}`);
  return visitor;
}

async function createAcceptedOrder(bud: TestUser, scrub: TestUser) {
  const params = { id: (await placeOrder(bud, scrub)).id };
  await scrub.api['accept-order']({ params });
  const deliveryId = (await bud.api.readOrder({ params })).deliveries[0]?.id ?? '';
  return { orderId: params.id, deliveryId };
}

test('nobody is home, a Duber gives up, the next one brings the laundry back: everyone reads what happens', async ({
  server,
  openVisitor,
}) => {
  const [bud, scrub, first, second] = await Promise.all([
    createPerson(server, 'Bud', 'Nora Nothome'),
    createPerson(server, 'Scrub', 'Sid Soap'),
    createPerson(server, 'Duber', 'Dora First'),
    createPerson(server, 'Duber', 'Dan Second'),
  ]);
  const { orderId, deliveryId } = await createAcceptedOrder(bud, scrub);
  const params = { id: deliveryId };
  await first.api['accept-delivery']({ params });
  await first.api['way-to-pickup']({ params });
  const atBud = (await openPhone(openVisitor, server, bud, `/bud/orders/${orderId}`)).page;
  const { context, page: atFirst } = await openPhone(openVisitor, server, first, `/duber/deliveries/${deliveryId}`);
  await context.grantPermissions(['geolocation']);
  await context.setGeolocation(LOCATION);

  // At the door.
  const problemButton = atFirst.getByRole('button', { name: 'Problem?' });
  await problemButton.click();
  const sheet = atFirst.getByRole('dialog');
  await expect(sheet.locator(':focus')).toHaveCount(1);
  await atFirst.keyboard.press('Escape');
  await expect(sheet).toHaveCount(0);
  await expect(problemButton).toBeFocused();
  await problemButton.click();
  await expectGoodPhoneScreen(atFirst, 'what is the problem');
  // A double tap is one tap, here and below.
  await doubleTap(sheet.getByRole('button', { name: 'I am at the door' }));
  await expect(sheet).toContainText(/They know that you are here\. Please wait \d:\d\d/);
  await expectGoodPhoneScreen(atFirst, 'waiting at a door');
  await expect(orderStatusCard(atBud).getByRole('heading', { name: 'Dora is at your door' })).toBeVisible();
  await expectGoodPhoneScreen(atBud, 'a Duber is at the door');

  // It does not work out.
  await sheet.getByRole('button', { name: 'I cannot collect it' }).click();
  await sheet.getByRole('radio', { name: 'Nobody is here' }).check();
  await sheet.getByRole('button', { name: 'End This Pickup' }).click();
  await expect(sheet.getByRole('alert')).toHaveText('Please take a photo of the door first');
  await expectGoodPhoneScreen(atFirst, 'a pickup did not work out');
  await sheet.getByRole('radio', { name: 'It is not safe' }).check();
  await sheet.getByRole('button', { name: 'End This Pickup' }).click();
  await expect(sheet).toHaveCount(0);
  const happened = atBud.getByRole('region', { name: 'What happened' });
  await expect(happened).toContainText('The pickup did not work out');
  await expect(happened).toContainText('Dora said: “It is not safe.”');
  await expectGoodPhoneScreen(atBud, 'choices after a pickup that failed');
  await happened.getByRole('button', { name: 'Try Again' }).click();
  await expect(happened).toHaveCount(0);

  // The first Duber takes it again, and gives it to others. Only the others are offered it.
  await expectToast(atFirst, 'New delivery nearby');
  await first.api['accept-delivery']({ params });
  const atSecond = (await openPhone(openVisitor, server, second, '/duber/dashboard')).page;
  await expect(atSecond.getByText('No new deliveries available at the moment')).toBeVisible();
  await atFirst.getByRole('button', { name: 'Problem?' }).click();
  await sheet.getByRole('button', { name: 'I cannot do this delivery' }).click();
  await sheet.getByRole('radio', { name: 'My vehicle broke down' }).check();
  await expectGoodPhoneScreen(atFirst, 'giving a delivery to others');
  await doubleTap(sheet.getByRole('button', { name: 'Give It to Others' }));
  await expect(atFirst.getByText('The delivery was given to others')).toBeVisible();
  await expect(atFirst.getByText('The delivery is still yours')).toHaveCount(0);
  await expect(orderStatusCard(atBud)).toContainText('Your Duber could not come. We ask the others nearby.');
  await expect(atSecond.getByText('New delivery nearby')).toBeVisible();
  await expect(atFirst.getByText('New delivery nearby')).toHaveCount(0);
  await expect(atFirst.getByText('They come first for 30 minutes.')).toBeVisible();
  await expect.poll(() => readOfflineCache(atFirst)).toContain('Nora Nothome');
  await expectGoodPhoneScreen(atFirst, 'a delivery that was given to others');
  await atSecond.getByRole('button', { name: 'Accept 👍' }).click();

  // Nobody takes the laundry either: it goes back.
  await expect(atSecond.getByText('Congratulations!')).toBeVisible();
  await expect
    .poll(() => readOfflineCache(atFirst), 'whose laundry it was is not kept on the device of who lost it')
    .not.toContain('Nora Nothome');
  for (const step of ['way-to-pickup', 'collected', 'way-to-drop'] as const) await second.api[step]({ params });
  await atSecond.goto(`/#/duber/deliveries/${deliveryId}`);
  await expect(atSecond.getByRole('button', { name: 'Mark as Delivered' })).toBeVisible();
  // Above the map, so that nobody has to look for it at a door.
  const topOf = async (element: Locator) => (await element.boundingBox())?.y ?? 0;
  const mapTop = await topOf(atSecond.getByRole('region', { name: 'Pickup & Drop Locations' }));
  expect(await topOf(atSecond.getByRole('button', { name: 'Problem?' }))).toBeLessThan(mapTop);
  await atSecond.getByRole('button', { name: 'Problem?' }).click();
  const secondSheet = atSecond.getByRole('dialog');
  // This phone does not say where it is: a photo does.
  await secondSheet.getByRole('button', { name: 'I am at the door' }).click();
  await expect(secondSheet).toContainText('Your phone has no location.');
  // Pressed again without one, it says so.
  await secondSheet.getByRole('button', { name: 'I am at the door' }).click();
  const photoHint = secondSheet.getByText('Please take a photo of the door first. Your phone has no location');
  await expect(photoHint).toBeFocused();
  await secondSheet.getByLabel('Choose photo').setInputFiles(newPhoto('door.png'));
  await expect(secondSheet.getByText('1 of 1 photos')).toBeVisible();
  await expectGoodPhoneScreen(atSecond, 'a photo of the door');
  await secondSheet.getByRole('button', { name: 'I am at the door' }).click();
  await expect(secondSheet).toContainText(/Please wait \d:\d\d/);
  await secondSheet.getByRole('button', { name: 'I cannot hand it over' }).click();
  await secondSheet.getByRole('radio', { name: 'It is not safe' }).check();
  await secondSheet.getByRole('button', { name: 'End This Attempt' }).click();
  await expect(happened).toContainText('Dan has the laundry, and tries again today or brings it back.');
  await expectGoodPhoneScreen(atSecond, 'laundry that nobody took');
  await expectGoodPhoneScreen(atBud, 'laundry that nobody took, for its Bud');
  await atSecond.getByRole('button', { name: 'Bring It Back' }).click();
  await expect(atSecond.getByRole('button', { name: 'Mark as Brought Back' })).toBeVisible();
  await expectGoodPhoneScreen(atSecond, 'the way back');
  await atSecond.getByRole('button', { name: 'Prove the hand-over' }).click();
  await expect(secondSheet).toContainText('Who takes the laundry back?');
  await secondSheet.getByLabel('PIN').fill((await bud.api.readCustody({ params: { id: orderId } })).pin ?? '');
  await expectGoodPhoneScreen(atSecond, 'the proof of bringing it back');
  // While the proof is being sent its sheet stays, and the button behind it shows that, and takes nothing.
  const { promise: isPressed, resolve: send } = Promise.withResolvers<void>();
  await atSecond.context().route('**/brought-back', async (route) => {
    await isPressed;
    await route.continue();
  });
  const proveIt = secondSheet.getByRole('button', { name: 'Brought Back' });
  await proveIt.click();
  await expect(proveIt).toBeDisabled();
  await secondSheet.getByRole('button', { name: 'Close dialog' }).click();
  await expect(secondSheet).toHaveCount(0);
  const withoutProof = atSecond.getByRole('button', { name: 'Mark as Brought Back' });
  await expect(withoutProof).toHaveAttribute('aria-busy', 'true');
  await withoutProof.click();
  send();
  await expect(happened).toContainText('The laundry was brought back');
  await expect(happened).toContainText('We will get in touch about the next try.');
  // It is at home again: the order can be cancelled as before its pickup.
  await expect(atBud.getByText('it was brought back to you.')).toBeVisible();
  await openFold(atBud, 'Help');
  await expect(atBud.getByRole('button', { name: 'Cancel this order' })).toBeVisible();
  await expectGoodPhoneScreen(atBud, 'laundry that was brought back');
  const { handovers } = await bud.api.readCustody({ params: { id: orderId } });
  expect(handovers.at(-1)?.proof).toBe('pin');
});

test('a wrong tap on Delivered is taken back', async ({ server, openVisitor }) => {
  const [bud, scrub, duber] = await Promise.all([
    createPerson(server, 'Bud', 'Wanda Watching'),
    createPerson(server, 'Scrub', 'Walt Waiting'),
    createPerson(server, 'Duber', 'Wes Wrongtap'),
  ]);
  const { orderId, deliveryId } = await createAcceptedOrder(bud, scrub);
  for (const step of ['accept-delivery', 'way-to-pickup', 'collected', 'way-to-drop'] as const)
    await duber.api[step]({ params: { id: deliveryId } });
  const duberVisitor = await openPhone(openVisitor, server, duber, `/duber/deliveries/${deliveryId}`);
  const atDuber = duberVisitor.page;
  const atScrub = (await openPhone(openVisitor, server, scrub, `/scrub/jobs/${orderId}`)).page;
  const deliver = () =>
    acceptDialog(atDuber, /mark this delivery as completed/, () =>
      atDuber.getByRole('button', { name: 'Mark as Delivered' }).click(),
    );
  await deliver();
  await expect(atScrub.getByText('The laundry has arrived.')).toBeVisible();
  await expect(atDuber.getByRole('button', { name: 'Undo' })).toBeVisible();
  await expectGoodPhoneScreen(atDuber, 'a delivery that can be undone');
  await atDuber.getByRole('button', { name: 'Undo' }).click();
  await expect(atScrub.getByText('A Duber is bringing it to you.')).toBeVisible();
  await expect(atDuber.getByText('Taken back: pressed by mistake')).toBeVisible();
  // The Duber cannot go on: only the town can hand the laundry on to another one. This phone does not say where it is.
  await atDuber.getByRole('button', { name: 'Problem?' }).click();
  const sheet = atDuber.getByRole('dialog');
  await sheet.getByRole('button', { name: 'I cannot continue' }).click();
  await sheet.getByRole('button', { name: 'Ask for Another Duber' }).click();
  await expect(sheet).toContainText('Please say what happened');
  await sheet.getByLabel('What happened?').fill('My chain broke.');
  await expectGoodPhoneScreen(atDuber, 'asking for another Duber');
  await sheet.getByRole('button', { name: 'Ask for Another Duber' }).click();
  await expect(sheet).toContainText('Write where the laundry is, and send it again.');
  await sheet.getByLabel('What happened?').fill('My chain broke, at the bridge.');
  await sheet.getByRole('button', { name: 'Ask for Another Duber' }).click();
  await expect(atDuber.getByText('We look for another Duber and get in touch.')).toBeVisible();
  await expectGoodPhoneScreen(atDuber, 'another Duber is asked for');
  await atDuber.getByRole('link', { name: 'View the delivery' }).click();
  await deliver();
  await expect(atScrub.getByText('The laundry has arrived.')).toBeVisible();
  // Once the Scrub has started, the town is asked.
  await expect(atDuber.getByRole('button', { name: 'Undo' })).toBeVisible();
  await scrub.api['start-order']({ params: { id: orderId } });
  duberVisitor.allowErrors(409);
  await atDuber.getByRole('button', { name: 'Undo' }).click();
  await expect(atDuber.getByText('This can no longer be taken back')).toBeVisible();
  await expect(atDuber.getByRole('button', { name: 'Undo' })).toHaveCount(0);
  await atDuber.reload();
  await atDuber.getByRole('button', { name: 'Ask the Town' }).click();
  await expect(atDuber.getByRole('button', { name: 'Undo' })).toHaveCount(0);
  await sheet.getByLabel('What is wrong?').fill('I have given the Scrub the wrong bag.');
  await expectGoodPhoneScreen(atDuber, 'asking the town about a delivery');
  await sheet.getByRole('button', { name: 'Send' }).click();
  await expect(atDuber.getByText('A question')).toBeVisible();
});

test('a Scrub gives an order back, and another one does it; the next order its Bud cancels', async ({
  server,
  openVisitor,
}) => {
  const [bud, ill, well] = await Promise.all([
    createPerson(server, 'Bud', 'Carla Changes'),
    createPerson(server, 'Scrub', 'Ira Ill'),
    createPerson(server, 'Scrub', 'Will Well'),
  ]);
  const { orderId } = await createAcceptedOrder(bud, ill);
  const budVisitor = await openPhone(openVisitor, server, bud, `/bud/orders/${orderId}`);
  const illVisitor = await openPhone(openVisitor, server, ill, `/scrub/jobs/${orderId}`);
  const [atBud, atIll] = [budVisitor.page, illVisitor.page];
  await atIll.getByRole('button', { name: "I can't do it" }).click();
  await atIll.getByRole('radio', { name: 'I am not well' }).check();
  await atIll.getByLabel('Anything to add? (optional)').fill('I have a fever since this morning.');
  await expectGoodPhoneScreen(atIll, 'giving a job back');
  await atIll.getByRole('button', { name: 'Give It Back' }).click();
  await expect(atIll.getByText('You gave this job back. Carla Changes is choosing another Scrub.')).toBeVisible();
  await expect(atIll.getByRole('button', { name: 'Accept' })).toHaveCount(0);
  await expectGoodPhoneScreen(atIll, 'a job that was given back');

  await expect(atIll.getByText('You wrote: “I have a fever since this morning.”')).toBeVisible();
  await expect(atBud.getByText('Ira wrote: “I have a fever since this morning.”')).toBeVisible();

  const others = atBud.getByRole('region', { name: 'Choose another Scrub' });
  await expect(others.getByRole('heading')).toHaveText("Ira can't do your laundry after all");
  await expect(others.getByRole('button', { name: 'Ask Will Well' })).toBeVisible();
  await expectGoodPhoneScreen(atBud, 'choosing another Scrub');
  illVisitor.allowErrors(404);
  await others.getByRole('button', { name: 'Ask Will Well' }).click();
  await expect(orderStatusCard(atBud)).toContainText('Will Well has not answered yet.');
  await expect(atIll.getByRole('heading', { name: 'You Gave This Job Back' })).toBeVisible();
  for (const step of ['accept-order', 'start-order', 'complete-order'] as const)
    await well.api[step]({ params: { id: orderId } });
  await expect(orderStatusCard(atBud)).toContainText('Your laundry is done');

  const next = await createAcceptedOrder(bud, well);
  const readMovements = async () => {
    const { movements } = await bud.api.readReceipt({ params: { id: next.orderId } });
    return movements.map(({ kind }) => kind);
  };
  await expect.poll(readMovements).toContain('charged');
  await atBud.goto(`/#/bud/orders/${next.orderId}`);
  await openFold(atBud, 'Help');
  await atBud.getByRole('button', { name: 'Cancel this order' }).click();
  const dialog = atBud.getByRole('dialog');
  await expect(dialog).toContainText(/It costs nothing: you get \$\d+\.\d\d back\./);
  await dialog.getByRole('radio', { name: 'I changed my mind' }).check();
  await expectGoodPhoneScreen(atBud, 'cancelling an accepted order');
  const cancellations: string[] = [];
  atBud.on('request', (request) => request.url().endsWith('/cancel-accepted') && cancellations.push(request.url()));
  await doubleTap(dialog.getByRole('button', { name: 'Cancel Order' }));
  await expect(atBud.getByText(/In all, \$\d+\.\d\d goes back to your card\./)).toBeVisible();
  await expect(atBud.getByText('You were not charged')).toHaveCount(0);
  expect(cancellations, 'a double tap cancels once').toHaveLength(1);
  await expectGoodPhoneScreen(atBud, 'an accepted order that was cancelled');
  await expect.poll(readMovements).toContain('refunded');
  await openFold(atBud, 'Money');
  await atBud.getByRole('link', { name: 'Receipt' }).click();
  await expect(atBud.getByText('All of it went back to your card.')).toBeVisible();
});
