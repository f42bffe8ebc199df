import { afterAll, beforeAll, expect, test } from 'vitest';
import { openServerDatabase } from '../server/db/database.ts';
import { type Participants, placeOrder } from '../testing/orderSteps.ts';
import { audit } from '../testing/paymentStress/audit.ts';
import type { TestUser } from '../testing/testServer.ts';
import { captureOutcome, throwIfOverloaded } from './callOutcome.ts';
import { describePromise, TEST_TIMEOUT_MS } from './promiseSuite.ts';
import { openServerPair, type ServerPair } from './serverPair.ts';

const LANES = 4;
const STATUS_AFTER = { 'cancel-order': 'Cancelled', 'accept-order': 'Accepted', 'reject-order': 'Rejected' } as const;
type Step = keyof typeof STATUS_AFTER;
const TAKEN_BY: Record<Step, 'bud' | 'scrub'> = {
  'cancel-order': 'bud',
  'accept-order': 'scrub',
  'reject-order': 'scrub',
};

type Lane = Pick<Participants, 'bud' | 'scrub'>;

describePromise('three-way', (suite) => {
  let pair: ServerPair;
  let lanes: Lane[];
  const won: Record<string, number> = {};
  let wishes = 0;
  let left = suite.cases;

  beforeAll(async () => {
    pair = await openServerPair();
    const open = async () => ({ bud: await pair.createUser('Bud'), scrub: await pair.createUser('Scrub') });
    lanes = await Promise.all(Array.from({ length: LANES }, open));
  }, TEST_TIMEOUT_MS);
  afterAll(() => pair?.close());

  const somewhere = (someone: TestUser) => (suite.random() < 0.5 ? pair.atSecond(someone) : someone);

  async function raceOnce(lane: Lane): Promise<void> {
    wishes += 1;
    const { id } = await placeOrder(lane, { orderInstructions: `wish ${wishes}` });
    const params = { id };
    // In any order, at either process, and one of them twice.
    const steps: Step[] = ['cancel-order', 'accept-order', 'reject-order'];
    const twice = steps[Math.floor(suite.random() * 3)] as Step;
    const tried = [...steps, twice]
      .map((step) => ({ step, first: suite.random() }))
      .toSorted((a, b) => a.first - b.first);
    const all = await Promise.all(
      tried.map(({ step }) => captureOutcome(() => somewhere(lane[TAKEN_BY[step]]).api[step]({ params }))),
    );
    throwIfOverloaded(all);
    const winners = tried.filter((_, index) => all[index]?.status === 200);
    expect(winners, JSON.stringify(all)).toHaveLength(1);
    const step = winners[0]?.step as Step;
    const status = STATUS_AFTER[step];
    const refused = all.filter((one) => one.status !== 200).map((one) => `${one.status} ${one.message}`);
    expect(new Set(refused)).toEqual(new Set([`409 This order is ${status}`]));
    const order = await somewhere(lane.bud).api.readOrder({ params });
    expect(order.statusHistory.map((entry) => entry.status)).toEqual(['Requested', status]);
    expect(order.deliveries).toHaveLength(status === 'Accepted' ? 1 : 0);
    won[step] = (won[step] ?? 0) + 1;
    left -= 1;
  }

  test('exactly one of them is taken, and everybody reads the same', { timeout: TEST_TIMEOUT_MS }, async () => {
    await Promise.all(
      lanes.map(async (lane) => {
        while (left > 0) await suite.attempt(() => raceOnce(lane));
      }),
    );
    for (const [step, count] of Object.entries(won)) suite.recordFigure(`${step} won`, count);
    expect(Object.keys(won)).toHaveLength(3);
  });

  test('and the cards were charged or let go by what was taken', { timeout: TEST_TIMEOUT_MS }, async () => {
    const { db, close } = openServerDatabase(pair.databaseUrl);
    try {
      await expect.poll(() => audit(db, pair.standIns.env.SQUARE_BASE_URL ?? ''), { timeout: 60_000 }).toEqual([]);
    } finally {
      await close();
    }
  });
});
