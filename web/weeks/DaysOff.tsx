import { Button, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { CallFailed } from '../../contract/callClient.ts';
import type { Calendar, TouchedJob } from '../../contract/weeks.ts';
import { DAYS_OFF_CHOICES, type DaysOffChoice } from '../../domain/moves.ts';
import { formatWindow, toWindow } from '../../texts/windows.ts';
import { api } from '../api/client.ts';
import { refetchKinds } from '../api/queryClient.ts';
import { RadioGroup } from '../ui/Choice.tsx';
import { errorMessageOf } from '../ui/errorMessage.ts';
import { Fold } from '../ui/Fold.tsx';
import { formatDay } from '../ui/format.ts';
import items from '../ui/ItemList.module.css';
import touchedBox from '../ui/TouchedBox.module.css';
import { toast } from '../ui/toast.tsx';
import styles from './WeekPage.module.css';
import { CALENDAR_QUERY, refreshCalendar } from './weekQuery.ts';

const wordsOf = ({ from, until }: { from: string; until: string }) =>
  from === until ? formatDay(from) : `${formatDay(from)} to ${formatDay(until)}`;

/** When the Scrub is away. */
export function DaysOff({ calendar: { daysOff, timeZone } }: { calendar: Calendar }) {
  return (
    <Fold title="Away from … to …" aside={daysOff[0] ? wordsOf(daysOff[0]) : 'No days off'}>
      {daysOff.length > 0 && (
        <ul className={`${items.list} ${items.rows}`} aria-label="Days off">
          {daysOff.map((days) => (
            <DaysOffRow key={days.id} days={days} />
          ))}
        </ul>
      )}
      <AddDaysOff timeZone={timeZone} />
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
  'give-back': 'Give them to another Scrub',
};

/** The orders with a window on days that are typed. */
const useTouched = (days: { from: string; until: string } | undefined) =>
  useQuery({
    queryKey: [...CALENDAR_QUERY.queryKey, 'touched', days],
    queryFn: () => api.listDaysOffTouched({ query: days ?? { from: '', until: '' } }),
    enabled: days !== undefined && days.from <= days.until,
  });

type TouchedJobsProps = {
  readonly items: readonly TouchedJob[];
  readonly hasMore: boolean;
  readonly timeZone: string;
};

function TouchedJobs({ items: jobs, hasMore, timeZone }: TouchedJobsProps) {
  const stay = jobs.filter(({ canGiveBack }) => !canGiveBack).length;
  return (
    <section className={touchedBox.box} aria-label="Your orders then">
      <h3>
        {hasMore ? `More than ${jobs.length}` : jobs.length} of your orders {jobs.length === 1 ? 'has' : 'have'} a time
        then
      </h3>
      <ul>
        {jobs.map((job) => (
          <li key={job.id}>
            <Link to={`/scrub/jobs/${job.id}`}>{job.number}</Link> {job.bud}: {timesOf(job, timeZone)}
          </li>
        ))}
      </ul>
      {stay > 0 && (
        <p>
          {stay === jobs.length ? 'Their' : `For ${stay} of them the`} laundry has left its Bud: only the time back can
          change.
        </p>
      )}
    </section>
  );
}

const timesOf = ({ pickup, return: back }: TouchedJob, timeZone: string): string =>
  [
    pickup && `comes ${formatWindow(toWindow(pickup), timeZone)}`,
    back && `goes back ${formatWindow(toWindow(back), timeZone)}`,
  ]
    .filter(Boolean)
    .join(', ');

function AddDaysOff({ timeZone }: { timeZone: string }) {
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
  const days = from === '' ? undefined : { from, until: until || from };
  const found = useTouched(days).data;
  // Somebody may have ordered since the days were chosen.
  const isRefused = add.error instanceof CallFailed && add.error.code === 'ordersTouched';
  const isAsked = isRefused || (found !== undefined && found.items.length > 0);
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
      {found && found.items.length > 0 && <TouchedJobs {...found} timeZone={timeZone} />}
      {isAsked && (
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
