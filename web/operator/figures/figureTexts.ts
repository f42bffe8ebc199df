import type { Figures, FiguresRow } from '../../../contract/operator/figures.ts';
import { toCsvCell, toCsvFile } from '../../../domain/csv.ts';
import type { FiguresBy } from '../../../domain/figures.ts';
import { formatDay, formatMoney } from '../../ui/format.ts';

const UNKNOWN = '–';
const PERCENT = 100;

const orUnknown = (format: (value: number) => string) => (value: number | null) =>
  value === null ? UNKNOWN : format(value);

/** '7 min', or '2.5 h' from an hour and a half on. */
const formatMinutes = (minutes: number) => (minutes < 90 ? `${Math.round(minutes)} min` : formatHours(minutes / 60));
/** '4.2 h', '26 h' */
const formatHours = (hours: number) => `${hours < 10 ? hours.toFixed(1) : Math.round(hours)} h`;
const formatShare = (share: number) => `${Math.round(PERCENT * share)} %`;

/** One figure: its names, its text, what it means, and how a file has it. */
export type FigureName = Exclude<keyof Figures, 'orders' | 'completed'>;

type FigureText = {
  readonly header: string;
  readonly csv: string;
  readonly means: string;
  readonly format: (value: number | null) => string;
  readonly decimals: number;
  /** Where it stands on a card; default: among the details. */
  readonly cardSlot?: 'none';
};

export const FIGURE_TEXTS: Readonly<Record<FigureName, FigureText>> = {
  onTime: {
    header: 'On time',
    csv: 'on time',
    means:
      'Orders that were back by the promised time. Without one: washes that were done within 48 hours after the Scrub started.',
    format: orUnknown(formatShare),
    decimals: 3,
  },
  minutesToYes: {
    header: 'Time to yes',
    csv: 'minutes to a yes, half',
    means: 'How long a Scrub took to accept. Half of them were faster.',
    format: orUnknown(formatMinutes),
    decimals: 1,
  },
  slowMinutesToYes: {
    header: '9 of 10 within',
    csv: 'minutes to a yes, 9 of 10',
    means: 'The same: nine of ten were faster.',
    cardSlot: 'none',
    format: orUnknown(formatMinutes),
    decimals: 1,
  },
  hoursToReturn: {
    header: 'Until back',
    csv: 'hours until back, half',
    means: 'From the yes until the laundry was back with its Bud, or ready where the Bud fetches it. Half were faster.',
    format: orUnknown(formatHours),
    decimals: 1,
  },
  orderedAgain: {
    header: 'Ordered again',
    csv: 'ordered again',
    means:
      'Buds who placed another order within 28 days after one that was completed. Known once these 28 days are over; cancelled and rejected orders do not count.',
    format: orUnknown(formatShare),
    decimals: 3,
  },
  scrubHourly: {
    header: 'Scrub/hour',
    csv: 'scrub per hour in USD',
    means: 'What Scrubs earned for each hour from the start to the completion of an order. The machine runs meanwhile.',
    format: orUnknown(formatMoney),
    decimals: 2,
  },
  duberHourly: {
    header: 'Duber/hour',
    csv: 'duber per hour in USD',
    means: 'What Dubers earned for each hour from accepting a delivery to delivering it.',
    format: orUnknown(formatMoney),
    decimals: 2,
  },
  kept: {
    header: 'Kept',
    csv: 'kept in USD',
    means:
      'The platform fee less card fees, promo codes, and the refunds and trips that the platform pays. Orders that are under way have paid their card fee, and earn later. Overview has the weeks in which the money moved.',
    format: orUnknown(formatMoney),
    decimals: 2,
  },
};

/** What the rows are. */
export const BY_TEXTS: Readonly<Record<FiguresBy, { label: string; header: string; rows: string }>> = {
  week: { label: 'By Week', header: 'Week of', rows: 'Weeks' },
  zone: { label: 'By Zone', header: 'Zone', rows: 'Zones' },
  scrub: { label: 'By Scrub', header: 'Scrub', rows: 'Scrubs' },
};

export function nameOf(by: FiguresBy, { key, name }: Pick<FiguresRow, 'key' | 'name'>): string {
  if (by === 'week') return formatDay(key ?? '');
  return name ?? 'Outside every zone';
}

/** The rows as they are shown, with their numbers as they were computed. */
export function toFiguresCsv(by: FiguresBy, rows: readonly FiguresRow[], names: readonly FigureName[]): string {
  const head = [
    by === 'week' ? 'week of' : by,
    'orders',
    'completed',
    ...names.map((name) => toCsvCell(FIGURE_TEXTS[name].csv)),
  ];
  const cells = (row: FiguresRow) =>
    names.map((name) => {
      const value = row[name];
      return value === null ? '' : value.toFixed(FIGURE_TEXTS[name].decimals);
    });
  const first = (row: FiguresRow) => (by === 'week' ? (row.key ?? '') : toCsvCell(nameOf(by, row)));
  return toCsvFile([head, ...rows.map((row) => [first(row), row.orders, row.completed, ...cells(row)])]);
}
