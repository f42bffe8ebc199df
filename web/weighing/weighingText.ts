import { CallFailed } from '../../contract/callClient.ts';
import type { Order } from '../../contract/orders.ts';
import type { Correction, Weighing } from '../../contract/weighing.ts';
import type { OrderSize } from '../../domain/orders.ts';
import { decidingWeight, formatPounds, sizeOfWeight } from '../../domain/weighing.ts';
import { lessDiscount } from '../payments/PriceBreakdown.tsx';
import { firstNameOf, formatMoney } from '../ui/format.ts';
import { loadSizeLabel } from '../ui/loadSizeLabel.ts';

type WeighedOrder = Pick<Order, 'scrubEarning' | 'promo'> & {
  readonly price: Pick<Order['price'], 'totalPrice'>;
  readonly scrub: Pick<Order['scrub'], 'fullname'>;
};
type WeighingInput = Pick<
  Weighing,
  'size' | 'ceilingSize' | 'estimate' | 'atMost' | 'canWeigh' | 'weighings' | 'correction'
>;

/** What the card pays of an amount, once a promo code has taken something off. */
const onCard = (amount: number, promo: Order['promo']): string =>
  formatMoney(lessDiscount(amount, promo ?? { discount: 0 }));

/** The weight that counts and whether two scales disagree; undefined before the Scrub has weighed. */
export function decidingWeightOf({ weighings }: Pick<Weighing, 'weighings'>) {
  const by = (scale: 'scrub' | 'duber') => weighings.findLast((weighing) => weighing.scale === scale)?.grams;
  const scrub = by('scrub');
  return scrub === undefined ? undefined : decidingWeight({ scrub, duber: by('duber') });
}

const sizeLine = (grams: number, to: OrderSize | null, from: OrderSize) => {
  const weight = formatPounds(grams);
  if (to === null) return `${weight}, more than any load that we take`;
  return to === from ? `${weight}, ${to} as ordered` : `${weight}, ${to} instead of ${from}`;
};

/** What the weight of the laundry means for its reader, in one or two sentences. */
export function describeWeighing(weighing: WeighingInput, order: WeighedOrder, role: 'Bud' | 'Scrub'): string {
  const weight = decidingWeightOf(weighing);
  if (!weight) return role === 'Bud' ? notWeighedYet(weighing, order) : SCRUB_BEFORE;
  const { correction, size } = weighing;
  if (!correction && sizeOfWeight(weight.grams, [size]) === undefined)
    return `The laundry weighs ${formatPounds(weight.grams)}. ${CHARGED_BEFORE[role]}`;
  const line = sizeLine(weight.grams, correction ? correction.toSize : size, correction?.fromSize ?? size);
  const says = role === 'Bud' ? budText : scrubText;
  return `${role === 'Bud' ? 'Your laundry weighs' : 'The laundry weighs'} ${line}. ${says(weighing, order)}`;
}

/** An order that waits for days is charged before its hold ends: what is heavier than that costs nothing more. */
const CHARGED_BEFORE = {
  Bud: 'That is more than you ordered, but your card was charged before it was weighed. You pay nothing more.',
  Scrub: 'That is more than ordered, but the card was charged before it was weighed. It earns you nothing more.',
} as const;

const SCRUB_BEFORE = 'Weigh the laundry once it is here. The customer pays for what it weighs.';

function notWeighedYet({ size, ceilingSize, estimate, atMost }: WeighingInput, { scrub, promo }: WeighedOrder): string {
  const more =
    ceilingSize === size
      ? 'If it is heavier, we ask you first.'
      : `If it is heavier, you pay at most ${onCard(atMost, promo)} for up to ${loadSizeLabel(ceilingSize)}. Above that, we ask you first.`;
  return `${firstNameOf(scrub.fullname)} weighs your laundry before your card is charged. You pay ${onCard(estimate, promo)} for ${loadSizeLabel(size)}, and less if it is lighter. ${more}`;
}

const unanswered = ({ answeredBy }: Correction, role: 'you' | 'them') =>
  answeredBy === 'System' ? ` We had no answer from ${role} in time.` : '';

function budText({ correction, estimate, ceilingSize }: WeighingInput, { price, promo }: WeighedOrder): string {
  const pays = `You pay ${onCard(price.totalPrice, promo)}`;
  // A code takes less off a lower price.
  const before = promo ? '' : ` instead of ${formatMoney(estimate)}`;
  if (!correction) return `${pays}.`;
  switch (correction.state) {
    case 'lighter':
      return `${pays}${before}.`;
    case 'auto':
      return `${pays}${before}, within the limit that you chose.`;
    case 'asked':
      return ceilingSize === correction.fromSize
        ? 'You wanted to be asked before it costs more.'
        : `You said that it may go up to ${loadSizeLabel(ceilingSize)} without asking.`;
    case 'paid':
      return `All of it is washed, as you decided. ${pays}.`;
    case 'kept':
      return `Only what fits ${loadSizeLabel(ceilingSize)} is washed, and the rest comes back as it is. ${pays}.${unanswered(correction, 'you')}`;
    case 'sent-back':
      return `It comes back unwashed. ${price.totalPrice > 0 ? `${pays} for the deliveries, and nothing else.` : 'You pay nothing.'}${unanswered(correction, 'you')}`;
  }
}

function scrubText({ correction, ceilingSize }: WeighingInput, { scrubEarning }: WeighedOrder): string {
  const earns = `It earns you ${formatMoney(scrubEarning)}.`;
  switch (correction?.state) {
    case 'asked':
      return `The customer agreed to ${loadSizeLabel(ceilingSize)} at most, and is asked what to do. Please do not wash it yet.`;
    case 'paid':
      return `The customer pays for all of it. ${earns}`;
    case 'kept':
      return `Wash only what fits ${loadSizeLabel(ceilingSize)}, and give the rest back as it is. ${earns}${unanswered(correction, 'them')}`;
    case 'sent-back':
      return `Please do not wash it: it goes back as it is. Complete the job to send it home.${unanswered(correction, 'them')}`;
    default:
      return earns;
  }
}

/**
 * Why paying for heavier laundry failed. With a conflict it may have been paid before, in another tab or by an attempt whose
 * answer was lost: then nothing is said about the card.
 */
export function describeRefusal(error: unknown): string {
  if (!(error instanceof CallFailed) || error.statusCode >= 500)
    return 'We could not confirm that it worked. It is safe to try again: you will not be charged twice.';
  const isUnpaid = error.statusCode === 400 || error.statusCode === 402;
  return `${error.message}.${isUnpaid ? ' Nothing has changed, and you were not charged more.' : ''}`;
}

/** What happens when the Bud answers nothing. */
export function describeNoAnswer(
  { answers, splits }: Pick<Correction, 'answers' | 'splits'>,
  limit: OrderSize,
): string {
  const priceOf = (wanted: 'keep' | 'send-back') => {
    const price = answers.find(({ answer }) => answer === wanted)?.price ?? 0;
    return price > 0 ? formatMoney(price) : 'nothing';
  };
  return splits
    ? `only what fits ${loadSizeLabel(limit)} is washed for ${priceOf('keep')}, and the rest comes back as it is.`
    : `it comes back unwashed for ${priceOf('send-back')}.`;
}
