import type { PriceItem } from '../../domain/payments.ts';
import { PRICE_ITEMS } from '../../domain/payments.ts';
import type { PolicyName, Preset } from '../../domain/policies.ts';
import { unitOf } from '../../domain/prices.ts';
import { formatDateInText, formatDay, formatMoney } from '../ui/format.ts';
import { describeCorners, isCorners } from './cornerTexts.ts';
import styles from './Details.module.css';
import { ITEM_NAMES, POLICY_TITLES, PRESET_LABELS, priceText } from './priceTexts.ts';

type Values = Readonly<Record<string, unknown>>;
/** What an act has changed, or would change: its subject, what was asked for, and what was before. */
export type Change = { readonly action: string; readonly subjectId: string | null; readonly details: Values };

/** Labels that differ from the names in the API. */
const NAMES: Readonly<Record<string, string>> = {
  caps: 'Rights',
  askedBy: 'Asked for by',
  secondYes: 'Approved because',
  refundLimitOrder: 'Refunds of one order without approval',
  refundLimitDay: 'Refunds of one day without approval',
  platformPayWeek: 'Paid by the platform to one Duber in a week',
  waysPaidBy: 'Deliveries paid by',
  isEverything: 'Everything was given back',
};

const MONEY = new Set(['amount', 'refundLimitOrder', 'refundLimitDay', 'platformPayWeek', 'taxes', 'left']);

/** 'refundLimitOrder' becomes 'Refund limit order'. */
const wordsOf = (name: string) => {
  const own = NAMES[name];
  if (own !== undefined) return own;
  const words = name.replaceAll(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const TIME = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;

function textOf(value: unknown, name = ''): string {
  if (value === null || value === undefined) return '–';
  if (isCorners(value)) return describeCorners(value);
  if (Array.isArray(value)) return value.map((one) => textOf(one)).join(', ') || '–';
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([inner, one]) => `${wordsOf(inner)}: ${textOf(one, inner)}`)
      .join(', ');
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'number' && MONEY.has(name)) return formatMoney(value);
  if (typeof value === 'string' && DAY.test(value)) return formatDay(value);
  if (typeof value === 'string' && TIME.test(value)) return formatDateInText(value);
  return String(value);
}

const isItem = (id: string | null): id is PriceItem => PRICE_ITEMS.some((item) => item === id);

/** '$2.50 → $3.00', or only the new value where the old one is not known. */
const arrow = (before: string | undefined, after: string) => (before === undefined ? after : `${before} → ${after}`);

function fromText(from: unknown): string {
  return typeof from === 'string' ? ` from ${textOf(from.slice(0, 10))}` : ' from the day after the approval';
}

/** What changes, in one sentence; undefined where the details say it. */
export function describeChange({ action, subjectId, details }: Change): string | undefined {
  const { before, value, from } = details;
  if (action === 'setPrice' && isItem(subjectId) && typeof value === 'number') {
    const text = (amount: number) => priceText(unitOf(subjectId), amount);
    const old = typeof before === 'number' ? text(before) : undefined;
    return `${ITEM_NAMES[subjectId]}: ${arrow(old, text(value))}${fromText(from)}`;
  }
  if (action === 'setPolicy' && subjectId !== null) {
    const old = before === undefined ? undefined : PRESET_LABELS[before as Preset];
    const title = POLICY_TITLES[subjectId as PolicyName] ?? subjectId;
    return `${title}: ${arrow(old, PRESET_LABELS[value as Preset])}${fromText(from)}`;
  }
  if (action === 'setPreset') return `All rules: ${PRESET_LABELS[details.preset as Preset]}${fromText(from)}`;
  if (action === 'setTimeZone')
    return `Days begin in: ${arrow(typeof before === 'string' ? before : undefined, String(details.timeZone))}`;
  if (Array.isArray(details.prices)) {
    const prices = (details.prices as { item: PriceItem; value: number }[]).map(
      ({ item, value: own }) => `${ITEM_NAMES[item]} ${priceText(unitOf(item), own)}`,
    );
    return `${prices.join(', ') || 'The prices of the town'}${fromText(from)}`;
  }
  return undefined;
}

/** What the sentence has said. */
const SAID = new Set(['value', 'from', 'before', 'unit', 'preset', 'timeZone', 'prices']);

/** The request of an act, and what it changed. */
export function Details({ change }: { change: Change }) {
  const sentence = describeChange(change);
  const { before: earlier } = change.details;
  const before = (typeof earlier === 'object' && earlier !== null ? earlier : {}) as Values;
  const all = Object.entries(change.details);
  const entries = all.filter(([name]) =>
    sentence === undefined ? !(name === 'before' && all.some(([other]) => other in before)) : !SAID.has(name),
  );
  return (
    <>
      {sentence !== undefined && <p>{sentence}</p>}
      {entries.length > 0 && (
        <dl className={styles.details}>
          {entries.map(([name, value]) => (
            <div key={name} className={styles.row}>
              <dt>{wordsOf(name)}</dt>
              <dd>{arrow(name in before ? textOf(before[name], name) : undefined, textOf(value, name))}</dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}
