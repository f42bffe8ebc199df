import type { TimeWindow } from '../../domain/windows.ts';
import { REASON_TEXTS } from '../../texts/reasons.ts';
import { formatWindow, UNTIL_ANSWERED, windowNames } from '../../texts/windows.ts';
import type { ContentOrDropped } from './notificationContent.ts';
import type { WindowTemplateData } from './windowTemplateData.sql.ts';

// The texts about orders whose windows move.

type Carried = Parameters<typeof windowNames>[0];
type Windows = { readonly pickup: TimeWindow | undefined; readonly return: TimeWindow };

/** The rows of a mail that say when somebody comes. A pickup that does not move is left out. */
export function windowRows(order: Carried, windows: Windows, timeZone: string): (readonly [string, string])[] {
  const names = windowNames(order);
  return [
    ...(windows.pickup ? [[names.pickup, formatWindow(windows.pickup, timeZone)] as const] : []),
    [names.return, formatWindow(windows.return, timeZone)] as const,
  ];
}

/** 'Pickup Fri, Dec 4, 5–7 pm. Back Sat, Dec 5, 5–7 pm.' */
export const windowLine = (...windows: Parameters<typeof windowRows>): string =>
  windowRows(...windows)
    .map(([name, when]) => `${name} ${when}.`)
    .join(' ');

/** For the Bud, whom somebody asks whether another time suits them. Its mail leads to a page with two buttons. */
export function proposedTemplate(order: WindowTemplateData): ContentOrDropped {
  const { id, number, proposal, timeZone, scrubName } = order;
  if (!proposal || proposal.answer !== null) return { dropped: 'the proposal was answered before this was sent' };
  const isByTown = proposal.by === 'Operator';
  const reason = (REASON_TEXTS as Readonly<Record<string, string>>)[proposal.reason];
  const agreed = windowRows(order, { pickup: proposal.pickup && order.pickup, return: order.return }, timeZone);
  return {
    title: 'Another time is proposed for your order',
    order: number,
    lines: [
      `${isByTown ? 'The town' : scrubName} asks whether another time suits you. The price stays.`,
      ...(!isByTown && reason && proposal.reason !== 'other' ? [`${scrubName} says: ${reason}.`] : []),
      ...(isByTown && proposal.words ? [`The town says: ${proposal.words}`] : []),
      UNTIL_ANSWERED[isByTown ? 'Operator' : 'Scrub'],
    ],
    details: [
      ...agreed.map(([name, when]) => [`${name}, as agreed`, when] as const),
      ...windowRows(order, proposal, timeZone).map(([name, when]) => [`${name}, as proposed`, when] as const),
    ],
    button: 'Answer',
    path: `/bud/orders/${id}`,
    asks: proposal.id,
  };
}

type Moved = { readonly budName: string; readonly isByTown: boolean };

const WHAT: Readonly<Record<string, (moved: Moved) => readonly [title: string, line: string]>> = {
  'move-window': ({ budName }) => ['A job has moved to another time', `${budName} has moved the job.`],
  'accept-window': ({ budName, isByTown }) =>
    isByTown
      ? ['A job has moved to another time', `${budName} agrees to the other time that the town proposed.`]
      : ['Your proposal is accepted', `${budName} agrees to the other time.`],
  'refuse-window': ({ budName, isByTown }) =>
    isByTown
      ? [
          'A job needs another time',
          `Nobody comes at the agreed time, and ${budName} cannot at the one that the town proposed. The town looks for another one: you do not have to do anything.`,
        ]
      : [
          'Your proposal is refused',
          `${budName} cannot at the other time: the agreed one stays. If you cannot then, give the job back before it is collected.`,
        ],
};

/** For the Scrub: the Bud has moved the job, or answers their proposal. */
export function movedTemplate(order: WindowTemplateData): ContentOrDropped {
  const { id, number, lastMove, budName, timeZone } = order;
  const what = WHAT[lastMove ?? '']?.({ budName, isByTown: order.proposal?.by === 'Operator' });
  if (!what) return { dropped: 'it went on before this was sent' };
  return {
    title: what[0],
    order: number,
    lines: [what[1]],
    details: windowRows(order, order, timeZone),
    button: 'View the job',
    path: `/scrub/jobs/${id}`,
  };
}
