import { describe, expect, test } from 'vitest';
import type { Role } from '../../domain/accounts.ts';
import { LET_OTHERS_FIRST_MS } from '../../domain/deliveries.ts';
import type { NotificationKind } from '../../domain/notifications.ts';
import { FAR_AWAY, OPERATOR, useDeliveries } from '../../testing/deliveries.ts';
import { RULE_DATABASES } from '../../testing/testServer.ts';
import { composeNotification } from '../notifications/composeNotification.ts';

describe.each(RULE_DATABASES)('what people read about a delivery that does not go as planned, on %s', (kind) => {
  const deliveries = useDeliveries(kind);

  /** The title and the lines of a notice that waits, as it would be sent now. */
  const read = async (id: string, notice: NotificationKind, role: Role, duber = deliveries.alan): Promise<string> => {
    const userId = { Bud: deliveries.bud.id, Scrub: deliveries.scrub.id, Duber: duber.id }[role];
    const due = { kind: notice, about: id, userId } as unknown as Parameters<typeof composeNotification>[1];
    const content = await composeNotification(deliveries.context.db, due, role, deliveries.now());
    return 'title' in content ? [content.title, ...content.lines].join(' | ') : JSON.stringify(content);
  };
  const send = (id: string) =>
    deliveries.context.db
      .updateTable('notifications')
      .set({ state: 'sent', due_at: null, done_at: deliveries.now() })
      .where('about', '=', id)
      .execute();
  /** The kinds of the notices that wait, each with its people. */
  const due = async (id: string) => {
    const rows = await deliveries.context.db
      .selectFrom('notifications')
      .select(['kind', 'user_id'])
      .where('about', '=', id)
      .where('channel', '=', 'mail')
      .where('state', '=', 'due')
      .execute();
    return rows.map((row) => `${row.kind} ${row.user_id}`).toSorted();
  };
  const both = () => [deliveries.bud.id, deliveries.scrub.id].map((person) => `failed-drop ${person}`).toSorted();

  test('laundry that is lost is called lost, and who read that reads that it is found', async () => {
    const { take, alan } = deliveries;
    for (const [action, words] of [
      ['try-again', 'delivers it now'],
      ['bring-back', 'brings it back'],
    ] as const) {
      const { id } = await deliveries.openDelivery(4);
      await take(alan, 'report-lost', id, { words: 'It fell off the bike' });
      expect(await read(id, 'failed-drop', 'Bud')).toMatch(/^Your laundry is reported as lost \|/);
      expect(await read(id, 'failed-drop', 'Scrub')).toMatch(/^Laundry is reported as lost \|/);
      await send(id);
      await take(alan, action, id);
      expect(await due(id)).toEqual(both());
      expect(await read(id, 'failed-drop', 'Bud')).toMatch(
        new RegExp(`^Your laundry is found \\| .* has your laundry after all, and ${words}\\.`),
      );
      expect(await read(id, 'failed-drop', 'Scrub')).toMatch(/^Laundry is found \|/);
      await deliveries.endAll();
    }
  });

  test('nobody is notified of one more try with laundry that was not lost', async () => {
    const { take, alan } = deliveries;
    const { id } = await deliveries.openDelivery(4);
    await deliveries.wait(id, 'drop');
    await take(alan, 'drop-failed', id, { reason: 'nobody-home', ...(await deliveries.photo()) });
    await send(id);
    await take(alan, 'try-again', id);
    expect(await due(id)).toEqual([]);
    expect(await read(id, 'failed-drop', 'Bud')).toContain('went on before this was sent');
  });

  test('a person who read that laundry was delivered reads that it was not, and later that it is', async () => {
    const { take, step, alan } = deliveries;
    const { id } = await deliveries.openDelivery(5);
    await send(id);
    await take(alan, 'correct', id);
    expect(await due(id)).toEqual(both());
    expect(await read(id, 'failed-drop', 'Bud')).toMatch(
      /^Your laundry was not delivered yet \| .*pressed by mistake.* \| Your laundry is still on its way\.$/,
    );
    await step('delivered', id);
    expect(await due(id)).toEqual([...both().map((one) => one.replace('failed-drop', 'delivered')), ...both()]);
    expect(await read(id, 'failed-drop', 'Bud')).toContain('went on before this was sent');
    await take(alan, 'correct', id);
    // The second notice of the delivery was not sent.
    expect(await due(id)).toEqual([]);
  });

  test('a delivery that nobody was notified of yet is taken back without a notice', async () => {
    const { take, alan } = deliveries;
    const { id } = await deliveries.openDelivery(5);
    await take(alan, 'correct', id);
    expect(await due(id)).toEqual([]);
    const collected = await deliveries.openDelivery(3, deliveries.bob);
    await send(collected.id);
    await take(deliveries.bob, 'correct', collected.id);
    expect(await due(collected.id)).toEqual([]);
  });

  test('after the second pickup in vain nobody reads that the Bud chooses', async () => {
    const { take, step, alan, bob, bud } = deliveries;
    const { id } = await deliveries.openDelivery(2);
    await take(alan, 'pickup-failed', id, { reason: 'unsafe' });
    expect(await read(id, 'failed-pickup', 'Bud')).toContain('| You choose what happens next.');
    await take(bud, 're-offer', id);
    // A notice of the first one that is sent late.
    expect(await read(id, 'failed-pickup', 'Bud')).toMatch(/\| The Dubers nearby are asked again\.$/);
    for (const action of ['accept-delivery', 'way-to-pickup'] as const) await step(action, id, bob);
    await take(bob, 'pickup-failed', id, { reason: 'unsafe' });
    for (const role of ['Bud', 'Scrub'] as const) {
      const text = await read(id, 'failed-pickup', role);
      expect(text).toContain('| It did not work out twice.');
      expect(text).not.toContain('choose');
    }
  });

  test('of a delivery that is handed on, its first Duber reads to keep the laundry, and who gave it where it waits', async () => {
    const { take, step, alan, bob } = deliveries;
    const { id } = await deliveries.openDelivery(4);
    const words = 'Wait at the bridge.';
    await take(OPERATOR, 'relay', id, { reason: 'breakdown', words, place: FAR_AWAY });
    expect(await due(id)).toEqual(expect.arrayContaining([`dropped ${deliveries.bud.id}`, `dropped ${alan.id}`]));
    const { fullname } = await deliveries.context.db
      .selectFrom('users')
      .select('fullname')
      .where('id', '=', alan.id)
      .executeTakeFirstOrThrow();
    const mails = async () => [await read(id, 'dropped', 'Duber', alan), await read(id, 'dropped', 'Bud')];
    const [keep, waits] = [
      'A delivery goes to another Duber | Please keep the laundry with you until the next Duber collects it.',
      `Another Duber goes on with your laundry | ${fullname} waits with your laundry, and another Duber goes on with it. | We have asked the others nearby. It arrives later, and you pay nothing more.`,
    ];
    expect(await mails()).toEqual([keep, waits].map((text) => `${text} | The town says: ${words}`));
    // The next one gives it back.
    await step('accept-delivery', id, bob);
    await take(bob, 'drop-delivery', id, { reason: 'too-far' });
    expect(await due(id)).toEqual(expect.arrayContaining([`dropped ${deliveries.bud.id}`, `dropped ${alan.id}`]));
    expect(await mails()).toEqual([keep, waits]);
    expect(await read(id, 'dropped', 'Duber', bob)).toContain('| You no longer have it.');
    // The first one accepts what they hold and gives it back: nobody tells them of their own step.
    deliveries.pass(LET_OTHERS_FIRST_MS + 1);
    await step('accept-delivery', id, alan);
    await take(alan, 'drop-delivery', id, { reason: 'too-far' });
    expect(await due(id)).not.toContain(`dropped ${alan.id}`);
    deliveries.pass(LET_OTHERS_FIRST_MS + 1);
    for (const action of ['accept-delivery', 'way-to-pickup'] as const) await step(action, id, bob);
    await take(OPERATOR, 'take-off', id, { reason: 'silent', words });
    expect(await due(id)).toEqual(expect.arrayContaining([`dropped ${bob.id}`, `dropped ${alan.id}`]));
    deliveries.pass(LET_OTHERS_FIRST_MS + 1);
    for (const action of ['accept-delivery', 'way-to-pickup', 'collected'] as const) await step(action, id, bob);
    // Who has handed the laundry on need not keep it any more.
    expect(await read(id, 'dropped', 'Duber', alan)).toContain('went on before this was sent');
  });

  test('a Duber who is taken off before the pickup has no laundry to keep', async () => {
    const { id } = await deliveries.openDelivery(2);
    await deliveries.take(OPERATOR, 'take-off', id, { reason: 'silent', words: 'We found a closer one.' });
    expect(await read(id, 'dropped', 'Duber')).toMatch(
      /\| You no longer have it\..*\| You can take on another one at once\.$/,
    );
    expect(await read(id, 'dropped', 'Bud')).toMatch(
      /^Your Duber cannot come \| We have asked the others nearby\. \| Please keep your laundry .*\| The town says: We found a closer one\.$/,
    );
    await deliveries.step('accept-delivery', id, deliveries.bob);
    expect(await read(id, 'dropped', 'Bud')).toContain('| Another one has accepted it since. |');
    await deliveries.step('way-to-pickup', id, deliveries.bob);
    await deliveries.step('collected', id, deliveries.bob);
    expect(await read(id, 'dropped', 'Bud')).toContain('went on before this was sent');
  });

  test('of laundry that is lost and called off nobody is told to stay away, and each reads what is possible', async () => {
    const { id } = await deliveries.openDelivery(4);
    await deliveries.take(deliveries.alan, 'report-lost', id, { words: 'It was stolen' });
    await deliveries.take(OPERATOR, 'call-off', id, { reason: 'lost' });
    const [duber, bud] = [await read(id, 'called-off', 'Duber'), await read(id, 'called-off', 'Bud')];
    expect(duber).toMatch(
      /^A delivery is called off \| Thank you for telling us\. .*You do not have to do anything\. \|/,
    );
    expect(duber).not.toMatch(/go there|earned/);
    expect(bud).toContain(
      '| Your laundry has not been found, so its delivery has ended. | You can claim what it was worth',
    );
    expect(await read(id, 'called-off', 'Scrub')).toContain('If you find it, please write to us.');
  });

  test('a Bud whose Duber is called off before the pickup reads that they can bring the laundry', async () => {
    const { id } = await deliveries.openDelivery(2);
    await deliveries.take(OPERATOR, 'call-off', id, { reason: 'asked' });
    expect(await read(id, 'called-off', 'Bud')).toMatch(
      /\| No Duber comes for your laundry\. You can bring it to .*\.$/,
    );
    expect(await read(id, 'called-off', 'Scrub')).toMatch(/can bring it to you\.$/);
    expect(await read(id, 'failed-pickup', 'Bud')).toContain('went on before this was sent');
  });

  test('a Duber who brought laundry back, or could not collect it, is not told to stop going there', async () => {
    const { id } = await deliveries.openDelivery(2);
    await deliveries.take(deliveries.alan, 'pickup-failed', id, { reason: 'unsafe' });
    await deliveries.take(OPERATOR, 'call-off', id, { reason: 'asked' });
    expect(await read(id, 'called-off', 'Duber')).toMatch(
      /\| You do not have to go there again\. Nothing is paid for it, because/,
    );
  });

  test('the Duber who keeps the laundry of a relayed delivery reads that it is called off, and what becomes of it', async () => {
    const { take, step, alan, bob } = deliveries;
    const { id } = await deliveries.openDelivery(4);
    await take(OPERATOR, 'relay', id, { reason: 'breakdown', place: FAR_AWAY });
    for (const action of ['accept-delivery', 'way-to-pickup'] as const) await step(action, id, bob);
    const words = 'Bring it to our office, please.';
    await take(OPERATOR, 'call-off', id, { reason: 'asked', words });
    const people = [deliveries.bud, deliveries.scrub, alan, bob].map((person) => `called-off ${person.id}`).toSorted();
    expect((await due(id)).filter((one) => one.startsWith('called-off'))).toEqual(people);
    expect(await read(id, 'called-off', 'Duber', alan)).toBe(
      `A delivery is called off | Please keep the laundry that you have. The town says how it goes on. | The town says: ${words}`,
    );
    expect(await read(id, 'called-off', 'Duber', bob)).toMatch(
      /\| Please do not go there any more\. You are paid \S+ for it\.$/,
    );
    for (const role of ['Bud', 'Scrub'] as const)
      expect(await read(id, 'called-off', role)).toMatch(
        new RegExp(`keeps .*laundry\\. The town says how it goes on\\. \\| The town says: ${words}$`),
      );
  });

  test('a Duber who goes on after all with relayed laundry is not told to stay away from it when it is called off', async () => {
    const { take, step, alan } = deliveries;
    const { id } = await deliveries.openDelivery(4);
    await take(OPERATOR, 'relay', id, { reason: 'breakdown', place: FAR_AWAY });
    deliveries.pass(LET_OTHERS_FIRST_MS + 1);
    await step('accept-delivery', id);
    await take(OPERATOR, 'call-off', id, { reason: 'asked', words: 'Bring it to our office, please.' });
    expect(await read(id, 'called-off', 'Duber', alan)).toContain('| Please keep the laundry that you have.');
  });

  test('a Duber whose laundry the next one has collected reads nothing of it when it is called off', async () => {
    const { take, step, alan, bob } = deliveries;
    const { id } = await deliveries.openDelivery(4);
    await take(OPERATOR, 'relay', id, { reason: 'breakdown', place: FAR_AWAY });
    for (const action of ['accept-delivery', 'way-to-pickup', 'collected'] as const) await step(action, id, bob);
    await take(bob, 'report-lost', id, { words: 'It fell off the bike' });
    await take(OPERATOR, 'call-off', id, { reason: 'asked' });
    const people = await due(id);
    expect(people).toContain(`called-off ${bob.id}`);
    expect(people).not.toContain(`called-off ${alan.id}`);
  });

  test('a Duber who arrives where another one waits is announced to that one, and not at the door of who gave it', async () => {
    const { take, step, alan, bob } = deliveries;
    const { id } = await deliveries.openDelivery(4);
    await take(OPERATOR, 'relay', id, { reason: 'breakdown', place: FAR_AWAY });
    for (const action of ['accept-delivery', 'way-to-pickup'] as const) await step(action, id, bob);
    for (const { id: user_id } of [alan, deliveries.bud])
      await deliveries.context.db
        .insertInto('notification_choices')
        .values({ user_id, kind: 'arrived', mail: true, push: true })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    await take(bob, 'arrived-at-pickup', id, { place: FAR_AWAY });
    expect((await due(id)).filter((one) => one.startsWith('arrived'))).toEqual([`arrived ${alan.id}`]);
    expect(await read(id, 'arrived', 'Duber', alan)).toMatch(
      /^The next Duber is here \| .*collect the laundry from you\. \|/,
    );
  });
});
