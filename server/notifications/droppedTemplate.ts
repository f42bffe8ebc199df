import type { Role } from '../../domain/accounts.ts';
import { MINUTE_MS } from '../../domain/durations.ts';
import { SILENT_DUBER_MS } from '../../domain/needs.ts';
import { laundryFor, pageOf } from './deliveryPhrases.ts';
import type { DeliveryTemplateData } from './deliveryTemplateData.sql.ts';
import { fromTown } from './fromTown.ts';
import type { NotificationContent } from './notificationContent.ts';

// The texts about a delivery that goes from one Duber to another.

export const droppedTemplate = (delivery: DeliveryTemplateData, role: Role): NotificationContent => {
  if (role === 'Duber') return (delivery.hasReaderLaundry ? toWaitingDuber : toFormerDuber)(delivery);
  return (delivery.situation === 'relayed' ? relayed : beforePickup)(delivery, role);
};

/** Whether somebody has taken it since, which a notice that is sent late must say. */
const nextDuber = ({ status }: DeliveryTemplateData) =>
  status === 'Pending' ? 'we have asked the others nearby' : 'another one has accepted it since';

const capitalized = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

const toFormerDuber = ({ lastLoss, isReaderHeld }: DeliveryTemplateData): NotificationContent => {
  if (lastLoss === 'time-moved')
    return {
      title: 'A delivery has moved to another time',
      lines: [
        'Its Bud has moved the pickup, so you no longer have it.',
        'It is offered again for the new time. If that suits you, accept it once more.',
      ],
      button: 'View deliveries near you',
      path: '/duber',
    };
  const why =
    lastLoss === 'silent'
      ? `We did not hear from you for ${SILENT_DUBER_MS / MINUTE_MS} minutes, so you no longer have it.`
      : 'You no longer have it.';
  return {
    title: 'A delivery goes to another Duber',
    lines: [
      `${why} Others come first for 30 minutes.`,
      isReaderHeld
        ? 'You cannot take on another one for now: our email to you says why, and how to answer.'
        : 'You can take on another one at once.',
    ],
    button: 'View deliveries near you',
    path: '/duber',
  };
};

/** The sender still has the laundry. */
const beforePickup = (delivery: DeliveryTemplateData, role: Role): NotificationContent => {
  const isSilent = delivery.lastLoss === 'silent';
  const whose = role === 'Bud' ? 'your Duber' : 'the Duber';
  const costs = role === 'Bud' ? 'You pay nothing more, but it may take longer.' : 'It may take longer.';
  return {
    title: isSilent ? 'Another Duber is to come' : `${capitalized(whose)} cannot come`,
    lines: [
      isSilent ? `We have not heard from ${whose}: ${nextDuber(delivery)}.` : `${capitalized(nextDuber(delivery))}.`,
      `Please keep ${laundryFor(delivery, role)} until the next one comes. ${costs}`,
      ...fromTown(delivery),
    ],
    ...pageOf(delivery, role),
  };
};

/** For a Duber who could not go on, and has the laundry. */
const toWaitingDuber = (delivery: DeliveryTemplateData): NotificationContent => ({
  title: 'A delivery goes to another Duber',
  lines: ['Please keep the laundry with you until the next Duber collects it.', ...fromTown(delivery)],
  ...pageOf(delivery, 'Duber'),
});

/** Laundry waits with a Duber who could not go on. */
const relayed = (delivery: DeliveryTemplateData, role: Role): NotificationContent => ({
  title: `Another Duber goes on with ${role === 'Bud' ? 'your' : 'the'} laundry`,
  lines: [
    `${delivery.waitingDuberName} waits with ${laundryFor(delivery, role)}, and another Duber goes on with it.`,
    `${capitalized(nextDuber(delivery))}. It arrives later${role === 'Bud' ? ', and you pay nothing more' : ''}.`,
    ...fromTown(delivery),
  ],
  ...pageOf(delivery, role),
});
