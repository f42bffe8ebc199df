// The model of weighing, written by hand like the rest. Orders of a careful town are Medium, and may cost as much as Large
// without asking. XL is sold, and nothing beyond it.

import type { Client } from '../contract/client.ts';
import { DAY_MS, HOUR_MS } from '../domain/durations.ts';
import { TEST_CARD } from '../testing/orderSteps.ts';
import { asBlob, SMALL_PHOTO } from '../testing/photos.ts';
import { type Actor, type Delivery, type Life, openCase, PROMO, useLaundry, type Weighing } from './orderLife.ts';

export const WEIGHING_STEPS = ['weigh', 'weigh-on-the-way', 'pay', 'keep', 'send-back', 'contest'] as const;
export type WeighingStep = (typeof WEIGHING_STEPS)[number];

/** Heaviest weight in pounds with the tolerance, size, and what it costs with both ways. */
const SIZES = [
  [2.5, 'Small', 1792],
  [5.5, 'Medium', 2683],
  [8.5, 'Large', 3574],
  [15.5, 'XL', 5653],
] as const;
const [LARGE_CENTS, XL_CENTS, WAYS_CENTS] = [3574, 5653, 1198];
export const POUNDS = [2, 4, 5, 7, 12, 20] as const;
const GRAMS_PER_POUND = 453.592_37;

/** The delivery to the Scrub, while it is not called off. */
export const outboundOf = ({ deliveries }: Life): Delivery | undefined =>
  deliveries.findLast(({ type, status }) => type === 'Bud_To_Scrub' && status !== 'Called_Off');

/** What its Duber has weighed of the laundry of a delivery, since they collected it. */
const weightOf = ({ duber }: Weighing, delivery: Delivery | undefined): number | undefined =>
  duber && duber.delivery === delivery && duber.by === delivery.duber && duber.at >= delivery.collectedAt
    ? duber.pounds
    : undefined;

const isLaundryHere = (life: Life) =>
  life.isHandedOver || (outboundOf(life)?.status === 'Delivered' && outboundOf(life)?.round === life.round);

export function predictWeighing(life: Life, actor: Actor, step: WeighingStep, now: number): boolean {
  const { weighing, status } = life;
  if (!weighing) return false;
  const isBegun = status === 'Accepted' || status === 'In_Progress';
  const delivery = outboundOf(life);
  if (step === 'weigh') {
    return actor === life.scrub && isBegun && isLaundryHere(life) && weighing.scrub === undefined;
  }
  if (step === 'weigh-on-the-way') {
    const isOnBoard = delivery?.status === 'Collected' || delivery?.status === 'Way_To_Drop';
    return (
      isOnBoard &&
      delivery.duber === actor &&
      weighing.scrub === undefined &&
      weightOf(weighing, delivery) === undefined
    );
  }
  if (actor !== 'bud') return false;
  if (step === 'contest') {
    const { chargedMoreAt, isContested } = weighing;
    const isOpen = chargedMoreAt !== undefined && now - chargedMoreAt < 24 * HOUR_MS && !isContested;
    return isOpen && (isBegun || status === 'Completed');
  }
  if (!isBegun || weighing.askedAt === undefined) return false;
  return step === 'send-back' || (step === 'keep' ? weighing.splits : weighing.isSold);
}

/** What an order needs before it is completed. */
export const mayComplete = ({ weighing }: Life): boolean =>
  !weighing || (weighing.scrub !== undefined && weighing.askedAt === undefined);

export type WeighingReport = { readonly pounds: number; readonly splits: boolean };

/** Applies a step that succeeded. */
export function applyWeighing(life: Life, step: WeighingStep, report: WeighingReport, now: number): void {
  const { weighing } = life;
  if (!weighing) return;
  const delivery = outboundOf(life);
  if (step === 'weigh-on-the-way' && delivery)
    weighing.duber = { pounds: report.pounds, delivery, by: delivery.duber, at: now };
  if (step === 'weigh') {
    weigh(life, weighing, report, now);
    useLaundry(life, now);
  }
  if (step === 'contest') {
    weighing.isContested = true;
    openCase(life, 'weighing', now);
  }
  if (step === 'pay') decide(weighing, 'XL', XL_CENTS);
  if (step === 'keep') decide(weighing, 'Large', LARGE_CENTS);
  if (step === 'send-back') decide(weighing, 'Medium', WAYS_CENTS);
}

const decide = (weighing: Weighing, size: string, cents: number) =>
  Object.assign(weighing, { size, cents, askedAt: undefined });

function weigh(life: Life, weighing: Weighing, { pounds, splits }: WeighingReport, now: number): void {
  const delivery = outboundOf(life);
  const other = (delivery?.status === 'Delivered' ? weightOf(weighing, delivery) : undefined) ?? pounds;
  const [lower, higher] = [Math.min(pounds, other), Math.max(pounds, other)];
  const disagree = higher > lower * 1.1;
  if (disagree) openCase(life, 'scales', now);
  const counted = disagree ? lower : pounds;
  const fitting = SIZES.find(([most]) => counted <= most);
  Object.assign(weighing, { scrub: pounds, splits, isSold: fitting !== undefined });
  // What was charged because nobody had weighed in time only falls.
  if (weighing.isEstimateCharged && (fitting?.[2] ?? XL_CENTS) >= weighing.cents) return;
  if (!fitting || fitting[2] > LARGE_CENTS) {
    weighing.askedAt = now;
    return;
  }
  const [, size, cents] = fitting;
  if (cents > weighing.cents) weighing.chargedMoreAt = now;
  Object.assign(weighing, { size, cents });
}

/** The Scrub gives the order back while the Bud is asked: the next one weighs. */
export function dropCorrection({ weighing }: Life): void {
  if (weighing?.askedAt !== undefined) Object.assign(weighing, { scrub: undefined, askedAt: undefined });
}

const isWaitingForWeight = ({ weighing, wasAccepted, status }: Life) =>
  weighing?.scrub === undefined && wasAccepted && ['Requested', 'Accepted', 'In_Progress'].includes(status);

/** When the Bud has not answered, or nobody has weighed: after 2 hours, and before the hold of the card ends. */
export function weighingDueAt(life: Life): number | undefined {
  const { weighing, createdAt } = life;
  if (weighing?.askedAt !== undefined)
    return ['Accepted', 'In_Progress'].includes(life.status) ? weighing.askedAt + 2 * HOUR_MS : undefined;
  const isOpen = weighing !== undefined && !weighing.isEstimateCharged && isWaitingForWeight(life);
  return isOpen ? createdAt + 6 * DAY_MS : undefined;
}

export function applyWeighingTime(life: Life, now: number): void {
  const { weighing } = life;
  const dueAt = weighingDueAt(life);
  if (!weighing || dueAt === undefined || now < dueAt) return;
  if (weighing.askedAt === undefined) {
    weighing.isEstimateCharged = true;
    return;
  }
  openCase(life, 'weighing', now);
  if (weighing.splits) decide(weighing, 'Large', LARGE_CENTS);
  else decide(weighing, 'Medium', WAYS_CENTS);
}

/** What sends a step. The Scrub takes a photo first. Undefined when there is no delivery to weigh. */
export function weighingCall(life: Life, step: WeighingStep, { pounds, splits }: WeighingReport) {
  const params = { id: life.id };
  const grams = Math.round(pounds * GRAMS_PER_POUND);
  if (step === 'weigh-on-the-way') {
    const delivery = outboundOf(life);
    if (!delivery) return undefined;
    return async (api: Client, idempotencyKey: string) => {
      const { id } = await api.createFile({ photo: asBlob(SMALL_PHOTO) });
      return api.weighDelivery({ params: { id: delivery.id }, body: { grams, fileIds: [id] }, idempotencyKey });
    };
  }
  if (step === 'weigh') {
    return async (api: Client, idempotencyKey: string) => {
      const { id } = await api.createFile({ photo: asBlob(SMALL_PHOTO) });
      return api.weighOrder({ params, body: { grams, fileIds: [id], splits }, idempotencyKey });
    };
  }
  const cents = XL_CENTS - (life.hasPromo ? PROMO.value : 0);
  const card = step === 'pay' ? { paymentSourceId: TEST_CARD, price: cents / 100 } : {};
  return (api: Client, idempotencyKey: string) =>
    api.answerCorrection({ params, body: { answer: step, ...card }, idempotencyKey });
}
