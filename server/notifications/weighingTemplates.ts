import type { Role } from '../../domain/accounts.ts';
import { type OrderSize, SIZE_POUNDS } from '../../domain/orders.ts';
import { formatDollars } from '../../domain/payments.ts';
import { type CorrectionState, formatPounds } from '../../domain/weighing.ts';
import type { ContentOrDropped, NotificationContent } from './notificationContent.ts';
import type { WeighingTemplateData } from './templateData.sql.ts';

// The texts about laundry that is heavier than its Bud has ordered.

const formatSize = (size: OrderSize) => `${size} (${SIZE_POUNDS[size].from}-${SIZE_POUNDS[size].to} lbs)`;
const budPage = ({ id }: WeighingTemplateData) => ({ button: 'Look at the weight', path: `/bud/orders/${id}` });

/** For the Bud, once the laundry is weighed: more is charged, or they are asked. */
export function weighedTemplate(order: WeighingTemplateData): ContentOrDropped {
  const { state } = order;
  if (state === 'auto') return chargedMore(order);
  if (state === 'asked') return question(order);
  return { dropped: 'the question was answered before this was sent' };
}

const chargedMore = (order: WeighingTemplateData): NotificationContent => ({
  title: 'Your laundry is heavier than you ordered',
  lines: [
    `It weighs ${formatPounds(order.grams)}, so it is ${formatSize(order.size)} instead of ${order.fromSize}.`,
    `Your card is charged ${formatDollars(order.totalPrice - order.discount)} instead of ${formatDollars(order.fromCents - order.discount)}, as you allowed when you ordered.`,
    'The photo of the scale is with your order. If the weight is wrong, say so within 24 hours.',
  ],
  ...budPage(order),
});

function question(order: WeighingTemplateData): NotificationContent {
  const { grams, ceilingSize, toSize, toCents, discount, splits, scrubName, selfDelivery, selfPickup } = order;
  const offer =
    toSize === null || toCents === null
      ? 'No size that is sold here takes so much.'
      : `For ${formatSize(toSize)} you would pay ${formatDollars(toCents - discount)} in total.`;
  const otherwise = splits
    ? `After 2 hours ${scrubName} washes what fits ${ceilingSize}, and the rest comes back unwashed.`
    : `After 2 hours ${selfPickup ? 'you fetch it' : 'it is sent back'} unwashed, and you ${selfDelivery && selfPickup ? 'pay nothing' : 'only pay for the deliveries'}.`;
  return {
    title: 'Your laundry is heavier: what should we do?',
    lines: [`It weighs ${formatPounds(grams)}. You allowed up to ${formatSize(ceilingSize)}. ${offer}`, otherwise],
    ...budPage(order),
    button: 'Answer',
  };
}

type Decided = Extract<CorrectionState, 'paid' | 'kept' | 'sent-back'>;
const isDecided = (state: CorrectionState): state is Decided =>
  state === 'paid' || state === 'kept' || state === 'sent-back';

/** What was decided: for the Scrub, and for a Bud who did not answer in time. */
export function weighAnsweredTemplate(order: WeighingTemplateData, role: Role): ContentOrDropped {
  const { id, state, size, budName, scrubName, totalPrice, discount, selfPickup } = order;
  if (!isDecided(state)) return { dropped: 'nothing is decided' };
  if (role === 'Scrub') {
    const toDo: Record<Decided, string> = {
      paid: `${budName} pays for ${formatSize(size)}. Wash all of it.`,
      kept: `Wash what fits ${formatSize(size)}, and give the rest back unwashed.`,
      'sent-back': `Do not wash ${budName}’s laundry. Complete the job, and ${selfPickup ? 'they fetch it' : 'it goes back to them'}.`,
    };
    return {
      title: 'What to do with the heavier laundry',
      lines: [toDo[state]],
      button: 'View the job',
      path: `/scrub/jobs/${id}`,
    };
  }
  const done =
    state === 'kept'
      ? `${scrubName} washes what fits ${formatSize(size)}. The rest comes back unwashed.`
      : `Your laundry ${selfPickup ? `stays unwashed: please fetch it from ${scrubName}` : 'comes back unwashed'}.`;
  return {
    title: 'You did not answer in time',
    lines: [
      `${done} Your card is charged ${formatDollars(totalPrice - discount)}.`,
      'We look at what happened as well.',
    ],
    ...budPage(order),
  };
}
