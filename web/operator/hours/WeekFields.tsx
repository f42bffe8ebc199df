import { Button, TextInput } from '@mantine/core';
import { type Hours, MAX_SPANS_A_DAY, type Span, WEEKDAYS, type Weekday } from '../../../domain/hours.ts';
import { Icon } from '../../ui/icons.tsx';
import styles from './Hours.module.css';

/** A span while it is typed. */
export type DraftSpan = Span & { readonly key: string };

const newSpan = (span: Span): DraftSpan => ({ ...span, key: crypto.randomUUID() });

export const toDraft = (hours: Hours): DraftSpan[] => hours.map(newSpan);

/** The hours of a draft; undefined while a time is missing. */
export function toHours(draft: readonly DraftSpan[]): Hours | undefined {
  if (draft.some(({ from, until }) => from === '' || until === '')) return undefined;
  return draft.map(({ key: _key, ...span }) => span);
}

type FieldsProps = { readonly draft: readonly DraftSpan[]; readonly onChange: (draft: readonly DraftSpan[]) => void };

/** The times of each weekday. */
export function WeekFields({ draft, onChange }: FieldsProps) {
  const [first] = WEEKDAYS;
  const onFirst = draft.filter(({ weekday }) => weekday === first);
  return (
    <div className={styles.grid}>
      {WEEKDAYS.map((weekday) => (
        <DayFields key={weekday} weekday={weekday} draft={draft} onChange={onChange} />
      ))}
      {onFirst.length > 0 && (
        <div className="buttons">
          <Button
            variant="default"
            onClick={() =>
              onChange(WEEKDAYS.flatMap((weekday) => onFirst.map((span) => newSpan({ ...span, weekday }))))
            }
          >
            Every Day like {first}
          </Button>
        </div>
      )}
    </div>
  );
}

function DayFields({ weekday, draft, onChange }: FieldsProps & { weekday: Weekday }) {
  const spans = draft.filter((span) => span.weekday === weekday);
  const change = (key: string, part: Partial<Span>) =>
    onChange(draft.map((span) => (span.key === key ? { ...span, ...part } : span)));
  const field = ({ key, ...span }: DraftSpan, end: 'from' | 'until', label: string) => (
    <TextInput
      type="time"
      aria-label={`${weekday}, ${label}`}
      value={span[end]}
      onChange={(event) => change(key, { [end]: event.currentTarget.value })}
    />
  );
  return (
    <fieldset className={styles.dayFields}>
      <legend>{weekday}</legend>
      <div className={styles.spans}>
        {spans.length === 0 && <span className="quiet">{draft.length === 0 ? 'Always open' : 'Closed'}</span>}
        {spans.map((span) => (
          <div key={span.key} className={styles.span}>
            {field(span, 'from', 'opens')}
            <span aria-hidden="true">to</span>
            {field(span, 'until', 'closes')}
            <button
              type="button"
              className={styles.remove}
              aria-label={`Remove ${span.from} to ${span.until} on ${weekday}`}
              onClick={() => onChange(draft.filter(({ key }) => key !== span.key))}
            >
              <Icon name="trash" />
            </button>
          </div>
        ))}
      </div>
      {spans.length < MAX_SPANS_A_DAY && (
        <Button
          variant="default"
          aria-label={`Add times on ${weekday}`}
          onClick={() => onChange([...draft, newSpan({ weekday, ...nextTimes(spans) })])}
        >
          Add
        </Button>
      )}
    </fieldset>
  );
}

/** A likely default: a whole day, or an evening after the existing spans. */
const nextTimes = (spans: readonly Span[]) =>
  spans.length === 0 ? { from: '08:00', until: '20:00' } : { from: spans.at(-1)?.until ?? '', until: '' };
