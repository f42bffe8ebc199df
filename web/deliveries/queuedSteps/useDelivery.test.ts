import { MutationObserver, type MutationOptions } from '@tanstack/react-query';
import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { errorBody } from '../../../contract/failures.ts';
import { waitFor } from '../../../testing/waits.ts';
import { queryClient, subscribeToSessionExpiry } from '../../api/queryClient.ts';
import { deliveryKey } from '../../api/queryKeys.ts';
import { clearSession, signIn, signOut } from '../../session/session.ts';
import { dismissToast, getToasts } from '../../ui/toastStore.ts';
import { createExceptionMutation } from '../problems/useDeliveryException.ts';
import { createStepMutation } from './useDelivery.ts';

const DELIVERY = { id: 'd', status: 'Way_To_Drop', duberId: 'dan', statusHistory: [], exceptions: [] };
const TAKEN = { id: 'd', status: 'Delivered', createdAt: '2026-11-22T12:00:00.000Z', takenAt: null, deliveryId: 'd' };

let step = Promise.withResolvers<Response>();
let isStepSent = false;

/** A server that signs in anybody under the name of their email, and answers a step when the test says so. */
async function answer(url: string, { body }: RequestInit = {}): Promise<Response> {
  if (url === '/api/auth/logout') return Response.json({});
  if (url === '/api/auth/login') {
    const { email } = JSON.parse(String(body)) as { email: string };
    return Response.json({ authToken: email, user: { id: email } });
  }
  isStepSent = true;
  return step.promise;
}

const signInAs = (email: string) => signIn({ email, password: 'secret' });
const shownToasts = () => getToasts().filter(({ isLeaving }) => !isLeaving);
const readToasts = () => shownToasts().map(({ title }) => title);

beforeEach(async () => {
  vi.stubGlobal('indexedDB', new IDBFactory());
  vi.stubGlobal('document', { cookie: '' });
  vi.stubGlobal('location', { protocol: 'http:' });
  vi.stubGlobal('window', { addEventListener: () => undefined });
  const stored = new Map<string, string>();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
  vi.stubGlobal('fetch', answer);
  step = Promise.withResolvers();
  isStepSent = false;
  for (const { id } of shownToasts()) dismissToast(id);
  await signInAs('dan');
  queryClient.setQueryData(deliveryKey('d'), DELIVERY);
});
afterEach(() => {
  clearSession();
  vi.unstubAllGlobals();
});

const OPTIONS = {
  'a step': () => createStepMutation(queryClient, 'd', 'dan'),
  'a problem step': () => createExceptionMutation(queryClient, { userId: 'dan', deliveryId: 'd' }),
};
const PRESSED = {
  'a step': { action: 'delivered', proof: undefined },
  'a problem step': { action: 'bring-back' },
} as const;

/** Presses the button. `answered` resolves when the request has ended, whatever comes of it. */
function press(what: keyof typeof OPTIONS) {
  const answered = Promise.withResolvers<void>();
  const { mutationFn, ...options } = OPTIONS[what]() as MutationOptions<unknown, Error, unknown>;
  const mutation = new MutationObserver(queryClient, {
    ...options,
    mutationFn: async (...input) => mutationFn?.(...input).finally(() => answered.resolve()),
  });
  const pressed = mutation.mutate(PRESSED[what]).catch(() => undefined);
  return { pressed, answered: answered.promise };
}

const ANSWERS = {
  taken: () => Response.json(TAKEN),
  refused: () => Response.json(errorBody('wrongStatus'), { status: 409 }),
  'signed out': () => Response.json(errorBody('unauthenticated'), { status: 401 }),
};

const ENDS = [
  ['a step', 'taken', 'Delivery Completed!'],
  ['a step', 'refused', 'Status Not Updated'],
  ['a problem step', 'taken', 'Please take the laundry back'],
  ['a problem step', 'refused', 'Not sent'],
] as const;

async function pressAndAnswer(what: keyof typeof OPTIONS, end: keyof typeof ANSWERS, meanwhile: () => Promise<void>) {
  const { pressed, answered } = press(what);
  await waitFor(() => expect(isStepSent).toBe(true));
  await meanwhile();
  step.resolve(ANSWERS[end]());
  await answered;
  // What comes after the request of somebody else never ends.
  await Promise.race([pressed, new Promise((resolve) => setImmediate(resolve))]);
}

test.each(ENDS)('the one who pressed sees that %s was %s: "%s"', async (what, end, title) => {
  await pressAndAnswer(what, end, async () => undefined);
  expect(readToasts()).toEqual([title]);
  expect(queryClient.getQueryData(deliveryKey('d'))).toMatchObject({
    status: what === 'a step' && end === 'taken' ? 'Delivered' : 'Way_To_Drop',
  });
});

test.each(ENDS)('who has signed in since sees nothing of it that %s was %s, nor the delivery', async (what, end) => {
  await pressAndAnswer(what, end, async () => {
    signOut();
    await signInAs('otto');
  });
  expect([readToasts(), queryClient.getQueryData(deliveryKey('d'))]).toEqual([[], undefined]);
});

test.each([
  ['ends it for the one who pressed', async () => undefined, 1],
  [
    'does not sign out who has signed in since',
    async () => {
      signOut();
      await signInAs('otto');
    },
    0,
  ],
])('a request whose session has ended %s', async (_words, meanwhile, ends) => {
  const onExpiry = vi.fn();
  const unsubscribe = subscribeToSessionExpiry(onExpiry);
  await pressAndAnswer('a problem step', 'signed out', meanwhile);
  expect([onExpiry.mock.calls.length, readToasts().length]).toEqual([ends, ends]);
  unsubscribe();
});

test('who was signed out sees why their step was refused, and the next person does not get the delivery', async () => {
  await pressAndAnswer('a step', 'refused', async () => signOut());
  expect(readToasts()).toEqual(['Status Not Updated']);
  await signInAs('otto');
  expect(queryClient.getQueryData(deliveryKey('d'))).toBeUndefined();
});

test.each([
  ['shown at once', undefined, 'Delivered'],
  [
    'not shown before it is taken, so that its sheet keeps what was typed, when it has a proof',
    { pin: '4821' },
    'Way_To_Drop',
  ],
])('a step is %s', async (_words, proof, meanwhile) => {
  const mutation = new MutationObserver(queryClient, createStepMutation(queryClient, 'd', 'dan'));
  const pressed = mutation.mutate({ action: 'delivered', proof });
  await waitFor(() => expect(isStepSent).toBe(true));
  expect(queryClient.getQueryData(deliveryKey('d'))).toMatchObject({ status: meanwhile });
  step.resolve(ANSWERS.taken());
  await pressed;
  expect(queryClient.getQueryData(deliveryKey('d'))).toMatchObject({ status: 'Delivered' });
});
