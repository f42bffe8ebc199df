import type { DeliveryThatWaits, Today } from '../../../contract/operator/today.ts';
import { MINUTE_MS } from '../../../domain/durations.ts';
import { KIND_TEXTS } from '../../cases/caseTexts.ts';
import { formatMoney } from '../../ui/format.ts';
import { labelOfAct } from '../acts.ts';

/** A row that needs attention now, with a link to its page. */
export type QueueRow = {
  readonly key: string;
  readonly label: string;
  /** Null for a number of things. */
  readonly since: string | null;
  readonly title: string;
  readonly detail: string;
  readonly to: string;
  readonly isUrgent: boolean;
};

const orderPath = (id: string) => `/operator/orders/${id}`;

const DELIVERY_LABELS = {
  unclaimed: 'No Duber',
  stopped: 'Delivery stopped',
  silent: 'Duber is silent',
} as const;

const ORDER_LABELS = {
  unanswered: 'No answer',
  givenBack: 'Needs a Scrub',
  notStarted: 'Not started',
  atRisk: 'Promise at risk',
} as const;

/** The rows that need attention: urgent ones first, then by age. */
export function listQueueRows(today: Today): readonly QueueRow[] {
  const rows = [
    ...casesOf(today),
    ...approvalsOf(today),
    ...documentsOf(today),
    ...deliveriesOf(today),
    ...ordersOf(today),
    ...mailTroubleOf(today),
    ...numbersOf(today),
  ];
  return rows.toSorted(
    (a, b) => Number(b.isUrgent) - Number(a.isUrgent) || (a.since ?? '9').localeCompare(b.since ?? '9'),
  );
}

/** The number of rows, including those that are not listed. */
export function countQueue(today: Today): number {
  const { cases, approvals, documents, unanswered, givenBack, notStarted, atRisk, unclaimed, stopped, silent } = today;
  const listed = [cases, approvals, documents, unanswered, givenBack, notStarted, atRisk, unclaimed, stopped, silent];
  return listed.reduce((sum, { count }) => sum + count, mailTroubleOf(today).length + numbersOf(today).length);
}

const casesOf = ({ cases }: Today): QueueRow[] =>
  cases.items.map(({ id, number, kind, priority, since, orderNumber }) => ({
    key: id,
    label: priority === 'high' ? 'Urgent case' : 'Case',
    since,
    title: `${number} · ${KIND_TEXTS[kind]}`,
    detail: orderNumber ?? 'About no order',
    to: `/operator/cases/${id}`,
    isUrgent: priority === 'high',
  }));

const approvalsOf = ({ approvals }: Today): QueueRow[] =>
  approvals.items.map(({ id, action, amount, askedBy, since }) => ({
    key: id,
    label: 'Needs approval',
    since,
    title: amount === null ? labelOfAct(action) : `${labelOfAct(action)} · ${formatMoney(amount)}`,
    detail: `Asked for by ${askedBy}`,
    to: '/operator/approvals',
    isUrgent: false,
  }));

const documentsOf = ({ documents }: Today): QueueRow[] =>
  documents.items.map(({ personId, fullname, role, since }) => ({
    key: `documents ${personId}`,
    label: 'Documents',
    since,
    title: fullname,
    detail: `Sent by a ${role}`,
    to: `/operator/people/${personId}`,
    isUrgent: false,
  }));

const wayOf = ({ from, to }: DeliveryThatWaits) => `${from} → ${to}`;

const deliveriesOf = (today: Today): QueueRow[] =>
  (['unclaimed', 'stopped', 'silent'] as const).flatMap((list) =>
    today[list].items.map((row) => ({
      key: row.deliveryId,
      label: DELIVERY_LABELS[list],
      since: row.since,
      title: `${row.orderNumber} · ${wayOf(row)}`,
      detail: row.duber ?? 'Offered to Dubers nearby',
      to: orderPath(row.orderId),
      isUrgent: false,
    })),
  );

const ordersOf = (today: Today): QueueRow[] =>
  (['unanswered', 'givenBack', 'notStarted', 'atRisk'] as const).flatMap((list) =>
    today[list].items.map(({ orderId, orderNumber, since, bud, scrub }) => ({
      key: `${list} ${orderId}`,
      label: ORDER_LABELS[list],
      since,
      title: `${orderNumber} · ${scrub}`,
      detail: `For ${bud}`,
      to: orderPath(orderId),
      isUrgent: false,
    })),
  );

const mailTroubleOf = ({ mailTrouble }: Today): QueueRow[] =>
  !mailTrouble
    ? []
    : [
        {
          key: 'mail trouble',
          label: 'Mail',
          since: mailTrouble.since,
          title: `${mailTrouble.count} ${mailTrouble.count === 1 ? 'mail does' : 'mails do'} not go out`,
          detail: mailTrouble.why,
          to: '/operator/messages',
          isUrgent: true,
        },
      ];

function numbersOf({ stuckPayments, stuckRefunds, differingDays, givenUpMessages }: Today): QueueRow[] {
  const row = (count: number, one: string, many: string, to: string): QueueRow[] =>
    count === 0
      ? []
      : [
          {
            key: many,
            label: 'Stuck',
            since: null,
            title: `${count} ${count === 1 ? one : many}`,
            detail: 'Needs a person',
            to,
            isUrgent: false,
          },
        ];
  return [
    ...row(stuckPayments, 'payment', 'payments', '/operator/money'),
    ...row(stuckRefunds, 'refund', 'refunds', '/operator/money'),
    ...row(
      differingDays,
      'day is not the same at the card network',
      'days are not the same at the card network',
      '/operator/reconciliation',
    ),
    ...row(givenUpMessages, 'message was given up', 'messages were given up', '/operator/messages'),
  ];
}

const HOUR_MINUTES = 60;
const DAY_HOURS = 24;

/** '12 min', '3 h', '2 d'. */
export function formatAge(since: string, now: Date): string {
  const minutes = Math.max(0, Math.floor((now.getTime() - Date.parse(since)) / MINUTE_MS));
  if (minutes < HOUR_MINUTES) return `${minutes} min`;
  const hours = Math.floor(minutes / HOUR_MINUTES);
  return hours < 2 * DAY_HOURS ? `${hours} h` : `${Math.floor(hours / DAY_HOURS)} d`;
}
