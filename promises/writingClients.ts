import { setTimeout } from 'node:timers/promises';
import type { Client } from '../contract/client.ts';
import type { OrderStatus } from '../domain/orders.ts';
import { orderBody, REVIEW } from '../testing/orderSteps.ts';
import type { Random } from '../testing/random.ts';
import { pointAt, type TestUser } from '../testing/testServer.ts';
import { captureOutcome } from './callOutcome.ts';

/** A Bud and a Scrub that write random data and remember what the server acknowledged. */
export type WritingClients = {
  /** Makes one write; false when it was not acknowledged. */
  writeOnce(servers: { bud: Client; scrub: Client }): Promise<boolean>;
  /** Describes the acknowledged writes that are missing. */
  findLost(servers: { bud: Client; scrub: Client }): Promise<string[]>;
  acknowledged(): number;
  /** Retries orders without an answer and cancels those that nobody has accepted, which releases their card holds. */
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

export function createWritingClients(options: { bud: TestUser; scrub: TestUser; random: Random }): WritingClients {
  const { bud, scrub, random } = options;
  const orders: AcknowledgedOrder[] = [];
  const unanswered = new Set<string>();
  const labels: string[] = [];
  const names: { fullname: string; isAcknowledged: boolean }[] = [];
  let [attempts, acknowledged] = [0, 0];

  async function writeOnce(servers: { bud: Client; scrub: Client }): Promise<boolean> {
    attempts += 1;
    const dice = random();
    const open = orders.filter(({ statuses, reviewed }) => statuses.at(-1) !== 'Completed' || !reviewed);
    const order = open[Math.floor(random() * open.length)];
    const isAcknowledged =
      dice < 0.2 || !order
        ? await placeOrder(servers.bud)
        : dice < 0.4
          ? await rename(servers.bud)
          : dice < 0.55
            ? await addAddress(servers.bud)
            : await advanceOrder(servers, order);
    if (isAcknowledged) acknowledged += 1;
    return isAcknowledged;
  }

  async function placeOrder(api: Client, key = `${bud.user.id} ${attempts}`.replace(' ', '-')): Promise<boolean> {
    const input = { body: orderBody({ bud, scrub }, { orderInstructions: key }), idempotencyKey: key };
    const { status, answer } = await captureOutcome(() => api.placeOrder(input));
    unanswered.add(key);
    if (status !== 200 || !answer) return false;
    unanswered.delete(key);
    orders.push({ id: answer.id, statuses: ['Requested'], reviewed: false });
    return true;
  }

  async function finishPending(servers: { bud: Client; scrub: Client }): Promise<void> {
    for (const key of unanswered)
      for (let tries = 0; tries < 100 && !(await placeOrder(servers.bud, key)); tries += 1) {}
    for (const { id } of orders.filter(({ statuses }) => statuses.length === 1)) {
      await captureOutcome(() => servers.bud['cancel-order']({ params: { id } }));
    }
  }

  async function rename(api: Client): Promise<boolean> {
    const name = { fullname: `Ada the ${attempts}.`, isAcknowledged: false };
    names.push(name);
    const { status } = await captureOutcome(() => api.updateProfile({ body: { fullname: name.fullname } }));
    name.isAcknowledged = status === 200;
    return name.isAcknowledged;
  }

  async function addAddress(api: Client): Promise<boolean> {
    const label = `place ${attempts}`;
    const body = { label, address: '7 Otter Lane', ...pointAt(10, 10) };
    const { status } = await captureOutcome(() => api.createAddress({ body }));
    if (status === 200) labels.push(label);
    return status === 200;
  }

  async function advanceOrder(servers: { bud: Client; scrub: Client }, order: AcknowledgedOrder): Promise<boolean> {
    const params = { id: order.id };
    const next = NEXT_STEP[order.statuses.at(-1) as OrderStatus];
    if (!next) {
      const body = { ...REVIEW, scrubId: scrub.user.id };
      const { status } = await captureOutcome(() => servers.bud.reviewToScrub({ params, body }));
      // 409 means that an earlier attempt whose answer was lost succeeded.
      if (status === 200 || status === 409) order.reviewed = true;
      return status === 200;
    }
    const { status, message } = await captureOutcome(() => servers.scrub[next[0]]({ params }));
    const isAlreadyTaken = status === 409 && message === `This order is ${next[1].replaceAll('_', ' ')}`;
    if (status === 200 || isAlreadyTaken) order.statuses.push(next[1]);
    return status === 200;
  }

  async function findLost(servers: { bud: Client; scrub: Client }): Promise<string[]> {
    const { fullname, addresses } = await retryWhileUnavailable(() => servers.bud.profile());
    const stored = new Set(addresses.map(({ label }) => label));
    const lost = labels.filter((label) => !stored.has(label)).map((label) => `the address ${label}`);
    // The last acknowledged name or a later one whose answer was lost.
    const last = names.findLastIndex(({ isAcknowledged }) => isAcknowledged);
    if (last >= 0 && !names.slice(last).some((name) => name.fullname === fullname))
      lost.push(`the name, now ${fullname}`);
    for (const order of orders.slice(-20)) lost.push(...(await findLostOfOrder(servers, order)));
    return lost;
  }

  async function findLostOfOrder(servers: { bud: Client; scrub: Client }, order: AcknowledgedOrder): Promise<string[]> {
    const answer = await retryWhileUnavailable(() => servers.bud.readOrder({ params: { id: order.id } })).catch(
      () => undefined,
    );
    if (!answer) return [`the order ${order.id}`];
    const history = answer.statusHistory.map(({ status }) => status);
    const hasAllSteps = order.statuses.every((status, index) => history[index] === status);
    const problems = hasAllSteps
      ? []
      : [`steps of the order ${order.id}: ${order.statuses} were acknowledged, not ${history}`];
    if (order.reviewed && answer.reviews.length === 0) problems.push(`the review of the order ${order.id}`);
    return problems;
  }

  return { writeOnce, findLost, finishPending, acknowledged: () => acknowledged };
}

const MAX_ATTEMPTS = 1_000;

/** Repeats a call while it answers 503, until the database is back. */
async function retryWhileUnavailable<T>(call: () => Promise<T>): Promise<T> {
  for (let tries = 0; tries < MAX_ATTEMPTS; tries += 1) {
    const { status, answer, message } = await captureOutcome(call);
    if (status === 200) return answer as T;
    if (status !== 503) throw new Error(`${status} ${message}`);
    await setTimeout(10);
  }
  throw new Error('the database did not recover');
}
