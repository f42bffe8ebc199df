import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS } from '../../domain/durations.ts';
import {
  contextOf,
  dayIn,
  finishAdmissionTimers,
  offersTo,
  searchAs,
  sendDuberDocuments,
  sendScrubDocuments,
  signInAgain,
} from '../../testing/admissionHarness.ts';
import { outcomeOf, sendRequest } from '../../testing/checkedClient.ts';
import { sendDocument, setAdmission } from '../../testing/documentCalls.ts';
import { createOperator, type TestOperator } from '../../testing/operators.ts';
import { findDeliveryId, placeOrder } from '../../testing/orderSteps.ts';
import { asBlob, SMALL_PHOTO } from '../../testing/photos.ts';
import { openTestServer, RULE_DATABASES, type TestServer, type TestUser } from '../../testing/testServer.ts';
import { waitFor } from '../../testing/waits.ts';
import { eraseFiles } from '../files/eraseFiles.ts';

const REASON = 'It is a test.';

describe.each(RULE_DATABASES)('the admission of workers, on %s', (kind) => {
  let testServer: TestServer;
  let ada: TestOperator;
  let bud: TestUser;
  let helper: TestUser;

  beforeAll(async () => {
    testServer = await openTestServer(kind, { isClockStopped: true });
    ada = await createOperator(testServer, { caps: ['see', 'help'] });
    bud = await testServer.createUser('Bud', { north: 300 });
    helper = await testServer.createUser('Scrub', { north: 5_000 });
    await setAdmission(testServer, 'careful');
  });
  afterAll(() => testServer?.close());

  const passDays = async (days: number) => {
    for (let day = 0; day < days; day += 1) {
      testServer.advanceClock(DAY_MS);
      await finishAdmissionTimers(testServer);
    }
    // Sessions end meanwhile.
    ada = await createOperator(testServer, { caps: ['see', 'help'] });
    [bud, scrubAdmitted] = [await signInAgain(testServer, bud), await signInAgain(testServer, scrubAdmitted)];
  };
  const idOf = ({ user }: TestUser) => ({ id: user.id });
  const view = (person: TestUser, by = ada) => by.api.readAdmission({ params: idOf(person) });
  const waitingOf = async (person: TestUser) =>
    (await view(person)).documents.filter(({ state }) => state === 'waiting').map(({ id }) => id);
  const show = (person: TestUser, by = ada) => by.api.showDocuments({ params: idOf(person), body: { reason: REASON } });
  const admit = async (person: TestUser, documents?: string[]) => {
    await show(person);
    const seen = documents ?? (await waitingOf(person));
    return ada.api.admitWorker({ params: idOf(person), body: { documents: seen, reason: REASON } });
  };
  const refuseThem = (person: TestUser) => ada.api.refuseWorker({ params: idOf(person), body: { reason: REASON } });
  const sendAll = (duber: TestUser, days?: number) => sendDuberDocuments(testServer, duber, days);
  const newDuber = () => testServer.createUser('Duber', { east: 500 });
  const pendingDelivery = async () => {
    const order = await placeOrder({ bud, scrub: scrubAdmitted });
    await scrubAdmitted.api['accept-order']({ params: { id: order.id } });
    return findDeliveryId(await bud.api.readOrder({ params: { id: order.id } }), 'Bud_To_Scrub');
  };
  const accept = (duber: TestUser, id: string) => duber.api['accept-delivery']({ params: { id } });
  const welcomeOf = async ({ user }: TestUser) =>
    (await testServer.waitForMail(user.email, 'You can work with Rubadub now')).text;
  let scrubAdmitted: TestUser;
  beforeAll(async () => {
    scrubAdmitted = await testServer.createUser('Scrub', { north: 700 });
    await sendScrubDocuments(testServer, scrubAdmitted);
    await admit(scrubAdmitted);
  });

  test('a new Duber is offered nothing and cannot accept, until an operator has admitted them', async () => {
    const [duber, delivery] = [await newDuber(), await pendingDelivery()];
    await testServer.waitForMail(duber.user.email, 'Before you get work');
    expect(await duber.api.readDocuments()).toMatchObject({ isAsked: true, status: 'new', worksUntil: null });
    expect(await offersTo(duber)).toEqual([]);
    const heldBy = async () => (await duber.api.duberDashboard({ query: { fields: ['heldBy'] } })).heldBy;
    expect(await heldBy()).toBe('documents');
    expect(await outcomeOf(accept(duber, delivery))).toBe('newWorkHeld');
    expect((await sendAll(duber)).status).toBe('waiting');
    expect(await outcomeOf(accept(duber, delivery))).toBe('newWorkHeld');
    await admit(duber);
    expect((await testServer.waitForMail(duber.user.email, 'You can work with Rubadub now')).text).toContain(
      'You can accept deliveries from now on.',
    );
    expect(await heldBy()).toBeNull();
    expect(await offersTo(duber)).toContain(delivery);
    expect((await accept(duber, delivery)).status).toBe('Accepted');
    const { status, documents } = await view(duber);
    expect([status, documents.map(({ state }) => state)]).toEqual(['active', ['accepted', 'accepted', 'accepted']]);
    const { holds } = await ada.api.readPerson({ params: idOf(duber) });
    expect(holds).toMatchObject([
      { kind: 'new-work', isOfAdmission: true, by: null, liftedBy: { name: ada.session.operator.fullname } },
    ]);
  });

  test('a new Scrub is not found and gets no order, and a refused one neither', async () => {
    const scrub = await testServer.createUser('Scrub', { north: 900 });
    expect(await searchAs(bud)).not.toContain(scrub.user.id);
    await scrub.api.changeVisibility({ body: { isActive: false } });
    await scrub.api.changeVisibility({ body: { isActive: true } });
    expect(await searchAs(bud)).not.toContain(scrub.user.id);
    expect(await outcomeOf(placeOrder({ bud, scrub }))).toBe('scrubUnavailable');
    await sendScrubDocuments(testServer, scrub);
    await admit(scrub);
    expect(await searchAs(bud)).toContain(scrub.user.id);
    expect(await welcomeOf(scrub)).toContain('Buds near you can find you from now on.');
    const paused = await testServer.createUser('Scrub', { north: 920 });
    await paused.api.changeVisibility({ body: { isActive: false } });
    await sendScrubDocuments(testServer, paused);
    await admit(paused);
    expect(await welcomeOf(paused)).toContain('once you turn Visibility on.');
    const refused = await testServer.createUser('Scrub', { north: 950 });
    await sendScrubDocuments(testServer, refused);
    await refuseThem(refused);
    expect(await searchAs(bud)).not.toContain(refused.user.id);
    expect(await outcomeOf(placeOrder({ bud, scrub: refused }))).toBe('scrubUnavailable');
    expect((await testServer.waitForMail(refused.user.email, 'cannot work')).text).toContain(REASON);
  });

  test('a document is sent back with a reason, and sent again', async () => {
    const duber = await newDuber();
    await sendAll(duber);
    const [insurance = ''] = await waitingOf(duber);
    const body = { documents: [{ id: insurance, why: 'The number cannot be read' }], reason: REASON };
    await ada.api.askDocumentsAgain({ params: idOf(duber), body });
    const mail = await testServer.waitForMail(duber.user.email, 'send a document again');
    expect(mail.text).toContain('Your insurance: The number cannot be read');
    const asked = await duber.api.readDocuments();
    expect(asked.status).toBe('asked');
    expect(asked.items.find((item) => item.kind === 'insurance')?.latest).toMatchObject({
      state: 'asked-again',
      why: 'The number cannot be read',
    });
    expect(await outcomeOf(admit(duber, [insurance]))).toBe('wrongStatus');
    expect((await sendDocument(duber, 'insurance', dayIn(testServer, 200))).status).toBe('waiting');
    await admit(duber);
    expect((await duber.api.readDocuments()).status).toBe('active');
  });

  test('a document that the operator has not seen is not accepted', async () => {
    const duber = await newDuber();
    await sendAll(duber);
    const seen = await waitingOf(duber);
    await sendDocument(duber, 'identity');
    expect(await outcomeOf(admit(duber, seen))).toBe('documentsChanged');
    expect(await outcomeOf(admit(duber, seen.slice(1)))).toBe('documentsChanged');
    await admit(duber);
    expect(await outcomeOf(admit(duber))).toBe('invalid');
  });

  test('an operator who has not said why they look, or only before a document came, accepts nothing', async () => {
    const duber = await newDuber();
    await sendAll(duber);
    const accept = async () =>
      outcomeOf(
        ada.api.admitWorker({ params: idOf(duber), body: { documents: await waitingOf(duber), reason: REASON } }),
      );
    expect(await accept()).toBe('documentsHidden');
    await show(duber);
    testServer.advanceClock(16 * 60_000);
    await sendDocument(duber, 'identity');
    expect(await accept()).toBe('documentsHidden');
    await show(duber);
    testServer.advanceClock(16 * 60_000);
    expect(await accept()).toBe('success');
  });

  test('a document is for its owner, and for an operator who has said why', async () => {
    const [duber, other] = [await newDuber(), await newDuber()];
    await sendAll(duber);
    const { items } = await duber.api.readDocuments();
    const fileId = items[0]?.latest?.fileId ?? '';
    expect((await duber.api.readFile({ params: { id: fileId } })).size).toBeGreaterThan(100);
    for (const person of [other, bud, helper])
      expect(await outcomeOf(person.api.readFile({ params: { id: fileId } }))).toBe('notFound');
    expect(await outcomeOf(other.api.sendDocument({ body: { kind: 'identity', fileId } }))).toBe('invalid');
    expect(await outcomeOf(ada.api.readTownFile({ params: { id: fileId } }))).toBe('notFound');
    const [documentId = ''] = await waitingOf(duber);
    const photo = (by: TestOperator, id = duber.user.id) => by.api.readDocumentPhoto({ params: { id, documentId } });
    expect(await outcomeOf(photo(ada))).toBe('documentsHidden');
    await show(duber);
    expect((await photo(ada)).size).toBeGreaterThan(100);
    expect((await view(duber)).shownUntil).not.toBeNull();
    const grace = await createOperator(testServer, { caps: ['see', 'help'] });
    expect(await outcomeOf(photo(grace))).toBe('documentsHidden');
    await show(other, grace);
    expect(await outcomeOf(photo(grace, other.user.id))).toBe('notFound');
    const path = `/operator/people/${duber.user.id}/documents/${documentId}/photo`;
    for (const [url, token] of [[`/files/${fileId}`, duber.token] as const, [path, ada.token] as const]) {
      const { status, headers } = await sendRequest(testServer.apiUrl, 'GET', url, { token });
      expect([url, status, headers.get('cache-control')]).toEqual([url, 200, 'no-store']);
    }
    testServer.advanceClock(16 * 60_000);
    expect(await outcomeOf(photo(ada))).toBe('documentsHidden');
  });

  test('a document is checked for its kind, its day, and whether it was sent before', async () => {
    const scrub = await testServer.createUser('Scrub', { north: 800 });
    expect(await outcomeOf(sendDocument(scrub, 'licence', dayIn(testServer, 10)))).toBe('invalid');
    expect(await outcomeOf(sendDocument(scrub, 'detergent-safety'))).toBe('invalid');
    expect(await outcomeOf(sendDocument(scrub, 'detergent-safety', dayIn(testServer, -2)))).toBe('invalid');
    const { id: fileId } = await scrub.api.createFile({ photo: asBlob(SMALL_PHOTO) });
    const body = { kind: 'identity', fileId } as const;
    const first = await scrub.api.sendDocument({ body });
    expect(await scrub.api.sendDocument({ body })).toEqual(first);
    expect((await view(scrub)).documents).toHaveLength(1);
    expect(await outcomeOf(sendDocument(bud as TestUser, 'identity'))).toBe('wrongRole');
  });

  test('a document that expires is warned of 30, 7 and 1 days before, once each, and then there is no new work', async () => {
    let duber = await newDuber();
    await sendAll(duber, 40);
    await admit(duber);
    await passDays(11);
    await testServer.waitForMail(duber.user.email, 'A document of yours expires in 30 days');
    await passDays(23);
    await testServer.waitForMail(duber.user.email, 'A document of yours expires in 7 days');
    await passDays(6);
    const warning = await testServer.waitForMail(duber.user.email, 'A document of yours expires tomorrow');
    expect(warning.text).toContain('your insurance');
    duber = await signInAgain(testServer, duber);
    expect((await duber.api.readDocuments()).status).toBe('active');
    await passDays(1);
    expect((await testServer.waitForMail(duber.user.email, 'has expired')).text).toContain('your insurance');
    const after = await duber.api.readDocuments();
    expect([after.status, after.items.map(({ latest }) => latest?.state)]).toEqual([
      'lapsed',
      ['accepted', 'accepted', 'expired'],
    ]);
    const delivery = await pendingDelivery();
    expect(await outcomeOf(accept(duber, delivery))).toBe('newWorkHeld');
    const inbox = `${testServer.sandboxUrl}/sandbox/mail/messages?to=${encodeURIComponent(duber.user.email)}`;
    const subjects = ((await (await fetch(inbox)).json()) as { subject: string }[]).map(({ subject }) => subject);
    expect(subjects.filter((subject) => subject.startsWith('A document of yours expires'))).toHaveLength(3);
    expect((await sendDocument(duber, 'insurance', dayIn(testServer, 300))).status).toBe('waiting');
    await admit(duber);
    expect((await accept(duber, delivery)).status).toBe('Accepted');
  });

  test('a new document takes the place of one that is about to expire, without a day off', async () => {
    const duber = await newDuber();
    await sendAll(duber, 20);
    await admit(duber);
    expect((await sendDocument(duber, 'insurance', dayIn(testServer, 300))).status).toBe('active');
    const today = await ada.api.readToday();
    expect(today.documents.items.map(({ personId }) => personId)).toContain(duber.user.id);
    await admit(duber);
    await passDays(25);
    expect((await duber.api.readDocuments()).status).toBe('active');
    expect((await view(duber)).documents.map(({ state }) => state)).toEqual([
      'accepted',
      'accepted',
      'accepted',
      'replaced',
    ]);
  });

  test('a worker whose document expires while its successor waits gets no new work, and the operator can admit them at once', async () => {
    const duber = await newDuber();
    await sendAll(duber, 5);
    await admit(duber);
    await sendDocument(duber, 'insurance', dayIn(testServer, 300));
    await passDays(7);
    // The server's own worker may be at it.
    await waitFor(async () => expect((await duber.api.readDocuments()).status).toBe('waiting'));
    expect(await outcomeOf(accept(duber, await pendingDelivery()))).toBe('newWorkHeld');
    await admit(duber);
    expect((await duber.api.readDocuments()).status).toBe('active');
  });

  test('the documents of somebody who was refused are erased after 30 days, and the refusal can be undone', async () => {
    let duber = await newDuber();
    await sendAll(duber);
    await refuseThem(duber);
    expect(await outcomeOf(sendDocument(duber, 'identity'))).toBe('wrongStatus');
    const erase = async () => {
      while (await eraseFiles({ ...contextOf(testServer), storage: undefined })) {
        // More of them.
      }
    };
    const kept = async () => (await view(duber)).documents.map(({ isKept }) => isKept);
    await erase();
    expect(await kept()).toEqual([true, true, true]);
    await passDays(31);
    await erase();
    expect(await kept()).toEqual([false, false, false]);
    duber = await signInAgain(testServer, duber);
    await ada.api.reconsiderWorker({ params: idOf(duber), body: { reason: REASON } });
    await sendAll(duber);
    await admit(duber);
    expect((await duber.api.readDocuments()).status).toBe('active');
  });

  test('no restriction of admission is lifted by hand, and another one beside it is its own', async () => {
    const duber = await newDuber();
    const hold = { params: idOf(duber), body: { kind: 'new-work', reason: REASON } } as const;
    expect(await outcomeOf(ada.api.liftHold(hold))).toBe('wrongStatus');
    await ada.api.holdPerson(hold);
    await sendAll(duber);
    await admit(duber);
    const { text } = await testServer.waitForMail(duber.user.email, 'Your documents are accepted');
    expect(text).toContain('You get no new work yet, for another reason');
    expect(await outcomeOf(accept(duber, await pendingDelivery()))).toBe('newWorkHeld');
    await ada.api.liftHold(hold);
    await accept(duber, await pendingDelivery());
  });
});
