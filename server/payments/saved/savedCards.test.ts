import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CARD_CONSENT, expiryOf, MAX_SAVED_CARDS } from '../../../domain/savedCards.ts';
import { PUBLISHED_CARDS } from '../../../sandbox/square/testCards.ts';
import { expectFailure } from '../../../testing/checkedClient.ts';
import { createParticipants, orderBody, type Participants, placeOrder } from '../../../testing/orderSteps.ts';
import { createAcceptingCards, openPaymentHarness, type PaymentHarness } from '../../../testing/paymentHarness.ts';
import { saveCard, waitForSavedCards } from '../../../testing/savedCards.ts';
import { openTestServer, type TestServer } from '../../../testing/testServer.ts';
import { waitFor } from '../../../testing/waits.ts';
import { openServerDatabase, queryRow, queryRows, transact } from '../../db/database.ts';
import type { CardOnFile } from '../card/cards.ts';
import { startRemovalOfAll } from './savedCards.sql.ts';
import { processDueCard } from './savedCards.ts';

const GONE = 'This card is not saved any more. Please choose another one';
const ownCard = (name: string) => ({ paymentSourceId: `cnon:own-card-${name}` });

describe('saved cards', () => {
  let server: TestServer;
  let people: Participants;
  beforeAll(async () => {
    server = await openTestServer('postgres');
  });
  afterAll(() => server?.close());

  const createPeople = async () => {
    people = await createParticipants(server);
    return people;
  };
  const square = async (path: string) => {
    const headers = { authorization: 'Bearer sandbox' };
    const response = await fetch(`${server.sandboxUrl}/sandbox/square/v2/${path}`, { headers });
    return (await response.json()) as Record<string, never>;
  };
  const fail = (on: string, how: string, times = 1) =>
    fetch(`${server.sandboxUrl}/sandbox/square/faults`, {
      ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
      body: JSON.stringify({ on, how, times }),
    });
  const recover = () => fetch(`${server.sandboxUrl}/sandbox/square/faults`, { method: 'DELETE' });
  const openDatabase = () => openServerDatabase(server.databaseUrl ?? expect.unreachable(), 1);
  const paymentsOf = async (orderId: string) => {
    const { payments } = (await square('payments?limit=100')) as unknown as {
      payments: { reference_id: string; customer_id?: string; card_details: { entry_method: string } }[];
    };
    return payments.filter((payment) => payment.reference_id === orderId);
  };

  test('a Bud saves a card with an order, and pays the next order with the saved card', async () => {
    const { bud, scrub } = await createPeople();
    expect((await bud.api.listSavedCards()).items).toEqual([]);
    const card = await saveCard(people, ownCard('first'));
    expect((await bud.api.listSavedCards()).items).toEqual([
      {
        ...{ id: card, isSaved: true, brand: 'VISA', last4: '5858', expMonth: 12, expYear: 2045, expiry: 'fine' },
        savedAt: expect.any(String),
      },
    ]);
    const order = await bud.api.placeOrder({ body: orderBody({ bud, scrub }, { paymentSourceId: card }) });
    const [payment, ...others] = await paymentsOf(order.id);
    expect([payment?.card_details.entry_method, others]).toEqual(['ON_FILE', []]);
  });

  test('nothing is saved without the consent of the Bud', async () => {
    const { bud } = await createPeople();
    await placeOrder(people, ownCard('unsaved'));
    await placeOrder(people, { ...ownCard('saved'), saveCard: true });
    expect(await waitForSavedCards(bud)).toHaveLength(1);
  });

  test('somebody else cannot see, use or remove a saved card', async () => {
    await createPeople();
    const card = await saveCard(people, ownCard('mine'));
    const { bud: other } = await createPeople();
    expect((await other.api.listSavedCards()).items).toEqual([]);
    expect(await expectFailure(other.api.removeSavedCard({ params: { id: card } }))).toEqual({
      status: 404,
      message: 'Not found',
    });
    expect(await expectFailure(placeOrder(people, { paymentSourceId: card }))).toEqual({ status: 409, message: GONE });
    expect(await expectFailure(placeOrder(people, { paymentSourceId: randomUUID() }))).toEqual({
      status: 409,
      message: GONE,
    });
  });

  test('a removed card pays nothing more, here and at the card network', async () => {
    const { bud } = await createPeople();
    const card = await saveCard(people, ownCard('removed'));
    await bud.api.removeSavedCard({ params: { id: card } });
    expect((await bud.api.listSavedCards()).items).toEqual([]);
    expect(await expectFailure(bud.api.removeSavedCard({ params: { id: card } }))).toEqual({
      status: 404,
      message: 'Not found',
    });
    expect(await expectFailure(placeOrder(people, { paymentSourceId: card }))).toEqual({ status: 409, message: GONE });
    const { db, close } = openDatabase();
    await waitFor(async () => {
      const left = await queryRow(
        db,
        sql`select state, brand, last4, exp_month, exp_year from saved_cards where id = ${card}`,
      );
      expect(left).toEqual({ state: 'removed', brand: null, last4: null, exp_month: null, exp_year: null });
    });
    await close();
  });

  test('a card that is saved again takes the place of the earlier one', async () => {
    const { bud } = await createPeople();
    const card = await saveCard(people, ownCard('twice'));
    await placeOrder(people, { ...ownCard('twice'), saveCard: true });
    await waitFor(async () => {
      const { items } = await bud.api.listSavedCards();
      expect(items).toMatchObject([{ isSaved: true }]);
      expect(items[0]?.id).not.toBe(card);
    });
  });

  test('a card is saved once, also when the card network fails or its answer is lost', async () => {
    const { bud } = await createPeople();
    await fail('customer', 'unavailable');
    await fail('card', 'lost');
    const card = await saveCard(people, ownCard('outage'));
    const order = await bud.api.placeOrder({ body: orderBody(people, { paymentSourceId: card }) });
    expect(await paymentsOf(order.id)).toMatchObject([{ card_details: { entry_method: 'ON_FILE' } }]);
  });

  test('a card that is removed while a payment waits for the card network is not charged', async () => {
    const { bud } = await createPeople();
    const card = await saveCard(people, ownCard('waiting'));
    const body = orderBody(people, { paymentSourceId: card });
    const idempotencyKey = randomUUID();
    await fail('create', 'unavailable');
    expect(await expectFailure(bud.api.placeOrder({ body, idempotencyKey }))).toMatchObject({ status: 503 });
    // The card network cannot be told of the removal yet.
    await fail('card', 'unavailable', 1_000);
    await bud.api.removeSavedCard({ params: { id: card } });
    expect(await expectFailure(bud.api.placeOrder({ body, idempotencyKey }))).toEqual({
      ...{ status: 402, message: 'This card is not saved any more. Please choose another one.' },
    });
    await recover();
    expect((await bud.api.listOrders({ query: {} })).data.totalCount).toBe(1);
  });

  test('the card network forgets the cards of a Bud whose account is erased, and the Bud', async () => {
    const { bud } = await createPeople();
    await saveCard(people, ownCard('erased'));
    const { db, close } = openDatabase();
    const ids = await queryRow<{ card: string; customer: string }>(
      db,
      sql`select s.square_card_id as card, c.square_id as customer from saved_cards s join card_customers c using (bud_id)
        where s.bud_id = ${bud.user.id}`,
    );
    await transact(db, (tx) => startRemovalOfAll(tx, bud.user.id, server.now()));
    await waitFor(async () => {
      const left = await queryRows(db, sql`select state from saved_cards where bud_id = ${bud.user.id}`);
      const customers = await queryRows(db, sql`select bud_id from card_customers where bud_id = ${bud.user.id}`);
      expect([left, customers]).toEqual([[{ state: 'removed' }], []]);
    });
    await close();
    expect(await square(`cards/${ids?.card}`)).toMatchObject({ card: { enabled: false } });
  });

  test('a Bud has five saved cards at most, and is told so before anything is held', async () => {
    const { bud } = await createPeople();
    for (const [index, { number, cvv }] of PUBLISHED_CARDS.slice(0, MAX_SAVED_CARDS).entries()) {
      await placeOrder(people, { paymentSourceId: await typeCard(number, cvv), saveCard: true });
      await waitForSavedCards(bud, index + 1);
    }
    expect(await expectFailure(placeOrder(people, { ...ownCard('sixth'), saveCard: true }))).toEqual({
      status: 409,
      message: 'You have five saved cards. Remove one in your profile first, or pay without saving this one',
    });
    await placeOrder(people, ownCard('sixth'));
  });

  test('the words that a Bud agreed to are kept with their card', async () => {
    const { bud } = await createPeople();
    const card = await saveCard(people, ownCard('consent'));
    const { db, close } = openDatabase();
    const rows = await queryRows(
      db,
      sql`select consent, created_at = used_at as "isNew" from saved_cards where id = ${card}`,
    );
    await close();
    expect(rows).toEqual([{ consent: CARD_CONSENT, isNew: true }]);
    expect(bud.user.role).toBe('Bud');
  });

  /** A card typed into the card form. */
  async function typeCard(number: string, cvv: string): Promise<string> {
    const body = JSON.stringify({ number, cvv, expMonth: '12', expYear: '2045', postalCode: '12345' });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${server.sandboxUrl}/sandbox/square/cards`, { method: 'POST', headers, body });
    return ((await response.json()) as { token: string }).token;
  }
});

describe('a card network that gives a card the same id again', () => {
  let harness: PaymentHarness;
  beforeAll(async () => {
    const cards = createAcceptingCards();
    const same = {
      kind: 'saved',
      squareCardId: 'ccof:same',
      brand: 'VISA',
      last4: '1111',
      expMonth: 12,
      expYear: 2045,
    };
    const save = async () => same as CardOnFile;
    harness = await openPaymentHarness('postgres', { ...cards, onFile: { ...cards.onFile, save } });
  });
  afterAll(() => harness?.close());

  const insertCard = async (state: 'saving' | 'saved' | 'removing') => {
    const { db, now } = harness.context;
    const [id, at] = [randomUUID(), now()];
    const times = { used_at: at, created_at: at, updated_at: at };
    const isSaved = state === 'saved';
    await db
      .insertInto('saved_cards')
      .values({
        ...{ id, bud_id: harness.users.buds[0]?.id ?? expect.unreachable(), state, consent: CARD_CONSENT, ...times },
        ...{ square_payment_id: 'sq', is_asked: true, square_card_id: isSaved ? 'ccof:same' : null },
        due_at: isSaved ? null : at,
      })
      .execute();
    return id;
  };
  const readStates = async () => {
    const rows = await harness.context.db.selectFrom('saved_cards').select(['id', 'state']).execute();
    return Object.fromEntries(rows.map(({ id, state }) => [id, state]));
  };

  test('the earlier row of a card that is saved again ends, and a second one that is removed leaves the card where it is', async () => {
    const [earlier, later] = [await insertCard('saved'), await insertCard('saving')];
    while (await processDueCard(harness.context));
    expect(await readStates()).toEqual({ [earlier]: 'removed', [later]: 'saved' });
    const removed = await insertCard('removing');
    while (await processDueCard(harness.context));
    expect(await readStates()).toEqual({ [earlier]: 'removed', [later]: 'saved', [removed]: 'removed' });
  });
});

test('a card can be used until the end of its last month, and its end is near 45 days before', () => {
  const card = { expMonth: 2, expYear: 2027 };
  expect(expiryOf(card, new Date('2027-01-14T00:00:00Z'))).toBe('fine');
  expect(expiryOf(card, new Date('2027-01-15T00:00:00Z'))).toBe('soon');
  expect(expiryOf(card, new Date('2027-02-28T23:59:59Z'))).toBe('soon');
  expect(expiryOf(card, new Date('2027-03-01T00:00:00Z'))).toBe('over');
});
