import { formatDay, formatMoney } from '../ui/format.ts';
import { type Change, describeChange } from './actSentences.ts';
import { describeCorners, isCorners } from './cornerTexts.ts';
import styles from './Details.module.css';
import { arrowText } from './priceTexts.ts';
import { useTownDay, useTownTime } from './useTownDay.ts';

type Values = Readonly<Record<string, unknown>>;

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

function textOf(value: unknown, townTime: (iso: string) => string, name = ''): string {
  if (value === null || value === undefined) return '–';
  if (isCorners(value)) return describeCorners(value);
  if (Array.isArray(value)) return value.map((one) => textOf(one, townTime)).join(', ') || '–';
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([inner, one]) => `${wordsOf(inner)}: ${textOf(one, townTime, inner)}`)
      .join(', ');
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'number' && MONEY.has(name)) return formatMoney(value);
  if (typeof value === 'string' && DAY.test(value)) return formatDay(value);
  if (typeof value === 'string' && TIME.test(value)) return townTime(value);
  return String(value);
}

/** What an act changed, or would change, in one sentence. Everything that was stored with it opens on demand. */
export function Details({ change }: { change: Change }) {
  const format = { time: useTownTime(), day: useTownDay() };
  const sentence = describeChange(change, format);
  const { before: earlier } = change.details;
  const before = (typeof earlier === 'object' && earlier !== null ? earlier : {}) as Values;
  const all = Object.entries(change.details);
  const entries = all.filter(([name]) => !(name === 'before' && all.some(([other]) => other in before)));
  return (
    <>
      {sentence !== undefined && <p>{sentence}</p>}
      {entries.length > 0 && (
        <details className={styles.all}>
          <summary>Details</summary>
          <dl className={styles.details}>
            {entries.map(([name, value]) => (
              <div key={name} className={styles.row}>
                <dt>{wordsOf(name)}</dt>
                <dd>
                  {arrowText(
                    name in before ? textOf(before[name], format.time, name) : undefined,
                    textOf(value, format.time, name),
                  )}
                </dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </>
  );
}
