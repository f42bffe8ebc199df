import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CallFailed, Unreachable } from '../../../contract/callClient.ts';
import { errorBody, FAILURES, type Failure } from '../../../contract/failures.ts';
import { endWaitingSteps, isPhotoWaiting } from '../../offline/storedSteps.ts';
import {
  markStepFailed,
  type QueuedStep,
  queueStep,
  readQueuedSteps,
  readStoredStep,
  removeStep,
  saveSentPhoto,
} from './queuedStepStore.ts';
import { type SendResult, sendStep } from './sendStep.ts';

const failed = (code: Failure) => new CallFailed(FAILURES[code][0], errorBody(code), new Headers());
const photoOf = (words: string) => new Blob([words], { type: 'image/jpeg' });

beforeEach(() => vi.stubGlobal('indexedDB', new IDBFactory()));
afterEach(() => vi.unstubAllGlobals());

/** Queues a pickup that failed, with two photos that wait and one that was sent before. */
async function queueWithPhotos(): Promise<QueuedStep> {
  await queueStep({
    ...{ userId: 'me', deliveryId: 'd', action: 'pickup-failed', attempt: 1, requestKey: 'key' },
    takenAt: '2026-11-21T08:00:00.000Z',
    report: { reason: 'nobody-home', fileIds: ['sent-before', 'waiting:a', 'waiting:b'] },
    photos: [
      { id: 'waiting:a', photo: photoOf('the door') },
      { id: 'waiting:b', photo: photoOf('the bell') },
    ],
  });
  return readOnly();
}

async function readOnly(): Promise<QueuedStep> {
  const [step] = await readQueuedSteps('me');
  if (!step) throw new Error('nothing is queued');
  return step;
}

/** A server that answers photos in this order, and takes every step. */
function serverOf(...answers: readonly (string | Error)[]) {
  const sent: { photos: string[]; steps: unknown[] } = { photos: [], steps: [] };
  const send = async (step: QueuedStep): Promise<SendResult> =>
    sendStep(step, {
      sendPhoto: async (key, photo) => {
        const answer = answers[sent.photos.push(`${key}: ${await photo.text()}`) - 1];
        if (answer instanceof Error) throw answer;
        return answer ?? 'one more';
      },
      savePhoto: saveSentPhoto,
      send: async ({ report }) => void sent.steps.push(report?.fileIds),
      readDelivery: () => Promise.reject(new Error('not asked')),
    });
  return { sent, send };
}

describe('the photos of a step that waits', () => {
  test('wait with it on the device, and are sent before it', async () => {
    const { sent, send } = serverOf('file-a', 'file-b');
    expect(await send(await queueWithPhotos())).toEqual({ kind: 'sent' });
    expect(sent).toEqual({
      photos: ['a: the door', 'b: the bell'],
      steps: [['sent-before', 'file-a', 'file-b']],
    });
  });

  test.each([
    ['no answer', new Unreachable('gone')],
    ['too many photos', failed('tooManyPhotos')],
    ['a server in trouble', failed('notReady')],
    ['a dead session', failed('unauthenticated')],
  ])('are not sent again after %s for another one, and the step waits on', async (_words, answer) => {
    const first = serverOf('file-a', answer);
    expect(await first.send(await queueWithPhotos())).toEqual({ kind: 'waits' });
    expect(first.sent.steps).toEqual([]);
    expect((await readOnly()).photos).toEqual([
      { id: 'waiting:a', fileId: 'file-a' },
      { id: 'waiting:b', photo: expect.any(Blob) },
    ]);
    const second = serverOf('file-b');
    expect(await second.send(await readOnly())).toEqual({ kind: 'sent' });
    expect(second.sent).toEqual({ photos: ['b: the bell'], steps: [['sent-before', 'file-a', 'file-b']] });
  });

  test('that the server refuses lose their step, which says why and what to do', async () => {
    const { sent, send } = serverOf(failed('notAPhoto'));
    expect(await send(await queueWithPhotos())).toEqual({
      kind: 'lost',
      why: `Its photo was refused: ${FAILURES.notAPhoto[1]}. Do it again with another photo.`,
    });
    expect(sent.steps).toEqual([]);
  });

  test('do not bring back a step that its user removed while they were sent', async () => {
    const step = await queueWithPhotos();
    const { sent, send } = serverOf('file-a', 'file-b');
    await removeStep(step);
    expect(await send(step)).toEqual({ kind: 'removed' });
    expect([sent.steps, await readQueuedSteps('me')]).toEqual([[], []]);
  });

  test('are deleted when the step is given up, or its user signs out', async () => {
    await markStepFailed(await queueWithPhotos(), 'too late');
    expect(await readOnly()).toMatchObject({ problem: 'too late', requestKey: 'key', attempt: 1 });
    expect(await readOnly()).not.toHaveProperty('photos');
    expect(await readOnly()).not.toHaveProperty('report');

    const step = await queueWithPhotos();
    await saveSentPhoto(step, { id: 'waiting:a', fileId: 'file-a' });
    expect((await readOnly()).photos?.filter(isPhotoWaiting)).toMatchObject([{ id: 'waiting:b' }]);
    await endWaitingSteps();
    expect(await readOnly()).not.toHaveProperty('photos');
    expect(await readStoredStep(step)).toBeUndefined();
  });

  test('that an earlier release deleted when its user signed out need a new one', async () => {
    const { photos = [], ...step } = await queueWithPhotos();
    const without = photos.map(({ id }) => ({ id }));
    expect(await serverOf().send({ ...step, photos: without })).toMatchObject({
      kind: 'lost',
      why: expect.stringMatching(/deleted when you were signed out.*again with a new photo/),
    });
  });
});

test('each try to come to a door is another step, and the same step again replaces the one that was lost', async () => {
  const arrival = { userId: 'me', deliveryId: 'd', action: 'arrived-at-drop' } as const;
  const takenAt = '2026-11-21T08:00:00.000Z';
  await queueStep({ ...arrival, takenAt, attempt: 1 });
  await queueStep({ ...arrival, takenAt: '2026-11-21T09:00:00.000Z', attempt: 2 });
  await queueStep({ ...arrival, takenAt: '2026-11-21T10:00:00.000Z', attempt: 2, problem: 'again' });
  expect((await readQueuedSteps('me')).map((step) => [step.attempt, step.takenAt.slice(11, 13)])).toEqual([
    [1, '08'],
    [2, '10'],
  ]);
});

test('a step that was taken again after it was removed is another one, which the end of the first does not remove', async () => {
  const first = await queueWithPhotos();
  await queueStep({ ...first, requestKey: 'another key' });
  expect(await readStoredStep(first)).toBeUndefined();
  await removeStep(first);
  const second = await readOnly();
  expect(second.requestKey).toBe('another key');
  expect(await readStoredStep(second)).toMatchObject({ requestKey: 'another key' });
  await removeStep(second);
  expect([await readStoredStep(second), await readQueuedSteps('me')]).toEqual([undefined, []]);
});
