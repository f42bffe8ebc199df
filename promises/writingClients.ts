import { setTimeout } from 'node:timers/promises';
import type { Client } from '../contract/client.ts';
import type { OrderStatus } from '../domain/orders.ts';
import { orderBody } from '../testing/orderSteps.ts';
import type { Random } from '../testing/random.ts';
import { pointAt, type TestUser } from '../testing/testServer.ts';
import { captureOutcome } from './callOutcome.ts';

/** A Bud and a Scrub that write all kinds of things, and remember what was acknowledged to them. */
export type WritingClients = {
  /** Does one thing by the given servers; false when it was not acknowledged. */
  writeOnce(servers: { bud: Client; scrub: Client }): Promise<boolean>;
  /** What was acknowledged and is not there. */
  findLost(servers: { bud: Client; scrub: Client }): Promise<string[]>;
  acknowledged(): number;
  /** Asks again for what got no answer, and cancels what nobody has accepted: afterwards no card is held. */
  finishPending(servers: { bud: Client; scrub: Client }): Promise<void>;
};

type AcknowledgedOrder = { readonly id: string; statuses: OrderStatus[]; reviewed: boolean };

const NEXT_STEP: Partial<
  Record<OrderStatus, readonly ['accept-order' | 'start-order' | 'complete-order', OrderStatus]>
> = {
  Requested: ['accept-order', 'Accepted'],
  Accepted: ['start-order', 'In_Progress'],
  In_Progress: ['complete-order', 'Completed'],
};
const REVIEW = { message: 'Everything came back fresh and folded.', rating: 5 };

export function createWritingClients(given: { bud: TestUser; scrub: TestUser; random: Random }): WritingClients {
  const { bud, scrub, random } = given;
  const orders: AcknowledgedOrder[] = [];
  const unanswered = new Set<string>();
  const labels: string[] = [];
  const names: { tried: string; isKept: boolean }[] = [];
  let [count, written] = [0, 0];

  async function writeOnce(servers: { bud: Client; scrub: Client }): Promise<boolean> {
    count += 1;
    const luck = random();
    const open = orders.filter(({ statuses, reviewed }) => statuses.at(-1) !== 'Completed' || !reviewed);
    const order = open[Math.floor(random() * open.length)];
    const isDone =
      luck < 0.2 || !order
        ? await place(servers.bud)
        : luck < 0.4
          ? await rename(servers.bud)
          : luck < 0.55
            ? await addAddress(servers.bud)
            : await bringOn(servers, order);
    if (isDone) written += 1;
    return isDone;
  }

  async function place(api: Client, key = `${bud.user.id} ${count}`.replace(' ', '-')): Promise<boolean> {
    const given = { body: orderBody({ bud, scrub }, { orderInstructions: key }), idempotencyKey: key };
    const { status, answer } = await captureOutcome(() => api.placeOrder(given));
    unanswered.add(key);
    if (status !== 200 || !answer) return false;
    unanswered.delete(key);
    orders.push({ id: answer.id, statuses: ['Requested'], reviewed: false });
    return true;
  }

  async function settle(servers: { bud: Client; scrub: Client }): Promise<void> {
    for (const key of unanswered) for (let tries = 0; tries < 100 && !(await place(servers.bud, key)); tries += 1) {}
    for (const { id } of orders.filter(({ statuses }) => statuses.length === 1)) {
      await captureOutcome(() => servers.bud['cancel-order']({ params: { id } }));
    }
  }

  async function rename(api: Client): Promise<boolean> {
    const name = { tried: `Ada the ${count}.`, isKept: false };
    names.push(name);
    const { status } = await captureOutcome(() => api.updateProfile({ body: { fullname: name.tried } }));
    name.isKept = status === 200;
    return name.isKept;
  }

  async function addAddress(api: Client): Promise<boolean> {
    const label = `place ${count}`;
    const body = { label, address: '7 Otter Lane', ...pointAt(10, 10) };
    const { status } = await captureOutcome(() => api.createAddress({ body }));
    if (status === 200) labels.push(label);
    return status === 200;
  }

  async function bringOn(servers: { bud: Client; scrub: Client }, order: AcknowledgedOrder): Promise<boolean> {
    const params = { id: order.id };
    const next = NEXT_STEP[order.statuses.at(-1) as OrderStatus];
    if (!next) {
      const body = { ...REVIEW, scrubId: scrub.user.id };
      const { status } = await captureOutcome(() => servers.bud.reviewToScrub({ params, body }));
      // One whose answer was lost is there already.
      if (status === 200 || status === 409) order.reviewed = true;
      return status === 200;
    }
    const { status, message } = await captureOutcome(() => servers.scrub[next[0]]({ params }));
    const wasTaken = status === 409 && message === `This order is ${next[1].replaceAll('_', ' ')}`;
    if (status === 200 || wasTaken) order.statuses.push(next[1]);
    return status === 200;
  }

  async function findLost(servers: { bud: Client; scrub: Client }): Promise<string[]> {
    const { fullname, addresses } = await retryWhileUnavailable(() => servers.bud.profile());
    const there = new Set(addresses.map(({ label }) => label));
    const lost = labels.filter((label) => !there.has(label)).map((label) => `the address ${label}`);
    // The last acknowledged name, or one that was tried after it and whose answer was lost.
    const last = names.findLastIndex(({ isKept }) => isKept);
    if (last >= 0 && !names.slice(last).some(({ tried }) => tried === fullname)) lost.push(`the name, now ${fullname}`);
    for (const kept of orders.slice(-20)) lost.push(...(await lostOf(servers, kept)));
    return lost;
  }

  async function lostOf(servers: { bud: Client; scrub: Client }, kept: AcknowledgedOrder): Promise<string[]> {
    const answer = await retryWhileUnavailable(() => servers.bud.readOrder({ params: { id: kept.id } })).catch(
      () => undefined,
    );
    if (!answer) return [`the order ${kept.id}`];
    const history = answer.statusHistory.map(({ status }) => status);
    const isThere = kept.statuses.every((status, place) => history[place] === status);
    const faults = isThere ? [] : [`steps of the order ${kept.id}: ${kept.statuses} were acknowledged, not ${history}`];
    if (kept.reviewed && answer.reviews.length === 0) faults.push(`the review of the order ${kept.id}`);
    return faults;
  }

  return { writeOnce, findLost, finishPending: settle, acknowledged: () => written };
}

const MAX_TRIES = 1_000;

/** What a call answers once the database is back: only that is waited for. */
async function retryWhileUnavailable<T>(call: () => Promise<T>): Promise<T> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const { status, answer, message } = await captureOutcome(call);
    if (status === 200) return answer as T;
    if (status !== 503) throw new Error(`${status} ${message}`);
    await setTimeout(10);
  }
  throw new Error('the database did not come back');
}
