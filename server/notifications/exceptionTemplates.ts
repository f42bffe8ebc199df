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

/** What became of a drop-off that did not work out, by the situation of the delivery: the title and the first line. */
function dropOffNews(delivery: DeliveryTemplateData, role: Role): readonly [title: string, line: string] {
  const [by, laundry] = [nameOfDuber(delivery), laundryFor(delivery, role)];
  switch (delivery.situation) {
    case 'brought-back': {
      const where = `left it at ${role === 'Bud' ? 'your' : 'the Bud’s'} door`;
      const back = delivery.isAtDoor ? `back, and ${where}` : `back to ${placeOfSender(delivery, role)}`;
      return ['The laundry was brought back', `${by} brought ${laundry} ${back}.`];
    }
    case 'way-back':
      return [FAILED, `${by} could not deliver ${laundry}, and brings it back to ${placeOfSender(delivery, role)}.`];
    case 'lost':
      return [
        `${role === 'Bud' ? 'Your laundry' : 'Laundry'} is reported as lost`,
        isLostForTown(delivery)
          ? `The town has reported that ${laundry} is lost, and looks into it.`
          : `${by} reported that ${laundry} is lost. The town looks into it.`,
      ];
    default:
      return [FAILED, `${by} could not deliver ${laundry}, and has it.`];
  }
}
const FAILED = 'A drop-off did not work out';
const isLostForTown = ({ situation, lostBy }: DeliveryTemplateData) => situation === 'lost' && lostBy === 'Operator';

const failedDrop: Template = (delivery, role) => {
  const [title, line] = dropOffNews(delivery, role);
  const next =
    role === 'Duber' && isLostForTown(delivery)
      ? 'If you have it, please get in touch with the town at once. Until it is settled, what you earned with this order waits.'
      : 'The delivery shows what happens next.';
  return { title, lines: [line, next, ...fromTown(delivery)], ...pageOf(delivery, role) };
};

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
