import { afterAll, beforeAll, expect, test } from 'vitest';
import { openServerDatabase } from '../server/db/database.ts';
import { explained } from '../testing/explained.ts';
import { type Participants, placeOrder } from '../testing/orderSteps.ts';
import { withTraces } from '../testing/orderTrace.ts';
import { audit } from '../testing/paymentStress/audit.ts';
import type { TestUser } from '../testing/testServer.ts';
import { captureOutcome, throwIfOverloaded } from './callOutcome.ts';
import { describePromise, TEST_TIMEOUT_MS } from './promiseSuite.ts';
import { openServerPair, type ServerPair } from './serverPair.ts';

const LANES = 4;
const STATUS_AFTER = { 'cancel-order': 'Cancelled', 'accept-order': 'Accepted', 'reject-order': 'Rejected' } as const;
type Step = keyof typeof STATUS_AFTER;
const ACTOR_OF: Record<Step, 'bud' | 'scrub'> = {
  'cancel-order': 'bud',
  'accept-order': 'scrub',
  'reject-order': 'scrub',
};

type Lane = Pick<Participants, 'bud' | 'scrub'>;

describePromise('conflicting-steps', (suite) => {
  let pair: ServerPair;
  let lanes: Lane[];
  const wins: Record<string, number> = {};
  let races = 0;
  let remaining = suite.cases;

  beforeAll(async () => {
    pair = await openServerPair();
    const openLane = async () => ({ bud: await pair.createUser('Bud'), scrub: await pair.createUser('Scrub') });
    lanes = await Promise.all(Array.from({ length: LANES }, openLane));
  }, TEST_TIMEOUT_MS);
  afterAll(() => pair?.close());

  const atRandomProcess = (user: TestUser) => (suite.random() < 0.5 ? pair.atSecond(user) : user);

  async function raceOnce(lane: Lane): Promise<void> {
    races += 1;
    const { id } = await placeOrder(lane, { orderInstructions: `race ${races}` });
    const params = { id };
    // The three steps in random order at random processes, and one of them twice.
    const steps: Step[] = ['cancel-order', 'accept-order', 'reject-order'];
    const twice = steps[Math.floor(suite.random() * 3)] as Step;
    const attempts = [...steps, twice]
      .map((step) => ({ step, first: suite.random() }))
      .toSorted((a, b) => a.first - b.first);
    const outcomes = await Promise.all(
      attempts.map(({ step }) => captureOutcome(() => atRandomProcess(lane[ACTOR_OF[step]]).api[step]({ params }))),
    );
    throwIfOverloaded(outcomes);
    const tried = outcomes.map((outcome, index) => ({ step: attempts[index]?.step, ...outcome }));
    await explained(
      () => `race ${races}, order ${id}: ${JSON.stringify(tried)}`,
      () => checkRace(lane, id, tried),
    );
  }

  type Tried = { readonly step: Step | undefined; readonly status: number; readonly message: string };

  async function checkRace(lane: Lane, id: string, outcomes: readonly Tried[]): Promise<void> {
    const winners = outcomes.filter((one) => one.status === 200);
    expect(winners).toHaveLength(1);
    const step = winners[0]?.step as Step;
    const status = STATUS_AFTER[step];
    const refusals = outcomes.filter((one) => one.status !== 200).map((one) => `${one.status} ${one.message}`);
    expect(new Set(refusals)).toEqual(new Set([`409 This order is ${status}`]));
    const order = await atRandomProcess(lane.bud).api.readOrder({ params: { id } });
    expect(order.statusHistory.map((entry) => entry.status)).toEqual(['Requested', status]);
    expect(order.deliveries).toHaveLength(status === 'Accepted' ? 1 : 0);
    wins[step] = (wins[step] ?? 0) + 1;
    remaining -= 1;
  }

  test('exactly one of the steps succeeds, and both processes show the same status', {
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    await Promise.all(
      lanes.map(async (lane) => {
        while (remaining > 0) await suite.attempt(() => raceOnce(lane));
      }),
    );
    for (const [step, count] of Object.entries(wins)) suite.recordFigure(`${step} won`, count);
    expect(Object.keys(wins)).toHaveLength(3);
  });

  test('each card hold was captured or released to match the step that won', { timeout: TEST_TIMEOUT_MS }, async () => {
    const { db, close } = openServerDatabase(pair.databaseUrl);
    try {
      const findProblems = async () => withTraces(db, await audit(db, pair.standIns.env.SQUARE_BASE_URL ?? ''));
      await expect.poll(findProblems).toEqual([]);
    } finally {
      await close();
    }
  });
});
