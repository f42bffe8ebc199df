// How a verb becomes a call, with a body that fits the order.

import { toGrams } from '../../domain/weighing.ts';
import { TEST_CARD } from '../../testing/orderSteps.ts';
import { asBlob, SMALL_PHOTO } from '../../testing/photos.ts';
import type { TestUser } from '../../testing/testServer.ts';
import { type BoardOrder, placeOfDelivery } from './gangBoard.ts';
import { CASE_CALLS, type Choice, DAY_CALLS, isHandover, ORDER_CALLS, type Subject, type Verb } from './gangVerbs.ts';

/** What somebody tries. */
export type Attempt = {
  readonly user: TestUser;
  readonly verb: Verb;
  readonly choice: Choice;
  readonly order: BoardOrder;
  readonly subject: Subject;
  readonly now: number;
  /** When something was tried with this order before. */
  readonly lastAt: number;
  /** The PIN that the recipient of the laundry tells; undefined when they tell none. */
  readonly askPin: () => Promise<string | undefined>;
  /** Another Scrub of the group, to whom an order can go. */
  readonly otherScrubId: string | undefined;
};

type AnyCall = (input: Record<string, unknown>) => Promise<unknown>;
const WORDS = 'Said by the gang.';
const WRONG_PINS = 5;

async function takePhotos({ user, choice }: Attempt, isNeeded = choice.hasPhoto === true): Promise<string[]> {
  if (!isNeeded) return [];
  return [(await user.api.createFile({ photo: asBlob(SMALL_PHOTO) })).id];
}

function placeOf({ order, subject: { delivery }, choice }: Attempt) {
  return delivery && choice.isNear ? { place: placeOfDelivery(order, delivery) } : {};
}

/** By the clock of a phone that was offline since the last step. */
function takenAtOf({ choice: { lateS }, now, lastAt }: Attempt) {
  if (lateS === undefined) return {};
  return { takenAt: new Date(Math.min(now, lastAt + lateS * 1000)).toISOString() };
}

const othersPin = (pin: string) => String((Number(pin) + 1) % 10_000).padStart(4, '0');

async function pinOf({ choice, askPin }: Attempt) {
  if (choice.pin === 'none' || choice.pin === undefined) return undefined;
  const pin = await askPin();
  if (choice.pin === 'right') return pin;
  return othersPin(pin ?? '0000');
}

/** Sends a step of a delivery. After five wrong PINs, the same once more without one. */
async function sendDeliveryStep(attempt: Attempt, id: string): Promise<unknown> {
  const { user, verb, choice } = attempt;
  const api = user.api as unknown as Record<string, AnyCall>;
  const params = { id };
  const handsOver = isHandover(verb.name);
  if (DAY_CALLS.includes(verb.name) && !handsOver) return api[verb.name]?.({ params, ...takenAtOf(attempt) });
  const body = { fileIds: await takePhotos(attempt), ...placeOf(attempt) };
  const { reason } = choice;
  if (!handsOver) return api[verb.name]?.({ params, ...takenAtOf(attempt), body: { ...body, reason, words: WORDS } });
  const bags = choice.bags === undefined ? {} : { bags: choice.bags };
  if (verb.name === 'collected')
    return user.api.collectWithProof({ params, ...takenAtOf(attempt), body: { ...body, ...bags } });
  const pin = await pinOf(attempt);
  const send = (more: object) => {
    const call = { params, ...takenAtOf(attempt), body: { ...body, ...more } };
    if (verb.name === 'delivered') return user.api.deliverWithProof(call);
    return user.api['brought-back']({ ...call, body: { ...call.body, words: WORDS } });
  };
  if (choice.pin !== 'five wrong' || pin === undefined) return send({ ...bags, ...(pin === undefined ? {} : { pin }) });
  for (let tries = 0; tries < WRONG_PINS; tries += 1) {
    const answer = await send({ ...bags, pin }).catch(() => undefined);
    if (answer !== undefined) return answer;
  }
  return send(bags);
}

/** What a claim asks for: a share of what the order cost, in items that are worth it. */
function itemsOf({ choice: { itemKind = 'missing', share = 1 } }: Attempt) {
  const asked = Math.round(4_800 * share) / 100;
  return ['Blue shirt', 'Red shirt', 'Coat'].map((what) => ({ what, kind: itemKind, worth: 80, ageMonths: 1, asked }));
}

async function sendCaseStep(attempt: Attempt, id: string): Promise<unknown> {
  const { user, verb, choice } = attempt;
  const params = { id };
  if (verb.name === 'accept-offer') return user.api['accept-offer']({ params, body: {} });
  if (verb.name !== 'answer')
    return (user.api as unknown as Record<string, AnyCall>)[verb.name]?.({ params, body: { words: WORDS } });
  const { mostToGive, asked } = await user.api.readCase({ params });
  const { offer = 'was-before', share = 1 } = choice;
  const amount = Math.max(0.01, Math.round(Math.min(mostToGive, asked || mostToGive) * share * 100) / 100);
  return user.api.answer({ params, body: { offer, words: WORDS, ...(offer === 'give-back' ? { amount } : {}) } });
}

const OTHERS: Readonly<Record<string, (attempt: Attempt) => Promise<unknown>>> = {
  claim: async (attempt) =>
    attempt.user.api.createCase({
      body: {
        ...{ kind: 'claim', orderId: attempt.order.id, items: itemsOf(attempt), words: WORDS },
        fileIds: await takePhotos(attempt),
      },
    }),
  question: ({ user, order }) => user.api.createCase({ body: { kind: 'question', orderId: order.id, words: WORDS } }),
  relay: (attempt) =>
    attempt.user.api.createCase({
      body: { kind: 'relay', deliveryId: attempt.subject.delivery?.id ?? '', words: WORDS, ...placeOf(attempt) },
    }),
  'share-position': (attempt) => {
    const { order, subject, user } = attempt;
    const place = subject.delivery && placeOfDelivery(order, subject.delivery);
    const away = attempt.choice.isNear ? 0 : 0.05;
    const { latitude = 0, longitude = 0 } = place ?? {};
    const body = { latitude: latitude + away, longitude };
    return user.api.sharePosition({ params: { id: subject.delivery?.id ?? '' }, body });
  },
  weigh: async (attempt) =>
    attempt.user.api.weighOrder({
      params: { id: attempt.order.id },
      body: { grams: toGrams(attempt.choice.pounds ?? 4), fileIds: await takePhotos(attempt, true) },
    }),
  'weigh-on-the-way': async (attempt) =>
    attempt.user.api.weighDelivery({
      params: { id: attempt.subject.delivery?.id ?? '' },
      body: { grams: toGrams(attempt.choice.pounds ?? 4), fileIds: await takePhotos(attempt, true) },
    }),
  'answer-weight': ({ user, order, choice: { answer = 'keep' } }) =>
    user.api.answerCorrection({
      params: { id: order.id },
      body: { answer, ...(answer === 'pay' ? { paymentSourceId: TEST_CARD } : {}) },
    }),
  'has-bags': ({ user, order, choice: { bags = 2 } }) =>
    user.api.confirmReceived({ params: { id: order.id }, body: { bags } }),
  'leave-at-door': ({ user, order, choice: { leaveAtDoor = true } }) =>
    user.api.chooseLeaveAtDoor({ params: { id: order.id }, body: { leaveAtDoor } }),
};

/** Sends what somebody tries to the server. */
export async function send(attempt: Attempt): Promise<unknown> {
  const { user, verb, subject, order, choice } = attempt;
  const other = OTHERS[verb.name];
  if (other) return other(attempt);
  if (subject.of && CASE_CALLS.includes(verb.name)) return sendCaseStep(attempt, subject.of.id);
  if (subject.delivery) return sendDeliveryStep(attempt, subject.delivery.id);
  if (!ORDER_CALLS.includes(verb.name)) throw new Error(`nobody knows how to ${verb.name}`);
  const params = { id: order.id };
  const call = (user.api as unknown as Record<string, AnyCall>)[verb.name] as AnyCall;
  if (verb.name === 'choose-scrub') return call({ params, body: { scrubId: attempt.otherScrubId ?? order.scrubId } });
  const hasReason = ['cancel-accepted', 'give-back'].includes(verb.name);
  return call(hasReason ? { params, body: { reason: choice.reason, words: WORDS } } : { params });
}
