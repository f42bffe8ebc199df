import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPaymentHarness, type PaymentHarness } from '../../../testing/paymentHarness.ts';
import { createFastSquareCards } from '../../../testing/paymentStress/killableServer.ts';
import { type SquareSandbox, startSquareSandbox } from '../../../testing/squareSandbox.ts';
import { RULE_DATABASES } from '../../../testing/testServer.ts';
import { queryRow } from '../../db/database.ts';
import { orderHandlers } from '../../orders/orders.ts';
import { findHoldOver, listProblems, retryProblem } from '../reconcile/problems.sql.ts';

const NOON = '2026-11-18T12:00:00Z';

describe.each(RULE_DATABASES)('a hold that its bank has ended, on %s', (kind) => {
  let sandbox: SquareSandbox;
  let harness: PaymentHarness;
  beforeAll(async () => {
    sandbox = await startSquareSandbox();
    sandbox.setClock(NOON);
    harness = await openPaymentHarness(kind, createFastSquareCards(sandbox.url));
  });
  afterAll(async () => {
    await harness?.close();
    await sandbox?.stop();
  });

  const db = () => harness.context.db;
  const stateOf = (id: string) => queryRow(db(), sql`select state from payments where order_id = ${id}`);
  const cancelAtSquare = async (id: string) => {
    const held = await queryRow<{ squareId: string }>(
      db(),
      sql`select square_id as "squareId" from payments where order_id = ${id}`,
    );
    const url = `${sandbox.url}/v2/payments/${held?.squareId}/cancel`;
    const { status } = await fetch(url, {
      method: 'POST',
      headers: { authorization: 'Bearer any', 'content-type': 'application/json' },
      body: '{}',
    });
    expect(status).toBe(200);
  };

  test('is no problem that another try can solve: the town is told so, and is offered what can', async () => {
    const id = await harness.createOrder('Requested', { paymentSourceId: 'cnon:card-nonce-ok' });
    await cancelAtSquare(id);
    const accept = { caller: harness.users.scrubs[0], params: { id } } as never;
    await orderHandlers(harness.context)['accept-order'](accept);
    await harness.runPaymentJobs();
    expect(await stateOf(id)).toEqual({ state: 'stuck' });
    expect(await listProblems(db(), 10)).toMatchObject([{ id, kind: 'hold-over', cents: 2683 }]);
    expect(await findHoldOver(db(), id)).toMatchObject({ cents: 2683, budId: harness.users.buds[0]?.id });
    expect(await retryProblem(db(), id, harness.context.now())).toBe(false);
    expect(await stateOf(id)).toEqual({ state: 'stuck' });
  });
});
