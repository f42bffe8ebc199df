import type { Role } from '../../domain/accounts.ts';
import type { NotificationKind } from '../../domain/notifications.ts';
import { calledOffTemplate } from './calledOffTemplate.ts';
import { laundryFor, nameOfDuber, pageOf, placeOfSender } from './deliveryPhrases.ts';
import type { DeliveryTemplateData } from './deliveryTemplateData.sql.ts';
import { droppedTemplate } from './droppedTemplate.ts';
import { fromTown } from './fromTown.ts';
import type { NotificationContent } from './notificationContent.ts';

// The texts of notifications about deliveries that do not go as planned.

export type ExceptionKind = Extract<
  NotificationKind,
  'arrived' | 'failed-pickup' | 'failed-drop' | 'dropped' | 'called-off'
>;
type Template = (delivery: DeliveryTemplateData, role: Role) => NotificationContent;

const MAY_LEAVE = 'After 5 minutes without anybody there, they may leave.';

/** For the Duber who waits with relayed laundry, or the person whose door it is. */
const arrived: Template = (delivery, role) =>
  role === 'Duber'
    ? {
        title: 'The next Duber is here',
        lines: ['The next Duber has arrived to collect the laundry from you.', MAY_LEAVE],
        ...pageOf(delivery, role),
      }
    : {
        title: 'A Duber is at your door',
        lines: [
          `${nameOfDuber(delivery)} is at your door ${delivery.status === 'Way_To_Drop' ? 'with' : 'to collect'} the laundry.`,
          MAY_LEAVE,
        ],
        ...pageOf(delivery, role),
      };

/** A Bud can offer it again once. After that, the town does. */
function nextAfterPickup({ status, hasFailedTwice }: DeliveryTemplateData, role: Role): string {
  if (status === 'Pending') return 'The Dubers nearby are asked again.';
  if (hasFailedTwice)
    return `It did not work out twice. We will get in touch${role === 'Bud' ? '' : ' with the Bud'} about the next try.`;
  return role === 'Bud' ? 'You choose what happens next.' : 'The Bud chooses what happens next.';
}

const failedPickup: Template = (delivery, role) => ({
  title: 'A pickup did not work out',
  lines: [
    `${nameOfDuber(delivery)} came and could not collect ${laundryFor(delivery, role)}.`,
    nextAfterPickup(delivery, role),
  ],
  ...pageOf(delivery, role),
});

const isLostForTown = ({ lastAction, lastActor }: DeliveryTemplateData) =>
  lastAction === 'report-lost' && lastActor === 'Operator';

function failedDropLine(delivery: DeliveryTemplateData, role: Role): string {
  const laundry = laundryFor(delivery, role);
  if (delivery.status === 'Returned' && delivery.isAtDoor)
    return `${nameOfDuber(delivery)} brought ${laundry} back, and left it at ${role === 'Bud' ? 'your' : 'the Bud’s'} door.`;
  if (delivery.status === 'Returned')
    return `${nameOfDuber(delivery)} brought ${laundry} back to ${placeOfSender(delivery, role)}.`;
  if (delivery.status === 'Way_Back')
    return `${nameOfDuber(delivery)} could not deliver ${laundry}, and brings it back to ${placeOfSender(delivery, role)}.`;
  if (isLostForTown(delivery)) return `The town has reported that ${laundry} is lost, and looks into it.`;
  if (delivery.lastAction === 'report-lost')
    return `${nameOfDuber(delivery)} reported that ${laundry} is lost. The town looks into it.`;
  return `${nameOfDuber(delivery)} could not deliver ${laundry}, and has it.`;
}

const FOUND_BY: readonly (string | undefined)[] = ['try-again', 'bring-back'];
/** Whether laundry that was lost is on its way again. */
const isFound = ({ turns: [last, before] }: DeliveryTemplateData) =>
  FOUND_BY.includes(last) && before === 'report-lost';

/** Whether it is still on its way after somebody pressed a button by mistake. */
const isUndelivered = ({ status, turns: [last] }: DeliveryTemplateData) =>
  status === 'Way_To_Drop' && last === 'correct';

/** Whether a failed drop-off can still be told, or what became of it since. */
export const isAboutDropOff = (delivery: DeliveryTemplateData): boolean =>
  delivery.status !== 'Way_To_Drop' || isFound(delivery) || isUndelivered(delivery);

const found: Template = (delivery, role) => {
  const way = delivery.status === 'Way_To_Drop' ? 'delivers it now' : 'brings it back';
  return {
    title: role === 'Bud' ? 'Your laundry is found' : 'Laundry is found',
    lines: [
      `${nameOfDuber(delivery)} has ${laundryFor(delivery, role)} after all, and ${way}.`,
      'The delivery shows what happens next.',
    ],
    ...pageOf(delivery, role),
  };
};

const undelivered: Template = (delivery, role) => ({
  title: role === 'Bud' ? 'Your laundry was not delivered yet' : 'Laundry was not delivered yet',
  lines: [
    '“Delivered” was pressed by mistake.',
    `${role === 'Bud' ? 'Your laundry' : laundryFor(delivery, role)} is still on its way.`,
    ...fromTown(delivery),
  ],
  ...pageOf(delivery, role),
});

function failedDropTitle({ status, lastAction }: DeliveryTemplateData, role: Role): string {
  if (status === 'Returned') return 'The laundry was brought back';
  if (lastAction !== 'report-lost') return 'A drop-off did not work out';
  return role === 'Bud' ? 'Your laundry is reported as lost' : 'Laundry is reported as lost';
}

const failedDrop: Template = (delivery, role) => ({
  title: failedDropTitle(delivery, role),
  lines: [
    failedDropLine(delivery, role),
    role === 'Duber' && isLostForTown(delivery)
      ? 'If you have it, please get in touch with the town at once. Until it is settled, what you earned with this order waits.'
      : 'The delivery shows what happens next.',
    ...fromTown(delivery),
  ],
  ...pageOf(delivery, role),
});

const withOrder =
  (template: Template): Template =>
  (delivery, role) => ({ ...template(delivery, role), order: delivery.order });

export const EXCEPTION_TEMPLATES: Record<ExceptionKind, Template> = {
  arrived: withOrder(arrived),
  'failed-pickup': withOrder(failedPickup),
  'failed-drop': withOrder((delivery, role) => {
    if (isFound(delivery)) return found(delivery, role);
    return (isUndelivered(delivery) ? undelivered : failedDrop)(delivery, role);
  }),
  dropped: withOrder(droppedTemplate),
  'called-off': withOrder(calledOffTemplate),
};
