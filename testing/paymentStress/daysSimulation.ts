import { setImmediate, setTimeout } from 'node:timers/promises';
import { HOUR_MS } from '../../domain/durations.ts';
import type { Context } from '../../server/context.ts';
import { runTimers } from '../../server/jobs/timers.ts';
import { orderHandlers } from '../../server/orders/orders.ts';
import { runPaymentJobs } from '../../server/payments/paymentJobs.ts';
import { runPayouts } from '../../server/payments/payouts/payouts.ts';
import type { Random } from '../random.ts';
import { WORK_TIMERS } from '../workTimers.ts';
import { claim, decideIfWithTown, goOn, listCasesToGoOn } from './claimSimulation.ts';
import { carryAll } from './deliverySimulation.ts';
import { pickOne } from './exceptionSimulation.ts';
import { type Simulation, tryAgain, tryCall } from './simulation.ts';
import type { Bud } from './users.ts';
import { weighAndAnswer } from './weighedSimulation.ts';

const IDLE_MS = 30;
const LOOP_MS = 1_500;
/** Looking for timers takes more statements than a payment job. */
const LOOPS_PER_TIMERS = 5;

/** Does some work, while two workers do what the servers do by themselves. */
export async function workBeside(simulation: Simulation, work: () => Promise<unknown>): Promise<void> {
  let isOver = false;
  const worker = async () => {
    for (let loops = 0; !isOver; loops += 1) {
      const didWork = await tryCall(() => runPaymentJobs(simulation.context()));
      const ended =
        loops % LOOPS_PER_TIMERS === 0 && (await tryCall(() => runTimers(simulation.context(), WORK_TIMERS)));
      simulation.advanceClock(LOOP_MS);
      // While nothing is due, looking again at once would take most of the CPU time.
      await (didWork || ended ? setImmediate() : setTimeout(IDLE_MS));
    }
  };
  const done = work().finally(() => {
    isOver = true;
  });
  await Promise.all([done, worker(), worker()]);
}

/** How long the clock moves on each time: two weeks altogether. */
const JUMPS = [3, 14, 26, 34, 48, 60, 72, 79].map((hours) => hours * HOUR_MS);
/** Claims are made soon after the delivery. */
const JUMPS_WITH_CLAIMS = 3;
const MAX_LOOPS = 200;

/** Days pass, in which the network fails and servers are killed: claims are answered and decided, and laundry is cleaned again. */
export async function simulateDays(simulation: Simulation, settleNetwork: () => Promise<unknown>): Promise<void> {
  for (const [jump, ms] of JUMPS.entries()) {
    // What was sent before the jump arrives before it.
    await settleNetwork();
    simulation.advanceClock(ms);
    await workBeside(simulation, async () => {
      if (jump < JUMPS_WITH_CLAIMS) await claimMore(simulation);
      await goOnWithCases(simulation);
      await cleanAgain(simulation);
      const pay = () => tryCall(() => runPayouts(simulation.context()));
      if (simulation.random() < 0.5) await Promise.all([pay(), pay()]);
    });
    for (let loops = 0; loops < MAX_LOOPS && (await tryCall(() => runPaymentJobs(simulation.context()))); loops += 1) {}
  }
}

/** Some of the Buds who have their laundry back claim something. */
async function claimMore(simulation: Simulation): Promise<void> {
  const orders = await tryAgain(() =>
    simulation
      .context()
      .db.selectFrom('orders')
      .select(['id', 'bud_id as budId'])
      .where('status', '=', 'Completed')
      .orderBy('created_at')
      .execute(),
  );
  const chosen = (orders ?? []).filter(() => simulation.random() < 0.08);
  await Promise.all(chosen.map(({ id, budId }) => claim(simulation, id, { role: 'Bud', id: budId } as Bud)));
}

async function goOnWithCases(simulation: Simulation): Promise<void> {
  const { random } = simulation;
  const chosen = (await listCasesToGoOn(simulation)).filter(({ isOpen }) => random() < (isOpen ? 0.6 : 0.3));
  const waiting = chosen.map(({ id }) => id);
  const person = async () => {
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) await goOn(simulation, id);
  };
  await Promise.all([person(), person(), person(), person()]);
}

/** Brings laundry that is cleaned again to its Scrub and back. */
async function cleanAgain(simulation: Simulation): Promise<void> {
  const { users, random } = simulation;
  const orders = await tryAgain(() =>
    simulation
      .context()
      .db.selectFrom('orders')
      .select(['id', 'bud_id as budId', 'scrub_id as scrubId'])
      .where('round', '>', 1)
      .where('status', '=', 'In_Progress')
      .execute(),
  );
  for (const { id, budId, scrubId } of orders ?? []) {
    if (random() < 0.4) continue;
    const scrub = { role: 'Scrub', id: scrubId } as Simulation['users']['scrubs'][number];
    const bring = () => carryAll(simulation, id, pickOne(random, users.dubers));
    await bring();
    await weighAndAnswer(simulation, id, { bud: { role: 'Bud', id: budId } as Bud, scrub, bring });
    await tryAgain(() =>
      orderHandlers(simulation.context())['complete-order']({ caller: scrub, params: { id } } as never),
    );
    await bring();
  }
}

const MAX_DAYS = 12;

/** The town decides every case that is left, and days pass until nobody waits any more. */
export async function closeCases(context: Context, random: Random, passDay: () => Promise<unknown>): Promise<void> {
  const town = { context: () => context, random };
  for (let days = 0; days < MAX_DAYS; days += 1) {
    const open = (await listCasesToGoOn(town)).filter(({ isOpen }) => isOpen);
    if (open.length === 0) return;
    for (const { id } of open) await decideIfWithTown(town, id);
    await passDay();
  }
}
