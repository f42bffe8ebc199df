import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { CallFailed } from '../../contract/callClient.ts';
import type { Calendar } from '../../contract/weeks.ts';
import { DAYS_OFF_CHOICES, type DaysOffChoice } from '../../domain/moves.ts';
import { api } from '../api/client.ts';
import { refetchKinds } from '../api/queryClient.ts';
import { RadioGroup } from '../ui/Choice.tsx';
import { errorMessageOf } from '../ui/errorMessage.ts';
import { Fold } from '../ui/Fold.tsx';
import { formatDay } from '../ui/format.ts';
import items from '../ui/ItemList.module.css';
import { toast } from '../ui/toast.tsx';
import styles from './WeekPage.module.css';
import { refreshCalendar } from './weekQuery.ts';

const wordsOf = ({ from, until }: { from: string; until: string }) =>
  from === until ? formatDay(from) : `${formatDay(from)} to ${formatDay(until)}`;

/** When the Scrub is away. */
export function DaysOff({ calendar: { daysOff } }: { calendar: Calendar }) {
  return (
    <Fold title="Away from … to …" aside={daysOff[0] ? wordsOf(daysOff[0]) : 'No days off'}>
      {daysOff.length > 0 && (
        <ul className={`${items.list} ${items.rows}`} aria-label="Days off">
          {daysOff.map((days) => (
            <DaysOffRow key={days.id} days={days} />
          ))}
        </ul>
      )}
      <AddDaysOff />
    </Fold>
  );
}

function DaysOffRow({ days }: { days: Calendar['daysOff'][number] }) {
  const remove = useMutation({
    mutationFn: () => api.removeDaysOff({ params: { id: days.id } }),
    onSettled: refreshCalendar,
    onError: (error) => {
      toast.error('Not Removed', { description: errorMessageOf(error, 'Something went wrong. Please try again.') });
    },
  });
  return (
    <li className={items.item}>
      <span className={items.words}>{wordsOf(days)}</span>
      <Button variant="default" loading={remove.isPending} onClick={() => remove.mutate()}>
        Remove<span className="sr-only"> {wordsOf(days)}</span>
      </Button>
    </li>
  );
}

const TOUCHED_TEXTS: Readonly<Record<DaysOffChoice, string>> = {
  offer: 'Ask for the next time at which I work',
  keep: 'Keep them: I am there nevertheless',
  'give-back': 'Give them back, as far as they have not begun',
};

function AddDaysOff() {
  const [from, setFrom] = useState('');
  const [until, setUntil] = useState('');
  const [touched, setTouched] = useState<DaysOffChoice | ''>('');
  const add = useMutation({
    mutationFn: () => api.addDaysOff({ body: { from, until: until || from, ...(touched ? { touched } : {}) } }),
    onSuccess: async () => {
      await Promise.all([refreshCalendar(), refetchKinds('orders', 'deliveries', 'dashboards')]);
      setFrom('');
      setUntil('');
      setTouched('');
      toast.success('Days Off Added');
    },
  });
  // The server knows which orders have a window on these days, and asks.
  const isAsked = add.error instanceof CallFailed && add.error.code === 'ordersTouched';
  const choose = (change: () => void) => {
    change();
    setTouched('');
    add.reset();
  };
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        add.mutate();
      }}
    >
      <div className={styles.pair}>
        <TextInput
          type="date"
          label="First day"
          value={from}
          onChange={({ currentTarget: { value } }) => choose(() => setFrom(value))}
        />
        <TextInput
          type="date"
          label="Last day"
          value={until}
          onChange={({ currentTarget: { value } }) => choose(() => setUntil(value))}
        />
      </div>
      {add.isError && (
        <p role="alert" className={styles.problem}>
          {errorMessageOf(add.error, 'The days were not added. Please try again.')}
        </p>
      )}
      {(isAsked || touched !== '') && (
        <RadioGroup
          legend="What becomes of your orders then?"
          options={DAYS_OFF_CHOICES.map((value) => ({ value, name: TOUCHED_TEXTS[value] }))}
          value={touched}
          onChange={setTouched}
        />
      )}
      <Button
        type="submit"
        variant="default"
        loading={add.isPending}
        disabled={from === '' || (isAsked && touched === '')}
      >
        Add Days Off
      </Button>
    </form>
  );
}
