import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OperatorClient } from '../../../contract/operator/client.ts';
import { HOUR_MS } from '../../../domain/durations.ts';
import { OPERATOR, useDeliveries } from '../../../testing/deliveries.ts';
import { createOperator } from '../../../testing/operators.ts';
import {
  advanceDelivery,
  createOrderInStatus,
  createParticipants,
  DELIVERY_STEPS,
  findDeliveryId,
  type Participants,
} from '../../../testing/orderSteps.ts';
import { openTestServer, RULE_DATABASES, type TestServer } from '../../../testing/testServer.ts';
import { handoverHandlers } from '../../handovers/handovers.ts';

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
    const [params, delivery] = [{ id: order.id }, { id: findDeliveryId(order, 'Bud_To_Scrub') }];
    const duber = await server.createUser('Duber');
    await advanceDelivery(duber, delivery.id, 4);
    const { api } = participants.scrub;
    return {
      params,
      deliver: () => duber.api.delivered({ params: delivery }),
      confirm: () => api.confirmReceived({ params, body: { bags: 1 } }),
      complete: async () => {
        await api['start-order']({ params });
        await api['complete-order']({ params });
      },
      takeBack: () =>
        operator['delivery-correct']({
          params: delivery,
          body: { why: 'mistake', reason: 'Another bag was delivered' },
        }),
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
    const back = findDeliveryId(await participants.scrub.api.readOrder({ params: order.params }), 'Scrub_To_Bud');
    await advanceDelivery(await server.createUser('Duber'), back, 3);
    await order.takeBack();
    expect(await isHeld(order.params)).toBe(false);
  });
});

describe.each(RULE_DATABASES)('laundry that a Duber takes back to its Bud, on %s', (kind) => {
  const deliveries = useDeliveries(kind);

  const confirm = (orderId: string) => {
    const request = { caller: deliveries.scrub, params: { id: orderId }, body: { bags: 1 } } as never;
    return handoverHandlers(deliveries.context).confirmReceived(request);
  };
  const setOut = async (back: string) => {
    for (const step of DELIVERY_STEPS.slice(0, 4)) await deliveries.step(step, back, deliveries.bob);
  };
  const turnBack = async (back: string) => {
    await setOut(back);
    await deliveries.take(deliveries.bob, 'drop-failed', back, { reason: 'unsafe' });
    await deliveries.take(deliveries.bob, 'bring-back', back);
  };
  const END: Record<string, (back: string, orderId: string) => Promise<unknown>> = {
    'its Scrub confirms that it came back': async (back, orderId) => {
      await turnBack(back);
      await confirm(orderId);
    },
    'it is brought back': async (back) => {
      await turnBack(back);
      await deliveries.take(deliveries.bob, 'brought-back', back);
    },
    'it is delivered': async (back) => {
      await setOut(back);
      await deliveries.step('delivered', back, deliveries.bob);
    },
  };
  const ends = Object.keys(END);
  const holdOf = (orderId: string) =>
    deliveries.context.db
      .selectFrom('payout_holds')
      .select(['until', 'ended_at'])
      .where('order_id', '=', orderId)
      .where('reason', '=', 'laundry-not-seen')
      .executeTakeFirst();

  test.each(ends)(
    'was never with its Scrub when it was with its Bud before, whose credit waits when %s',
    async (end) => {
      const { orderId, back } = await deliveries.openWayBack();
      await END[end]?.(back, orderId);
      expect(await holdOf(orderId)).toEqual({ until: null, ended_at: null });
    },
  );

  test.each(ends)('shows nothing either when its way to the Scrub was called off, and %s', async (end) => {
    const { id, orderId, back } = await deliveries.openWayBack();
    await deliveries.take(OPERATOR, 'call-off', id, { reason: 'asked' });
    await END[end]?.(back, orderId);
    expect(await holdOf(orderId)).toMatchObject({ ended_at: null });
  });

  test('counts as seen twelve hours after it is delivered when no Duber brought it, and nobody said that its Scrub had it', async () => {
    const { id, orderId, back } = await deliveries.openWayBack();
    await deliveries.take(OPERATOR, 'call-off', id, { reason: 'asked' });
    await END['it is delivered']?.(back, orderId);
    const until = new Date(deliveries.now().getTime() + 12 * HOUR_MS);
    expect(await holdOf(orderId)).toEqual({ until, ended_at: null });
  });

  test.each(ends)('was with its Scrub who said so before, although no Duber brought it, once %s', async (end) => {
    const { id, orderId } = await deliveries.openDelivery();
    await deliveries.take(OPERATOR, 'call-off', id, { reason: 'asked' });
    await confirm(orderId);
    await deliveries.completeOrder(orderId);
    const { id: back } = await deliveries.context.db
      .selectFrom('deliveries')
      .select('id')
      .where('order_id', '=', orderId)
      .where('id', '<>', id)
      .executeTakeFirstOrThrow();
    await END[end]?.(back, orderId);
    expect(await holdOf(orderId)).toMatchObject({ ended_at: deliveries.now() });
  });
});
