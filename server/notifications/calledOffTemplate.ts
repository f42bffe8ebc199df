import type { Role } from '../../domain/accounts.ts';
import type { DeliveryStatus } from '../../domain/deliveries.ts';
import { formatDollars } from '../../domain/payments.ts';
import { IF_FOUND } from '../../texts/orders.ts';
import { laundryFor, pageOf } from './deliveryPhrases.ts';
import type { DeliveryTemplateData } from './deliveryTemplateData.sql.ts';
import { fromTown } from './fromTown.ts';
import type { NotificationContent } from './notificationContent.ts';

// The texts about a delivery that is called off: what each reader does now depends on who has the laundry.

export function calledOffTemplate(delivery: DeliveryTemplateData, role: Role): NotificationContent {
  const isLost = delivery.situation === 'lost';
  if (role === 'Duber' && delivery.hasReaderLaundry && !isLost) return withLaundry(delivery);
  const toDuber = isLost ? lostByDuber : withoutLaundry;
  return {
    title: 'A delivery is called off',
    lines: role === 'Duber' ? toDuber(delivery) : [...toPeople(delivery, role, isLost), ...fromTown(delivery)],
    ...pageOf(delivery, role),
  };
}

type Lines = NotificationContent['lines'];

/** Laundry that is not lost, and stays with a Duber although nobody drives any more. Only its Duber sees the delivery then. */
const withLaundry = (delivery: DeliveryTemplateData): NotificationContent => ({
  title: 'A delivery is called off',
  lines: [
    'Please keep the laundry that you have. The town says how it goes on.',
    ...fromTown(delivery),
    ...(delivery.isReaders && delivery.paid > 0 ? [`You are paid ${formatDollars(delivery.paid)} for it.`] : []),
  ],
  ...(delivery.isReaders ? pageOf(delivery, 'Duber') : { button: 'View your problems', path: '/duber/problems' }),
});

/** They may have been robbed: nobody asks them to do anything. */
const lostByDuber = ({ lostBy }: DeliveryTemplateData): Lines => [
  `${lostBy === 'Duber' ? 'Thank you for telling us. ' : ''}The laundry has not been found, so this delivery has ended. You do not have to do anything.`,
  'Nothing is paid for a delivery that has not arrived. If you find the laundry, or think that it should be paid, please write to us.',
];

/** What a Duber without the laundry does now, and why they are not paid when they are not. */
const TO_DUBER: Partial<Record<DeliveryStatus, readonly [what: string, unpaid: string]>> = {
  Accepted: ['Please do not go there any more.', 'Nothing is paid for it, because you had not set out yet.'],
  Failed: [
    'You do not have to go there again.',
    'Nothing is paid for it, because you had not said that you were there.',
  ],
  Returned: ['The laundry stays where you brought it back. There is nothing left to do.', 'Nothing is paid for it.'],
};

function withoutLaundry({ paid, statusBefore }: DeliveryTemplateData): Lines {
  const [what, unpaid] = TO_DUBER[statusBefore ?? 'Way_To_Pick'] ?? [
    'Please do not go there any more.',
    'Nothing is paid for it.',
  ];
  return [`${what} ${paid > 0 ? `You are paid ${formatDollars(paid)} for it.` : unpaid}`];
}

const lostFor = (delivery: DeliveryTemplateData, role: Role): Lines => [
  `${role === 'Bud' ? 'Your laundry' : laundryFor(delivery, role)} has not been found, so its delivery has ended.`,
  role === 'Bud' ? 'You can claim what it was worth on the page of your order.' : IF_FOUND,
];

function toPeople(delivery: DeliveryTemplateData, role: Role, isLost: boolean): Lines {
  const { holderRole, holderName, type, orderStatus, budName, scrubName } = delivery;
  const laundry = laundryFor(delivery, role);
  if (isLost) return lostFor(delivery, role);
  if (holderRole === 'Duber') return [`${holderName} keeps ${laundry}. The town says how it goes on.`];
  if (type === 'Scrub_To_Bud' && holderRole === 'Scrub')
    return role === 'Bud'
      ? [`No Duber brings your laundry. It is with ${scrubName}: you can fetch it there.`]
      : [`No Duber comes for ${laundry}. Please keep it until ${budName} fetches it.`];
  if (type === 'Bud_To_Scrub' && holderRole === 'Bud' && orderStatus === 'Accepted')
    return role === 'Bud'
      ? [`No Duber comes for your laundry. You can bring it to ${scrubName}: the page of your order says where.`]
      : [`No Duber brings ${laundry}. ${budName} can bring it to you.`];
  return [`No Duber comes for ${laundry}.`];
}
