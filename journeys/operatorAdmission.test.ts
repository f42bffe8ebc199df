import { sendDocument } from '../testing/documentCalls.ts';
import { openDashboard, placeOrder } from './accounts.ts';
import { consoleIn } from './console.ts';
import { expect, PHONE } from './journey.ts';
import { resizeWindow } from './layoutProblems.ts';
import { expectNoScreenProblems } from './screenProblems.ts';
import { nextYear, sendDocumentOnProfile } from './screens/documents.ts';
import { expectToast } from './screens/pageElements.ts';
import { testUnderPreset } from './situations/town.ts';

const test = consoleIn(testUnderPreset('careful', { asksDocuments: true }));

/** The console reads the documents of a person again after this. */
const POLL_MS = 16_000;
test('a Duber sends documents, one is sent back and replaced, an operator admits her, and she gets an offer', async ({
  town,
  openVisitor,
  openConsole,
  addOperator,
  measure,
}) => {
  const ada = await addOperator('Ada Admits');
  const [bud, scrub, duber] = [
    await town.signUp('Bud', 'Bea Basket', { north: 300 }),
    await town.signUp('Scrub', 'Sam Soap', { north: 700 }),
    await town.signUp('Duber', 'Dora Driver', { north: 500 }),
  ];
  await sendDocument(duber, 'licence', nextYear());
  await sendDocument(scrub, 'identity');
  await sendDocument(scrub, 'detergent-safety', nextYear());
  const { documents } = await ada.api.readAdmission({ params: { id: scrub.id } });
  const body = { documents: documents.map(({ id }) => id), reason: 'All is well.' };
  await ada.api.showDocuments({ params: { id: scrub.id }, body: { reason: 'To admit him.' } });
  await ada.api.admitWorker({ params: { id: scrub.id }, body });
  const { id } = await placeOrder(bud, scrub);
  await scrub.api['accept-order']({ params: { id } });

  // Her dashboard has no offer, and says what to do.
  const phone = await openVisitor({ ...PHONE, isMapless: true });
  await openDashboard(phone, town, duber);
  const her = phone.page;
  const notice = her.getByRole('region', { name: 'Your documents' });
  await expect(notice).toContainText('Send us your documents');
  await expect(her.getByText('No new deliveries available at the moment')).toBeVisible();
  await notice.getByRole('link', { name: 'Send documents' }).click();
  await sendDocumentOnProfile(her, 'ID', false);
  await sendDocumentOnProfile(her, 'Insurance', true);
  await expect(her.getByText('We look at your documents.')).toBeVisible();
  await expectNoScreenProblems(her, 'your documents', [320]);
  await resizeWindow(her, PHONE.viewport);

  // The operator finds her under Today, and sends one back.
  const { page, allowErrors } = await openConsole(ada, 'today');
  const card = page.getByRole('region', { name: 'Documents' });
  const dialog = page.getByRole('dialog');
  await measure('admit a Duber', async () => {
    await page.getByRole('link', { name: /Dora Driver/ }).click();
    await expect(card).toContainText('Waits for you');
    await card.getByRole('button', { name: 'Look at Documents' }).click();
    await dialog.getByLabel('Why?').fill('To admit her.');
    await dialog.getByRole('button', { name: 'Look at Documents' }).click();
    await expect(card.getByRole('img')).toHaveCount(3);
    await card.getByRole('button', { name: 'Ask Again…' }).click();
    await dialog.getByLabel('Insurance').fill('The number cannot be read.');
    await dialog.getByLabel('Why?').fill('It is blurred.');
    await dialog.getByRole('button', { name: 'Ask Again' }).click();
    await expectToast(page, 'Dora is asked again');
    await expectNoScreenProblems(page, 'the documents of a person', [320]);

    // She reads why, and sends it again.
    await her.reload();
    await expect(her.getByText('The number cannot be read.')).toBeVisible();
    await sendDocumentOnProfile(her, 'Insurance', true);
    await expect(her.getByText('We look at your documents.')).toBeVisible();

    await page.clock.install();
    await page.reload();
    await expect(card).toContainText('Waits for you');
    // What comes while the operator decides is not accepted with the rest.
    allowErrors(409);
    await card.getByRole('button', { name: 'Admit' }).click();
    await dialog.getByLabel('Why?').fill('All is valid.');
    const sent = await card.getByRole('listitem').count();
    await sendDocument(duber, 'insurance', nextYear());
    await page.clock.runFor(POLL_MS);
    await expect(card.getByRole('listitem')).toHaveCount(sent + 1);
    await dialog.getByRole('button', { name: 'Admit' }).click();
    await expect(dialog.getByRole('alert')).toContainText('The documents have changed. Look at them again');
    await page.keyboard.press('Escape');
    await card.getByRole('button', { name: 'Admit' }).click();
    await dialog.getByLabel('Why?').fill('All is valid.');
    await dialog.getByRole('button', { name: 'Admit' }).click();
    await expectToast(page, 'Dora gets work now');
  });
  await expect(card).toContainText('Admitted');
  const rows = page.getByRole('list', { name: 'Audit' }).getByRole('listitem');
  await expect(rows.locator('strong')).toHaveText(['Admit', 'Ask for documents again', 'Look at documents']);

  // She is offered the delivery, and takes it.
  await openDashboard(phone, town, duber);
  await her.getByRole('button', { name: 'Accept' }).first().click();
  await expect(notice).toHaveCount(0);
  await expect.poll(async () => (await bud.api.readOrder({ params: { id } })).deliveries[0]?.status).toBe('Accepted');
  await town.testServer.waitForMail(duber.email, 'You can work with Rubadub now');
});
