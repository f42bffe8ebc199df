import type { Role } from '../../domain/accounts.ts';
import { formatDollars } from '../../domain/payments.ts';
import { nameOfDuber } from './deliveryPhrases.ts';
import type { DeliveryTemplateData } from './deliveryTemplateData.sql.ts';
import { fromTown } from './fromTown.ts';
import type { NotificationContent } from './notificationContent.ts';

// The texts about deliveries that go as planned.

type Reader = 'Bud' | 'Scrub';

const REVIEW_DUBER = 'How did the Duber do? You can leave a review.';

/** Nobody has said yet that they have it. */
function leftAtDoorTemplate(delivery: DeliveryTemplateData, role: Reader): NotificationContent {
  const { order, orderId, budName, hasReaderReviewed } = delivery;
  const by = nameOfDuber(delivery);
  return role === 'Bud'
    ? {
        title: 'Your laundry stands at your door',
        order,
        lines: [
          `${by} left it there, and took a photo.`,
          'Say on the page of your order that you have it.',
          ...fromTown(delivery),
        ],
        button: 'See the photo',
        path: `/bud/orders/${orderId}`,
      }
    : {
        title: 'The laundry stands at its owner’s door',
        order,
        lines: [
          `${by} left ${budName}’s laundry there.`,
          ...(hasReaderReviewed ? [] : [REVIEW_DUBER]),
          ...fromTown(delivery),
        ],
        button: 'View the job',
        path: `/scrub/jobs/${orderId}`,
      };
}

/** No notice says that laundry is done, so a Bud who fetches it looks at their order. */
const nextForBud = ({ selfPickup, scrubName }: DeliveryTemplateData) =>
  selfPickup
    ? `The page of your order says when it is done. Then you fetch it from ${scrubName}.`
    : 'We will let you know when it is back with you.';

/** What a Scrub does with laundry that has arrived. */
function nextForScrub({ orderStatus, mustWeigh, isReClean }: DeliveryTemplateData): string {
  if (isReClean && orderStatus === 'In_Progress') return 'Please clean it again, and complete the job when it is done.';
  if (orderStatus !== 'Accepted') return 'The page of the job says what comes next.';
  return mustWeigh ? 'Weigh it first. Then you can start the job.' : 'You can start the job now.';
}

/** Laundry of a cancelled order comes back as it is, and nobody reviews how it was done. */
function backWithBud({ orderStatus, isReClean, hasReaderReviewed }: DeliveryTemplateData): string {
  if (orderStatus !== 'Completed') return 'If something is wrong with it, please email us.';
  if (isReClean || hasReaderReviewed) return 'If something is wrong with it, say so on the page of your order.';
  return 'How was it? Your review helps others choose.';
}

export function deliveredTemplate(delivery: DeliveryTemplateData, role: Role): NotificationContent {
  const { id, order, type, budName, scrubName, isAtDoor, hasReaderReviewed } = delivery;
  const reader = role === 'Bud' ? 'Bud' : 'Scrub';
  if (isAtDoor && type === 'Scrub_To_Bud') return leftAtDoorTemplate(delivery, reader);
  const by = nameOfDuber(delivery);
  const texts: Record<`${typeof type} ${Reader}`, [title: string, short: string, ...more: string[]]> = {
    'Bud_To_Scrub Bud': ['Your laundry has arrived', `${by} delivered it to ${scrubName}.`, nextForBud(delivery)],
    'Bud_To_Scrub Scrub': [
      'The laundry for a job has arrived',
      `${by} delivered ${budName}’s laundry.`,
      nextForScrub(delivery),
    ],
    'Scrub_To_Bud Bud': ['Your laundry is back', `${by} delivered it.`, backWithBud(delivery)],
    'Scrub_To_Bud Scrub': [
      'The laundry is back with its owner',
      `${by} delivered ${budName}’s laundry.`,
      ...(hasReaderReviewed ? [] : [REVIEW_DUBER]),
    ],
  };
  const [title, short, ...more] = texts[`${type} ${reader}`];
  const path = `/${reader.toLowerCase()}/deliveries/${id}`;
  return { title, order, lines: [short, ...more, ...fromTown(delivery)], button: 'View the delivery', path };
}

/** A Duber who could not go on waits with relayed laundry, and not at its first pickup. */
export function nearbyTemplate(delivery: DeliveryTemplateData): NotificationContent {
  const { id, type, situation, budName, scrubName, distanceM, price } = delivery;
  const [sender, recipient] = type === 'Bud_To_Scrub' ? [budName, scrubName] : [scrubName, budName];
  return {
    title: `A delivery near you: ${formatDollars(price)}`,
    lines: [
      `${situation === 'relayed' ? 'From another Duber, who waits with the laundry,' : sender} to ${recipient}, ${(distanceM / 1000).toFixed(2)} km. The first to accept it gets it.`,
    ],
    button: 'View the delivery',
    path: `/duber/deliveries/${id}`,
  };
}
