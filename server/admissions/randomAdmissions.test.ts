import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { DOCUMENT_KINDS, type DocumentKind, isHeldUnadmitted } from '../../domain/admissions.ts';
import { DAY_MS } from '../../domain/durations.ts';
import { captureOutcome } from '../../promises/callOutcome.ts';
import { type AdmissionHarness, createAdmissionHarness, dayIn } from '../../testing/admissionHarness.ts';
import { sendDocument, setAdmission } from '../../testing/documentCalls.ts';
import { propertyRuns } from '../../testing/propertyRuns.ts';
import { openTestServer, type TestServer, type TestUser } from '../../testing/testServer.ts';

// One worker, with random decisions and random days. After each of them, and after the server has caught up, the admission
// agrees with the documents.

/** Longer than the server's workers wait before they apply a change of policy. */
const SETTLE_MS = 70_000;
const REASON = { reason: 'It is a test.' };

const kind = fc.constantFrom(...DOCUMENT_KINDS);
const events = fc.oneof(
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('set policy' as const),
      value: fc.constantFrom('open' as const, 'careful' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('wait' as const), days: fc.constantFrom(1, 3, 10, 31, 45) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('ask for' as const), kind, needed: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('stop asking for' as const), kind }) },
  {
    weight: 5,
    arbitrary: fc.record({ type: fc.constant('send' as const), kind, days: fc.constantFrom(2, 20, 40, 300) }),
  },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('admit' as const) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('ask again' as const), index: fc.nat({ max: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('refuse' as const) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('reconsider' as const) }) },
);
/** Whether the server catches up before the next event. */
const histories = fc.array(
  fc.tuple(
    events,
    fc.integer({ min: 0, max: 4 }).map((number) => number > 0),
  ),
  {
    minLength: 20,
    maxLength: 40,
  },
);
type AdmissionEvent = typeof events extends fc.Arbitrary<infer E> ? E : never;

type Town = { readonly testServer: TestServer; readonly harness: AdmissionHarness; readonly worker: TestUser };

async function happen(event: AdmissionEvent, { testServer, harness, worker }: Town): Promise<void> {
  const params = { id: worker.user.id };
  const api = async () => (await harness.operator()).api;
  switch (event.type) {
    case 'set policy':
      return setAdmission(testServer, event.value);
    case 'wait':
      return testServer.advanceClock(event.days * DAY_MS);
    case 'ask for':
      return void (await harness.askFor('Duber', event.kind, event.needed));
    case 'stop asking for':
      return void (await harness.stopAskingFor('Duber', event.kind));
    case 'send':
      return sendFrom(await harness.again(worker), event, { testServer, harness });
    case 'admit':
      return void (await captureOutcome(() => harness.admit(worker)));
    case 'ask again': {
      const waiting = (await harness.view(worker)).documents.filter(({ state }) => state === 'waiting');
      const document = waiting[event.index % Math.max(1, waiting.length)];
      if (!document) return;
      const body = { documents: [{ id: document.id, why: 'blurred' as const }], ...REASON };
      return void (await captureOutcome(async () => (await api()).askDocumentsAgain({ params, body })));
    }
    case 'refuse':
      return void (await captureOutcome(async () => (await api()).refuseWorker({ params, body: REASON })));
    case 'reconsider':
      return void (await captureOutcome(async () => (await api()).reconsiderWorker({ params, body: REASON })));
  }
}

/** Sends a document, with its last day if this kind needs one. */
async function sendFrom(
  worker: TestUser,
  { kind, days }: { readonly kind: DocumentKind; readonly days: number },
  { testServer, harness }: Pick<Town, 'testServer' | 'harness'>,
): Promise<void> {
  const rows = await harness.run(
    sql`select from requirements where role = 'Duber' and kind = ${kind} and renew_days is not null`,
  );
  const lastDay = rows.length > 0 ? dayIn(testServer, days) : undefined;
  await captureOutcome(() => sendDocument(worker, kind, lastDay));
}

/** What the server does by itself, until nothing is left to do. */
async function catchUp({ testServer, harness }: Town): Promise<void> {
  for (let time = 0; time < 2; time += 1) {
    testServer.advanceClock(SETTLE_MS);
    await harness.sweep();
  }
  await harness.runTimers();
  await harness.erase();
  await harness.runTimers();
}

/** What contradicts what: the admission, the documents, the restriction and the pictures that are kept. */
async function findContradictions({ testServer, harness, worker }: Town, isCareful: boolean): Promise<string[]> {
  const now = testServer.now();
  const today = now.toISOString().slice(0, 10);
  const { status, worksUntil, requirements, documents } = await harness.view(worker);
  const isHeld = await harness.isHeld(worker);
  const needed = requirements.filter((one) => one.needed).map((one) => one.kind);
  const isAccepted = (one: DocumentKind) =>
    documents.some((it) => it.kind === one && it.state === 'accepted' && (it.lastDay === null || it.lastDay >= today));
  const isMissing = (one: DocumentKind) =>
    !isAccepted(one) && !documents.some((it) => it.kind === one && it.state === 'waiting');
  const pictures = await harness.run(sql`select d.state, d.erase_at from documents d join files f on f.id = d.file_id
    where f.gone_at is null and (d.erase_at < ${new Date(now.getTime() - 1000)}
      or d.erase_at is null and d.state not in ('waiting', 'accepted'))`);
  const found: [boolean, string][] = [
    [pictures.length > 0, 'a picture is kept too long'],
    [documents.some(({ state, isKept }) => state === 'waiting' && !isKept), 'a waiting picture is gone'],
  ];
  if (!isCareful || needed.length === 0) found.push([isHeld, 'held although nobody is asked for documents']);
  else if (status === null) found.push([true, 'has no admission']);
  else {
    const end = worksUntil === null ? null : new Date(worksUntil);
    const isInGrace = end !== null && end > now;
    const hasMissing = needed.some(isMissing);
    const isOver = documents.some(
      (it) => it.state === 'accepted' && needed.includes(it.kind) && it.lastDay !== null && it.lastDay < today,
    );
    const waits = ['new', 'asked', 'lapsed'].includes(status);
    found.push(
      [isHeld !== isHeldUnadmitted({ status, worksUntil: end }, now), `the restriction is ${isHeld} while ${status}`],
      [status === 'active' && hasMissing && !isInGrace, 'active although a document is missing'],
      [status === 'waiting' && hasMissing, 'waits for an operator although a document is missing'],
      [waits && !hasMissing, `${status} although nothing is missing`],
      [(waits || status === 'waiting') && needed.every(isAccepted), `${status} although all is accepted`],
      [isOver && status !== 'refused', 'a document is accepted after its last day'],
    );
  }
  return found.flatMap(([isWrong, what]) => (isWrong ? [what] : []));
}

test('whatever is sent, decided or asked for, an admission agrees with its documents', {
  timeout: 600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(histories, async (history) => {
      const testServer = await openTestServer('embedded', { isClockStopped: true });
      try {
        const harness = createAdmissionHarness(testServer);
        const town = { testServer, harness, worker: await testServer.createUser('Duber', { east: 500 }) };
        let isCareful = false;
        for (const [event, catchesUp] of history) {
          await happen(event, town);
          if (event.type === 'set policy') isCareful = event.value === 'careful';
          if (!catchesUp) continue;
          await catchUp(town);
          expect(await findContradictions(town, isCareful), event.type).toEqual([]);
        }
      } finally {
        await testServer.close();
      }
    }),
    { ...propertyRuns(1), endOnFailure: true },
  );
});
