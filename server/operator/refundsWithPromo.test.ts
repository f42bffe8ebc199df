import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOperator, type TestOperator } from '../../testing/operators.ts';
import { createOrderInStatus, createParticipants, type Participants } from '../../testing/orderSteps.ts';
import { createPromo } from '../../testing/promos.ts';
import { openTestServer, RULE_DATABASES, type TestServer } from '../../testing/testServer.ts';
import { waitFor } from '../../testing/waits.ts';
import { queryRow } from '../db/database.ts';

describe.each(RULE_DATABASES)('refunds of orders with a promo code, on %s', (kind) => {
  let testServer: TestServer;
  let people: Participants;
  let ada: TestOperator;
  beforeAll(async () => {
    testServer = await openTestServer(kind);
    people = await createParticipants(testServer);
    ada = await createOperator(testServer);
    // Alone, only the limit of a day counts.
    await createOperator(testServer);
  });
  afterAll(() => testServer?.close());

  /** An order of which the card paid a dollar, and the code the rest. */
  const createCharged = async () => {
    const { code } = await createPromo(testServer, { kind: 'percent', value: 10_000 });
    const more = { promoCode: code, loadSize: 'Large' } as const;
    const { id, price } = await createOrderInStatus(people, 'Accepted', more);
    const isCharged = sql`select order_id from payments where order_id = ${id} and state = 'captured'`;
    await waitFor(async () => expect(await queryRow(testServer.server.db, isCharged)).toBeDefined());
    return { params: { id }, total: price.totalPrice };
  };

  test('a refund that a Scrub bears counts towards the limits, with the part that the code has paid', async () => {
    const { params, total } = await createCharged();
    expect(total).toBeGreaterThan(30);
    const terms = { liable: 'scrub' } as const;
    const preview = await ada.api.previewRefund({ params, query: terms });
    expect(preview).toMatchObject({ amount: 1, left: 1, needsApproval: true });
    const body = { ...terms, amount: 1, reason: 'It was never washed' };
    const { approvalId } = await ada.api.refundOrder({ params, body });
    expect(approvalId).not.toBeNull();
    const { items } = await ada.api.listApprovals({ query: {} });
    expect(items.find(({ id }) => id === approvalId)).toMatchObject({ amount: total, details: { amount: 1 } });
  });

  test('the platform bears the part that goes back to the card: the code is its own', async () => {
    const { params } = await createCharged();
    const terms = { liable: 'platform' } as const;
    expect(await ada.api.previewRefund({ params, query: terms })).toMatchObject({ amount: 1, needsApproval: false });
    const body = { ...terms, amount: 1, reason: 'It came back a day late' };
    expect(await ada.api.refundOrder({ params, body })).toEqual({ approvalId: null });
  });
});
