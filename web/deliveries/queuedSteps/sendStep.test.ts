import { describe, expect, test } from 'vitest';
import { TAKEN_AT_HEADER } from '../../../contract/call.ts';
import { CallFailed, Unreachable } from '../../../contract/callClient.ts';
import type { Delivery } from '../../../contract/deliveries.ts';
import { errorBody, FAILURES, type Failure } from '../../../contract/failures.ts';
import type { DeliveryAction } from '../../../domain/deliveries.ts';
import type { QueuedStep } from './queuedStepStore.ts';
import { PREVIOUS_STEP_LOST, type SendResult, sendQueuedSteps, sendStep } from './sendStep.ts';

const step = (action: DeliveryAction, deliveryId = 'd', problem?: string): QueuedStep => ({
  key: `me/${deliveryId}/${action}`,
  userId: 'me',
  deliveryId,
  action,
  takenAt: '2026-11-21T08:00:00.000Z',
  ...(problem === undefined ? {} : { problem }),
});

const failed = (code: Failure, message: Parameters<typeof errorBody>[1] = 'This delivery is Delivered') =>
  new CallFailed(FAILURES[code][0], errorBody(code, message), new Headers());

const timeRejected = (rule: string) =>
  failed('invalid', [{ property: TAKEN_AT_HEADER, constraints: { [rule]: 'the time is not good' } }]);

const deliveryAt = (duberId: string, ...statuses: string[]) =>
  ({ duberId, statusHistory: statuses.map((status) => ({ status })) }) as unknown as Delivery;

/** Sends one step to a server with these answers; also returns the times that were sent with it. */
async function sendResultOf(answers: readonly unknown[], read: unknown = failed('notFound')) {
  const times: (string | undefined)[] = [];
  const fate = await sendStep(step('collected'), {
    send: async (_step, takenAt) => {
      const answer = answers[times.push(takenAt) - 1];
      if (answer instanceof Error) throw answer;
    },
    readDelivery: async () => {
      if (read instanceof Error) throw read;
      return read as Delivery;
    },
  });
  return { fate, times };
}

describe('a step that was taken offline', () => {
  test('is sent with the time when it was taken', async () => {
    expect(await sendResultOf([undefined])).toEqual({ fate: { kind: 'sent' }, times: ['2026-11-21T08:00:00.000Z'] });
  });

  test.each([
    ['no answer', new Unreachable('gone')],
    ['a dead session', failed('unauthenticated')],
    ['too many requests', failed('tooMany')],
    ['a server in trouble', failed('notReady')],
    ['a broken server', failed('broken')],
  ])('waits on after %s', async (_words, answer) => {
    expect((await sendResultOf([answer])).fate).toEqual({ kind: 'waits' });
  });

  test('counts as sent when it already happened and only the answer was lost', async () => {
    const read = deliveryAt('me', 'Pending', 'Accepted', 'Way_To_Pick', 'Collected');
    expect((await sendResultOf([failed('wrongStatus')], read)).fate).toEqual({ kind: 'sent' });
  });

  test('is lost, with a message, when the delivery moved on without it or is somebody else’s', async () => {
    const lost: SendResult = { kind: 'lost', why: 'This delivery is Delivered.' };
    expect((await sendResultOf([failed('wrongStatus')], deliveryAt('me', 'Pending', 'Accepted'))).fate).toEqual(lost);
    expect((await sendResultOf([failed('wrongStatus')], deliveryAt('other', 'Accepted', 'Collected'))).fate).toEqual(
      lost,
    );
    expect((await sendResultOf([failed('wrongStatus')])).fate).toEqual(lost);
    expect((await sendResultOf([failed('notFound')])).fate).toMatchObject({
      kind: 'lost',
      why: expect.stringMatching(/no longer yours/),
    });
  });

  test('stays queued when it is unknown whether it happened', async () => {
    expect((await sendResultOf([failed('wrongStatus')], new Unreachable('gone'))).fate).toEqual({ kind: 'waits' });
  });

  test('is sent once without its time when the device’s clock is ahead', async () => {
    expect(await sendResultOf([timeRejected('isPast'), undefined])).toEqual({
      fate: { kind: 'sent' },
      times: ['2026-11-21T08:00:00.000Z', undefined],
    });
    const refused = await sendResultOf([timeRejected('isPast'), timeRejected('isPast'), undefined]);
    expect([refused.fate.kind, refused.times.length]).toEqual(['lost', 2]);
  });

  test('is lost when it is more than a day old, with a message that says what to do', async () => {
    expect((await sendResultOf([timeRejected('isRecent')])).fate).toMatchObject({
      why: expect.stringMatching(/more than a day ago/),
    });
  });
});

describe('queued steps', () => {
  async function sendAll(steps: readonly QueuedStep[], answers: Record<string, unknown> = {}, who = 'me') {
    const told: string[] = [];
    await sendQueuedSteps('me', steps, {
      readUserId: async () => who,
      send: async ({ key }) => {
        told.push(`try ${key}`);
        if (answers[key]) throw answers[key];
      },
      readDelivery: async () => deliveryAt('me', 'Accepted'),
      onSent: async ({ key }) => void told.push(`sent ${key}`),
      onLost: async ({ key }, why) => void told.push(`lost ${key}: ${why}`),
    });
    return told;
  }

  test('are sent in order, and none after one that must wait', async () => {
    const steps = [step('way-to-pickup'), step('collected'), step('way-to-drop')];
    expect(await sendAll(steps, { 'me/d/collected': new Unreachable('gone') })).toEqual([
      'try me/d/way-to-pickup',
      'sent me/d/way-to-pickup',
      'try me/d/collected',
    ]);
  });

  test('are lost after a lost step of the same delivery, each with a message', async () => {
    const steps = [step('collected'), step('way-to-drop'), step('accept-delivery', 'e')];
    expect(await sendAll(steps, { 'me/d/collected': failed('wrongStatus') })).toEqual([
      'try me/d/collected',
      'lost me/d/collected: This delivery is Delivered.',
      `lost me/d/way-to-drop: ${PREVIOUS_STEP_LOST}`,
      'try me/e/accept-delivery',
      'sent me/e/accept-delivery',
    ]);
  });

  test('are only sent as the user who took them', async () => {
    expect(await sendAll([step('collected')], {}, 'somebody else')).toEqual([]);
    expect(await sendAll([{ ...step('collected'), userId: 'somebody else' }])).toEqual([]);
  });

  test('are not sent again once lost', async () => {
    expect(await sendAll([step('collected', 'd', 'too late')])).toEqual([]);
  });
});
