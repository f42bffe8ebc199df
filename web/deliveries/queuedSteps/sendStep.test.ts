import { describe, expect, test } from 'vitest';
import { TAKEN_AT_HEADER } from '../../../contract/call.ts';
import { CallFailed, Unreachable } from '../../../contract/callClient.ts';
import { errorBody, FAILURES, type Failure } from '../../../contract/failures.ts';
import type { QueuedStep } from './queuedStepStore.ts';
import { PREVIOUS_STEP_LOST, type SendResult, sendQueuedSteps, sendStep } from './sendStep.ts';
import type { WaitingAction } from './waitingSteps.ts';

const step = (action: WaitingAction, deliveryId = 'd', problem?: string): QueuedStep => ({
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

/** What the server says of a delivery: whose it is, and the steps of its present attempt. */
const deliveryOf = (duberId: string, ...doneSteps: string[]) => ({ duberId, doneSteps });

const withoutPhotos = {
  sendPhoto: () => Promise.reject(new Error('no photo')),
  savePhoto: () => Promise.reject(new Error('no photo')),
};

/** Sends one step to a server with these answers; also returns the times that were sent with it. */
async function sendResultOf(
  answers: readonly unknown[],
  read: unknown = failed('notFound'),
  action: WaitingAction = 'collected',
) {
  const times: (string | undefined)[] = [];
  const result = await sendStep(step(action), {
    ...withoutPhotos,
    send: async (_step, takenAt) => {
      const answer = answers[times.push(takenAt) - 1];
      if (answer instanceof Error) throw answer;
    },
    readDelivery: async () => {
      if (read instanceof Error) throw read;
      return read as ReturnType<typeof deliveryOf>;
    },
  });
  return { result, times };
}

describe('a step that was taken offline', () => {
  test('is sent with the time when it was taken', async () => {
    expect(await sendResultOf([undefined])).toEqual({ result: { kind: 'sent' }, times: ['2026-11-21T08:00:00.000Z'] });
  });

  test.each([
    ['no answer', new Unreachable('gone')],
    ['a dead session', failed('unauthenticated')],
    ['too many requests', failed('tooMany')],
    ['a server in trouble', failed('notReady')],
    ['a broken server', failed('broken')],
  ])('waits on after %s', async (_words, answer) => {
    expect((await sendResultOf([answer])).result).toEqual({ kind: 'waits' });
  });

  test('counts as sent when it already happened and only the answer was lost', async () => {
    const read = deliveryOf('me', 'accept-delivery', 'way-to-pickup', 'collected');
    expect((await sendResultOf([failed('wrongStatus')], read)).result).toEqual({ kind: 'sent' });
  });

  test('is lost, with a message, when the delivery moved on without it or is somebody else’s', async () => {
    const lost: SendResult = { kind: 'lost', why: 'This delivery is Delivered.' };
    expect((await sendResultOf([failed('wrongStatus')], deliveryOf('me', 'accept-delivery'))).result).toEqual(lost);
    expect(
      (await sendResultOf([failed('wrongStatus')], deliveryOf('other', 'accept-delivery', 'collected'))).result,
    ).toEqual(lost);
    expect((await sendResultOf([failed('wrongStatus')])).result).toEqual(lost);
    expect((await sendResultOf([failed('notFound')])).result).toMatchObject({
      kind: 'lost',
      why: expect.stringMatching(/no longer yours/),
    });
  });

  test('says to ask the town if the laundry is already at the door and its photo is refused', async () => {
    const whyOf = async (more: Partial<QueuedStep>) => {
      const refuse = () => Promise.reject(failed('proofNeeded', 'Ask for their PIN'));
      const wire = { ...withoutPhotos, send: refuse, readDelivery: async () => deliveryOf('me', 'way-to-drop') };
      return sendStep({ ...step('delivered'), ...more }, wire);
    };
    const photo = { fileIds: ['a'] };
    const asks = { kind: 'lost', why: 'Ask for their PIN. If you have left it there, ask the town.' };
    expect(await whyOf({ proof: photo })).toEqual(asks);
    expect(await whyOf({ ...step('brought-back'), report: photo })).toEqual(asks);
    expect(await whyOf({ proof: { bags: 1 } })).toEqual({ kind: 'lost', why: 'Ask for their PIN.' });
    expect(await whyOf({ ...step('collected'), proof: photo })).toEqual({ kind: 'lost', why: 'Ask for their PIN.' });
  });

  test('at a door counts as sent when it is in the present attempt already, and not when it was in an earlier one', async () => {
    const result = async (action: WaitingAction, ...doneSteps: string[]) =>
      (await sendResultOf([failed('wrongStatus')], deliveryOf('me', ...doneSteps), action)).result.kind;
    expect(await result('drop-failed', 'collected', 'way-to-drop', 'drop-failed')).toBe('sent');
    expect(await result('drop-failed', 'try-again')).toBe('lost');
    expect(await result('try-again', 'try-again')).toBe('sent');
    // An operator took it off this Duber, who has accepted it again.
    expect(await result('way-to-pickup', 'accept-delivery')).toBe('lost');
    expect(await result('accept-delivery', 'accept-delivery')).toBe('sent');
  });

  test('stays queued when it is unknown whether it happened', async () => {
    expect((await sendResultOf([failed('wrongStatus')], new Unreachable('gone'))).result).toEqual({ kind: 'waits' });
  });

  test('is sent once without its time when the device’s clock is ahead', async () => {
    expect(await sendResultOf([timeRejected('isPast'), undefined])).toEqual({
      result: { kind: 'sent' },
      times: ['2026-11-21T08:00:00.000Z', undefined],
    });
    const refused = await sendResultOf([timeRejected('isPast'), timeRejected('isPast'), undefined]);
    expect([refused.result.kind, refused.times.length]).toEqual(['lost', 2]);
  });

  test('is lost when it is more than a day old, with a message that says what to do', async () => {
    expect((await sendResultOf([timeRejected('isRecent')])).result).toMatchObject({
      why: expect.stringMatching(/more than a day ago/),
    });
  });
});

describe('queued steps', () => {
  type Answer = Error | (() => void);
  async function sendAll(
    steps: readonly QueuedStep[],
    answers: Record<string, Answer> = {},
    { who = 'me', stored = new Set(steps) } = {},
  ) {
    const log: string[] = [];
    await sendQueuedSteps('me', steps, {
      ...withoutPhotos,
      readUserId: async () => who,
      readStep: async (one) => (stored.has(one) ? one : undefined),
      send: async ({ key }) => {
        log.push(`try ${key}`);
        const answer = answers[key];
        if (answer instanceof Error) throw answer;
        answer?.();
      },
      readDelivery: async () => deliveryOf('me', 'accept-delivery'),
      onSent: async ({ key }) => void log.push(`sent ${key}`),
      onLost: async ({ key }, why) => void log.push(`lost ${key}: ${why}`),
    });
    return log;
  }

  test.each([
    ['no network', new Unreachable('gone')],
    ['a photo that the server cannot keep now', failed('notReady')],
  ])('are sent in order, and after one that must wait (%s) only those of other deliveries', async (_words, answer) => {
    const steps = [step('way-to-pickup'), step('collected'), step('accept-delivery', 'e'), step('way-to-drop')];
    expect(await sendAll(steps, { 'me/d/collected': answer })).toEqual([
      'try me/d/way-to-pickup',
      'sent me/d/way-to-pickup',
      'try me/d/collected',
      'try me/e/accept-delivery',
      'sent me/e/accept-delivery',
    ]);
  });

  test('are not sent when their user removes them while an earlier one is sent', async () => {
    const [first, second] = [step('way-to-pickup'), step('collected')];
    const stored = new Set([first, second]);
    const answers = { 'me/d/way-to-pickup': () => void stored.delete(second) };
    expect(await sendAll([first, second], answers, { stored })).toEqual([
      'try me/d/way-to-pickup',
      'sent me/d/way-to-pickup',
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
    expect(await sendAll([step('collected')], {}, { who: 'somebody else' })).toEqual([]);
    expect(await sendAll([{ ...step('collected'), userId: 'somebody else' }])).toEqual([]);
  });

  test('are not sent again once lost', async () => {
    expect(await sendAll([step('collected', 'd', 'too late')])).toEqual([]);
  });
});
