import type { Role } from '../../domain/accounts.ts';
import { describeMovement } from '../../domain/movementTexts.ts';
import { formatDollars } from '../../domain/payments.ts';
import type { NotificationContent } from './notificationContent.ts';
import type { MoneyTemplateData } from './templateData.sql.ts';

// The text about money that moved without another notice: how much, why, of which order, and what to do if it is not right.

const CONTEST = 'If this is not right, email us with the number of the order, and we look at it again.';

/** What the card of an order that is weighed pays for. */
function whatIsCharged({ orderStatus, isWeighed, correction, loadSize }: MoneyTemplateData): string {
  if (orderStatus === 'Cancelled' || orderStatus === 'Rejected')
    return 'Your order has ended. That is what its Dubers cost, and the rest of the hold is released.';
  if (!isWeighed) return `Nobody has weighed the laundry in time, so that is the price that you ordered: ${loadSize}.`;
  if (correction === 'sent-back')
    return 'The laundry comes back unwashed, so that is what you pay without the washing.';
  if (correction === 'kept') return `That is the price of what is washed: ${loadSize}. The rest comes back unwashed.`;
  return `That is the price of your order, now that the laundry is weighed: ${loadSize}.`;
}

function budTemplate(moved: MoneyTemplateData): Pick<NotificationContent, 'title' | 'lines'> {
  const { kind, cardCents, reason } = moved;
  if (kind === 'captured')
    return { title: `Your card is charged ${formatDollars(-cardCents)}`, lines: [whatIsCharged(moved), CONTEST] };
  return {
    title:
      cardCents < 0
        ? `${formatDollars(-cardCents)} more is booked on your card`
        : `${formatDollars(cardCents)} goes back to your card`,
    lines: [`Why: ${reason ?? 'a correction'}`, 'Your bank shows it within a few days.', CONTEST],
  };
}

export function moneyTemplate(moved: MoneyTemplateData, role: Role): NotificationContent {
  const { order, orderId, deliveryId, isTheirs } = moved;
  if (role === 'Bud')
    return { ...budTemplate(moved), order, button: 'View the receipt', path: `/bud/orders/${orderId}/receipt` };
  const amount = moved.lost > 0 ? -moved.lost : moved.earned;
  const home = `/${role.toLowerCase()}`;
  const job = role === 'Scrub' ? isTheirs && `/scrub/jobs/${orderId}` : deliveryId && `/duber/deliveries/${deliveryId}`;
  return {
    title:
      amount < 0
        ? `${formatDollars(-amount)} is taken from what you earned`
        : `${formatDollars(amount)} is added to what you earned`,
    order,
    lines: [`Why: ${describeMovement({ ...moved, amount })}`, 'It is on your statement, with this reason.', CONTEST],
    button: job ? { Scrub: 'View the job', Duber: 'View the delivery' }[role] : 'View your earnings',
    path: job || `${home}/earnings`,
  };
}
