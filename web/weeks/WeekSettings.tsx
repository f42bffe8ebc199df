import { Button, NumberInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Calendar } from '../../contract/weeks.ts';
import { formatClock } from '../../domain/hours.ts';
import { ORDER_SIZES, type OrderSize } from '../../domain/orders.ts';
import { MAX_ORDERS_A_DAY, MAX_POUNDS_A_DAY } from '../../domain/weeks.ts';
import { MAX_NOTICE_HOURS } from '../../domain/windows.ts';
import { api } from '../api/client.ts';
import { useConfig } from '../api/config.ts';
import { ChipChecks } from '../ui/Chips.tsx';
import { Choice } from '../ui/Choice.tsx';
import { DaysAndTimes } from '../ui/DaysAndTimes.tsx';
import { errorMessageOf } from '../ui/errorMessage.ts';
import { Fold } from '../ui/Fold.tsx';
import { toast } from '../ui/toast.tsx';
import { sizesSold } from '../weighing/sizeLimit.ts';
import styles from './WeekPage.module.css';
import { isPlain, toDraft, toWeek, type WeekDraft } from './weekDraft.ts';
import { refreshCalendar } from './weekQuery.ts';

/** When the Scrub works and how much, in one line; the form is folded. */
export function WeekSettings({ calendar: { week } }: { calendar: Calendar }) {
  return (
    <Fold title="When you work, and how much" aside={describe(week)}>
      {/* Starts again when somebody else has changed the week. */}
      <WeekForm key={JSON.stringify(week)} week={week} />
    </Fold>
  );
}

function describe({ hours, poundsADay, ordersADay }: Calendar['week']): string {
  const [first] = hours;
  const when = first
    ? `${new Set(hours.map(({ weekday }) => weekday)).size} days a week from ${formatClock(first.from)}`
    : 'Any time';
  const most =
    poundsADay === null ? (ordersADay === null ? 'no limit' : `${ordersADay} orders a day`) : `${poundsADay} lb a day`;
  return `${when}, ${most}`;
}

function WeekForm({ week }: { week: Calendar['week'] }) {
  const [draft, setDraft] = useState(() => toDraft(week));
  const sold = sizesSold(useConfig());
  const change = (part: Partial<WeekDraft>) => setDraft((now) => ({ ...now, ...part }));
  const save = useMutation({
    mutationFn: () => api.setWeek({ body: { before: week, week: toWeek(draft) } }),
    onSuccess: async () => {
      await refreshCalendar();
      toast.success('Your Week Is Saved', { description: 'Orders that are booked stay.' });
    },
    onError: (error) => {
      toast.error('Not Saved', { description: errorMessageOf(error, 'Something went wrong. Please try again.') });
      void refreshCalendar();
    },
  });
  const isReady = !draft.hasHours || (draft.days.length > 0 && draft.from !== '' && draft.until !== '');
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <Choice
        type="checkbox"
        name="Only at certain times"
        checked={draft.hasHours}
        onChoose={() => change({ hasHours: !draft.hasHours })}
      >
        For orders with a time. Who orders as soon as possible still finds you.
      </Choice>
      {draft.hasHours && (
        <>
          {!isPlain(week) && (
            <p className="quiet">Your times differ by the day. Saving here makes them the same on each day.</p>
          )}
          <DaysAndTimes value={draft} onChange={change} className={styles.pair} />
        </>
      )}
      <NumberInput
        label="Pounds a day"
        description="Empty for no limit"
        min={1}
        max={MAX_POUNDS_A_DAY}
        allowDecimal={false}
        value={draft.poundsADay}
        onChange={(value) => change({ poundsADay: value === '' ? '' : Number(value) })}
      />
      <NumberInput
        label="Orders a day"
        description="Empty for no limit"
        min={1}
        max={MAX_ORDERS_A_DAY}
        allowDecimal={false}
        value={draft.ordersADay}
        onChange={(value) => change({ ordersADay: value === '' ? '' : Number(value) })}
      />
      <NumberInput
        label="Hours of notice before a pickup"
        min={0}
        max={MAX_NOTICE_HOURS}
        allowDecimal={false}
        value={draft.noticeHours}
        onChange={(value) => change({ noticeHours: Number(value) })}
      />
      <Sizes sold={sold} chosen={draft.sizes} onChange={(sizes) => change({ sizes })} />
      <Button type="submit" loading={save.isPending} disabled={!isReady}>
        Save
      </Button>
    </form>
  );
}

type SizesProps = {
  readonly sold: readonly OrderSize[];
  readonly chosen: WeekDraft['sizes'];
  readonly onChange: (sizes: OrderSize[] | null) => void;
};

/** All sizes are no limit, also of sizes that the town sells later. */
function Sizes({ sold, chosen, onChange }: SizesProps) {
  const value = chosen ?? [...ORDER_SIZES];
  return (
    <ChipChecks
      legend="Loads you take"
      options={sold.map((size) => ({ value: size, name: size }))}
      values={value}
      onChange={(sizes) => {
        const next = ORDER_SIZES.filter((size) => sizes.includes(size));
        if (next.length > 0) onChange(sold.every((size) => next.includes(size)) ? null : next);
      }}
    />
  );
}
