import { describe, expect, test } from 'vitest';
import { LET_OTHERS_FIRST_MS } from '../../domain/deliveries.ts';
import { outcomeOf } from '../../testing/checkedClient.ts';
import { createOperator } from '../../testing/operators.ts';
import { PLACE, useProofTown } from '../../testing/proofTown.ts';
import { RULE_DATABASES } from '../../testing/testServer.ts';

describe.each(RULE_DATABASES)('hand-overs that do not go as planned where a town demands proofs, on %s', (kind) => {
  const town = useProofTown(kind);
  const { onTheWay, atTheDoor } = town;

  test('a Scrub whose Duber has a phone that does not work starts once the town has marked the laundry as delivered', async () => {
    const operator = await createOperator(town.server);
    const { scrub } = town.participants;
    const { order, params, duber } = await atTheDoor();
    const { order: unseen, params: unseenParams } = await atTheDoor();
    await scrub.api.confirmReceived({ params: order, body: { bags: 1 } });
    expect(await outcomeOf(scrub.api['start-order']({ params: order }))).toBe('laundryNotHere');
    const mark = (to: { id: string }) =>
      operator.api['delivery-mark-delivered']({
        params: to,
        body: { why: 'no-phone', reason: 'The Scrub has called' },
      });
    await mark(params);
    expect(await outcomeOf(scrub.api['start-order']({ params: order }))).toBe('success');
    const { handovers } = await scrub.api.readCustody({ params: order });
    expect(handovers.map(({ taker, proof }) => [taker.role, proof])).toEqual([
      ['Duber', 'count'],
      ['Scrub', 'taker-pressed'],
    ]);
    expect(await outcomeOf(duber.api.correct({ params, body: {} }))).not.toBe('success');
    // Nobody has pressed anything: the operator has asked the Scrub.
    await mark(unseenParams);
    expect(await scrub.api.readCustody({ params: unseen })).toMatchObject({ holder: { role: 'Scrub' } });
  });

  test('bags that were counted with a step that is taken back count no more', async () => {
    const { order, params, duber } = await onTheWay();
    const { bud, scrub } = town.participants;
    await duber.api.collectWithProof({ params, body: { bags: 3 } });
    await duber.api.correct({ params, body: {} });
    const custody = { holder: { role: 'Bud' }, bags: null, canConfirm: false };
    expect(await bud.api.readCustody({ params: order })).toMatchObject(custody);
    await duber.api.collectWithProof({ params, body: { bags: 2 } });
    await duber.api['way-to-drop']({ params });
    await scrub.api.confirmReceived({ params: order, body: { bags: 2 } });
    expect(await scrub.api.readCustody({ params: order })).toMatchObject({ holder: { role: 'Scrub' }, bags: 2 });
    const { data } = await bud.api.listCases({ query: {} } as never);
    expect(data.items.filter(({ orderId }) => orderId === order.id)).toEqual([]);
  });

  test('a Duber who goes on with laundry that they have had all the time collects it without a proof', async () => {
    const { params, duber } = await atTheDoor();
    const operator = await createOperator(town.server);
    const body = { why: 'breakdown', reason: 'They have telephoned', ...PLACE } as const;
    await operator.api['delivery-relay']({ params, body });
    town.server.advanceClock(LET_OTHERS_FIRST_MS);
    for (const action of ['accept-delivery', 'way-to-pickup'] as const) await duber.api[action]({ params });
    expect(await outcomeOf(duber.api.collected({ params }))).toBe('success');
  });

  test('the Bud of a cancelled order has the laundry once they say so', async () => {
    const { bud, scrub } = town.participants;
    const operator = await createOperator(town.server);
    const { order, params, duber } = await atTheDoor();
    const custodyOf = ({ api }: typeof bud) => api.readCustody({ params: order });
    await duber.api.deliverWithProof({ params, body: { pin: (await custodyOf(scrub)).pin ?? '' } });
    await scrub.api['start-order']({ params: order });
    const receive = (user: typeof bud) => outcomeOf(user.api.confirmReceived({ params: order, body: { bags: 2 } }));
    expect(await receive(bud)).toBe('nothingHandedOver');
    const body = { why: 'fraud', wayHome: 'fetch', reason: 'They have telephoned' } as const;
    await operator.api['order-cancel-by-operator']({ params: order, body });
    expect(await custodyOf(bud)).toMatchObject({ holder: { role: 'Scrub' }, canConfirm: true });
    expect(await outcomeOf(duber.api.readCustody({ params: order }))).toBe('notFound');
    expect(await receive(bud)).toBe('success');
    expect(await custodyOf(scrub)).toMatchObject({ holder: { role: 'Bud' }, bags: 2, canConfirm: false });
    expect(await receive(scrub)).toBe('nothingHandedOver');
  });
});
