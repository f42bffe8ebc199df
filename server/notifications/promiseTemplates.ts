import type { Role } from '../../domain/accounts.ts';
import { formatLocalTime } from '../../domain/hours.ts';
import { formatDollars } from '../../domain/payments.ts';
import { missedPromiseText, owedText } from '../../texts/promises.ts';
import type { ContentOrDropped } from './notificationContent.ts';
import type { PromiseTemplateData } from './promiseTemplateData.sql.ts';

// The texts about the promised time of an order.

const WENT_ON = { dropped: 'it went on before this was sent' };

/** Where the reader follows the laundry; undefined for a Duber who has nothing to do with it any more. */
function linkOf({ id, deliveryId }: PromiseTemplateData, role: Role) {
  if (role === 'Bud') return { button: 'Follow your order', path: `/bud/orders/${id}` };
  if (role === 'Scrub') return { button: 'View the job', path: `/scrub/jobs/${id}` };
  return deliveryId === null ? undefined : { button: 'View the delivery', path: `/duber/deliveries/${deliveryId}` };
}

const timeOf = (at: Date, timeZone: string) => formatLocalTime(at, timeZone, at);

/** For the Scrub and the Duber who have something to do, an hour before the laundry is to be back. */
export function promiseNearTemplate(order: PromiseTemplateData, role: Role): ContentOrDropped {
  const { number, budName, status, isBack, promisedAt, timeZone } = order;
  const link = linkOf(order, role);
  const isDone = isBack || (role === 'Scrub' && status !== 'Accepted' && status !== 'In_Progress');
  if (isDone || !link || !promisedAt) return WENT_ON;
  const [title, task] =
    role === 'Duber'
      ? ['A delivery is due', 'Please go on with it now.']
      : ['A job is due', 'Complete it, so that a Duber can take it.'];
  return {
    title,
    order: number,
    lines: [`${budName}’s laundry is promised to be back by ${timeOf(promisedAt, timeZone)}. ${task}`],
    ...link,
  };
}

/**
 * For the Bud, the Scrub and the Duber who has the laundry, when it is not back by the promised time; and for the Bud once more, when
 * nothing goes back to their card after all.
 */
export function promiseMissedTemplate(order: PromiseTemplateData, role: Role): ContentOrDropped {
  const { number, budName, isBack, missed, timeZone } = order;
  if (role === 'Bud' && missed && missed.state !== 'owed') return promiseSettledTemplate(order, missed);
  const promisedAt = missed?.promisedAt ?? order.promisedAt;
  const link = linkOf(order, role);
  if (isBack && missed?.state !== 'owed') return { dropped: 'it is back' };
  if (!link || !promisedAt) return WENT_ON;
  const promised = `promised to be back by ${timeOf(promisedAt, timeZone)}`;
  const money =
    missed?.state === 'owed'
      ? [owedText(role, { amount: formatDollars(missed.cents), borneBy: missed.borneBy ?? undefined })]
      : [];
  const about = { Bud: 'Your laundry', Scrub: 'A job', Duber: 'A delivery' }[role];
  const line =
    role === 'Bud' ? `It was ${promised}. We have let everybody know.` : `${budName}’s laundry was ${promised}.`;
  return { title: `${about} is late`, order: number, lines: [line, ...money], ...link };
}

function promiseSettledTemplate(
  { id, number, timeZone }: PromiseTemplateData,
  { state, cents, promisedAt, backAt, holder, reason, borneBy }: NonNullable<PromiseTemplateData['missed']>,
): ContentOrDropped {
  if (state === 'paid') return { dropped: 'the refund has a mail of its own' };
  if (reason === 'cancelled') return { dropped: 'the order was cancelled' };
  const told = {
    ...{ state, amount: formatDollars(cents), promisedAt: timeOf(promisedAt, timeZone) },
    ...{ backAt: backAt ? timeOf(backAt, timeZone) : undefined, holder: holder ?? undefined },
    ...{ reason: reason ?? undefined, borneBy: borneBy ?? undefined },
  };
  return {
    title: state === 'kept' ? 'Your laundry was back in time' : 'Nothing goes back for the late return',
    order: number,
    lines: [missedPromiseText('Bud', told)],
    button: 'View your order',
    path: `/bud/orders/${id}`,
  };
}
