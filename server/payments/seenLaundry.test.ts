import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OperatorClient } from '../../contract/operator/client.ts';
import { createOperator } from '../../testing/operators.ts';
import {
  advanceDelivery,
  createOrderInStatus,
  createParticipants,
  findLegId,
  type Participants,
} from '../../testing/orderSteps.ts';
import { openTestServer, RULE_DATABASES, type TestServer } from '../../testing/testServer.ts';

describe.each(RULE_DATABASES)("the Scrub's credit, on %s", (kind) => {
  let server: TestServer;
  let participants: Participants;
  let operator: OperatorClient;

  beforeAll(async () => {
    server = await openTestServer(kind);
    participants = await createParticipants(server);
    operator = (await createOperator(server)).api;
  });
  afterAll(() => server?.close());

  /** An order whose Duber is at the Scrub's door. */
  const atTheDoor = async () => {
    const order = await createOrderInStatus(participants, 'Accepted');
    const [params, leg] = [{ id: order.id }, { id: findLegId(order, 'Bud_To_Scrub') }];
    const duber = await server.createUser('Duber');
    await advanceDelivery(duber, leg.id, 4);
    const { api } = participants.scrub;
    return {
      params,
      deliver: () => duber.api.delivered({ params: leg }),
      confirm: () => api.confirmReceived({ params, body: { bags: 1 } }),
      complete: async () => {
        await api['start-order']({ params });
        await api['complete-order']({ params });
      },
      takeBack: () =>
        operator['delivery-correct']({ params: leg, body: { why: 'mistake', reason: 'Another bag was delivered' } }),
    };
  };
  const isHeld = async ({ id }: { id: string }) => {
    const holds = server.server.db.selectFrom('payout_holds').select('id').where('order_id', '=', id);
    return (await holds.where('reason', '=', 'laundry-not-seen').where('ended_at', 'is', null).execute()).length === 1;
  };

  test.each([
    ['confirmed at the door of a completed order', ['complete', 'confirm', 'deliver', 'takeBack']],
    ['confirmed at the door, and completes the order', ['confirm', 'deliver', 'takeBack', 'complete']],
    ['confirmed afterwards in a completed order', ['complete', 'deliver', 'confirm', 'takeBack']],
    ['confirmed afterwards, and completes the order', ['deliver', 'confirm', 'takeBack', 'complete']],
  ] as const)('waits when a delivery is taken back that the Scrub %s', async (_, steps) => {
    const order = await atTheDoor();
    for (const step of steps) await order[step]();
    expect(await isHeld(order.params)).toBe(true);
    await order.deliver();
    expect(await isHeld(order.params)).toBe(false);
  });

  test('does not wait when a delivery is taken back whose laundry another Duber has collected since', async () => {
    const order = await atTheDoor();
    for (const step of ['complete', 'confirm', 'deliver'] as const) await order[step]();
    const back = findLegId(await participants.scrub.api.readOrder({ params: order.params }), 'Scrub_To_Bud');
    await advanceDelivery(await server.createUser('Duber'), back, 3);
    await order.takeBack();
    expect(await isHeld(order.params)).toBe(false);
  });
});
