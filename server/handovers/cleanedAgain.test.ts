import { describe, expect, test } from 'vitest';
import { outcomeOf } from '../../testing/checkedClient.ts';
import { createOperator } from '../../testing/operators.ts';
import { advanceDelivery } from '../../testing/orderSteps.ts';
import { useProofTown } from '../../testing/proofTown.ts';
import { RULE_DATABASES } from '../../testing/testServer.ts';

describe.each(RULE_DATABASES)('an order that is cleaned again where a town demands proofs, on %s', (kind) => {
  const town = useProofTown(kind);
  const { atTheBudsDoor } = town;

  /** Reopens a completed order, and has a Duber collect its laundry. */
  const cleanAgain = async () => {
    const { order, params, duber } = await atTheBudsDoor();
    const { bud } = town.participants;
    const { pin: first } = await bud.api.readCustody({ params: order });
    await duber.api.deliverWithProof({ params, body: { pin: first ?? '' } });
    const { api: operator } = await createOperator(town.server);
    await operator['order-reopen']({ params: order, body: { why: 'not-clean', reason: 'The stain is still there' } });
    const { deliveries } = await bud.api.readOrder({ params: order });
    const again = { id: deliveries.findLast((one) => one.deliveryType === 'Bud_To_Scrub')?.id ?? '' };
    await advanceDelivery(duber, again.id, 2);
    await duber.api.collectWithProof({ params: again, body: { bags: 1 } });
    await duber.api['way-to-drop']({ params: again });
    return { order, params: again, duber };
  };
  const pinOf = async (id: string) => (await town.participants.scrub.api.readCustody({ params: { id } })).pin;

  test('is completed only once its laundry is back with the Scrub', async () => {
    const { order, params, duber } = await cleanAgain();
    const complete = () => outcomeOf(town.participants.scrub.api['complete-order']({ params: order }));
    expect(await complete()).toBe('laundryNotHere');
    await duber.api.deliverWithProof({ params, body: { pin: (await pinOf(order.id)) ?? '' } });
    expect(await complete()).toBe('success');
  });

  test('has PINs of its own, the same for each who asks', async () => {
    const { order, params, duber } = await cleanAgain();
    const [pin, again] = await Promise.all([pinOf(order.id), pinOf(order.id)]);
    expect(pin).toMatch(/^\d{4}$/);
    expect(again).toBe(pin);
    expect(await outcomeOf(duber.api.deliverWithProof({ params, body: { pin: pin ?? '' } }))).toBe('success');
    expect((await town.participants.bud.api.readCustody({ params: order })).pin).toMatch(/^\d{4}$/);
  });

  test('counts the PIN of the round before as a wrong one, also when nobody has asked for the new ones', async () => {
    const { order, params, duber } = await cleanAgain();
    const pinOfRound = async (round: number) => {
      const pins = town.server.server.db.selectFrom('pins').select('pin').where('order_id', '=', order.id);
      return (await pins.where('side', '=', 'Scrub').where('round', '=', round).executeTakeFirst())?.pin ?? '';
    };
    const enter = (pin: string) => outcomeOf(duber.api.deliverWithProof({ params, body: { pin } }));
    const old = await pinOfRound(1);
    const outcome = await enter(old);
    const pin = await pinOfRound(2);
    // One of ten thousand new PINs is the old one.
    expect(outcome).toBe(pin === old ? 'success' : 'wrongPin');
    if (outcome === 'wrongPin') expect(await enter(pin)).toBe('success');
  });
});
