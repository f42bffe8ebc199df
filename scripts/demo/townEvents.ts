import { CallFailed } from '../../contract/callClient.ts';
import { createOperatorClient, type OperatorClient } from '../../contract/operator/client.ts';
import { HOUR_MS } from '../../domain/durations.ts';
import type { DemoUser, SeedTarget } from './accounts.ts';
import type { DemoEvent } from './orderEvents.ts';
import type { DemoPast } from './past.ts';
import { DEMO_COLLEAGUE, DEMO_OPERATOR } from './people.ts';
import { drawStainedShirt } from './stainedShirt.ts';

type DemoUsers = ReadonlyMap<string, DemoUser>;
/** The keys of the requests, so that an interrupted start that continues does nothing twice. */
const keyOf = (name: number) => `019a0000-0000-7000-8000-00000000000${name}`;

/**
 * What waits for an operator of the demo: a claim about a stain, a chargeback with a day left, a price that a colleague has
 * proposed; and what was done before: a message to the Dubers, an opened case.
 */
export function listTownEvents(target: SeedTarget, past: DemoPast, users: DemoUsers): DemoEvent[] {
  const hoursAgo = (hours: number, run: () => Promise<unknown>): DemoEvent => ({
    at: new Date(past.startedAt.getTime() - hours * HOUR_MS),
    run: async () => void (await run()),
  });
  return [
    ...listClaim(users, past, hoursAgo),
    ...listOperatorActs(target, hoursAgo),
    hoursAgo(2, () => contestPayment(target, past)),
  ];
}

type At = (hours: number, run: () => Promise<unknown>) => DemoEvent;

/** Jonah's shirt is stained, Otis says that it was before, and Jonah does not think so. */
function listClaim(users: DemoUsers, { server: { db } }: DemoPast, at: At): DemoEvent[] {
  const [jonah, otis] = [users.get('jonah')?.api, users.get('otis')?.api];
  if (!jonah || !otis) throw new Error('the demo is wrong: nobody claims');
  const findCase = async () => {
    const { data } = await jonah.listCases({ query: {} });
    return { params: { id: data.items[0]?.id ?? '' } };
  };
  const report = async () => {
    const { orderId } = await findNewestCompleted(db, 'jonah', 'otis');
    const { id } = await jonah.createFile({ photo: drawStainedShirt(), idempotencyKey: keyOf(1) });
    await jonah.createCase({
      body: {
        kind: 'claim',
        orderId,
        items: [{ what: 'Blue shirt', kind: 'stained', worth: 40, ageMonths: 8, asked: 24 }],
        words: 'It came back with a brown stain on the front.',
        fileIds: [id],
      },
      idempotencyKey: keyOf(2),
    });
  };
  return [
    at(40, report),
    at(31, async () => {
      const words = 'The stain was there before. I did what I could with it.';
      await ignoreDone(
        otis.answer({ ...(await findCase()), body: { offer: 'was-before', words }, idempotencyKey: keyOf(3) }),
      );
    }),
    at(20, async () => {
      const body = { words: 'I wore it once. It was clean when I packed it.' };
      await ignoreDone(jonah['refuse-offer']({ ...(await findCase()), body, idempotencyKey: keyOf(4) }));
    }),
  ];
}

function listOperatorActs(target: SeedTarget, at: At): DemoEvent[] {
  const as = async (email: string, act: (api: OperatorClient) => Promise<unknown>) => {
    const open = (token?: string) =>
      createOperatorClient({ host: target.apiUrl, token: () => token, ...(target.send ? { send: target.send } : {}) });
    const { authToken } = await open().operatorSignIn({ body: { email, password: target.password } });
    await act(open(authToken));
  };
  return [
    at(27, () =>
      as(DEMO_OPERATOR.email, (api) =>
        api.sendBroadcast({
          body: {
            ...{ to: 'Duber', title: 'Heron Bridge is closed', words: 'Take Mill Road until Sunday, please.' },
            ...{ isUrgent: false, reason: 'The river is high' },
          },
          idempotencyKey: keyOf(5),
        }),
      ),
    ),
    at(3, () =>
      as(DEMO_COLLEAGUE.email, (api) =>
        api.setPrice({
          params: { id: 'wash-and-fold' },
          body: { value: 2.75, reason: 'Water and power cost more since autumn' },
          idempotencyKey: keyOf(6),
        }),
      ),
    ),
  ];
}

/** Priya's bank asks for proof that her laundry was delivered. One day is left to answer. */
async function contestPayment({ apiUrl }: SeedTarget, { server: { db }, clock }: DemoPast): Promise<void> {
  const payment = await findNewestCompleted(db, 'priya', 'amara');
  const body = JSON.stringify({ payment_id: payment.squareId, reason: 'NOT_RECEIVED', days: 1 });
  const headers = { 'content-type': 'application/json' };
  await fetch(new URL('/sandbox/square/disputes', apiUrl), { method: 'POST', headers, body });
  // The server asks the network now, and not in an hour.
  await db.updateTable('dispute_polls').set({ due_at: clock.now() }).execute();
}

/** The newest order that somebody has washed for somebody, and its payment at the card network. */
const findNewestCompleted = (db: DemoPast['server']['db'], bud: string, scrub: string) =>
  db
    .selectFrom('orders')
    .innerJoin('payments', 'payments.order_id', 'orders.id')
    .innerJoin('users as bud', 'bud.id', 'orders.bud_id')
    .innerJoin('users as scrub', 'scrub.id', 'orders.scrub_id')
    .select(['orders.id as orderId', 'payments.square_id as squareId'])
    .where('bud.email', '=', `${bud}@rubadub.test`)
    .where('scrub.email', '=', `${scrub}@rubadub.test`)
    .where('orders.status', '=', 'Completed')
    .orderBy('orders.created_at', 'desc')
    .executeTakeFirstOrThrow();

// An earlier run may have done it already.
async function ignoreDone(call: Promise<unknown>): Promise<void> {
  await call.catch((error: unknown) => {
    if (!(error instanceof CallFailed && error.statusCode === 409)) throw error;
  });
}
