import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { WEEKDAYS, type Weekday } from '../../domain/hours.ts';
import { ChipChecks } from './Chips.tsx';

type Times = { readonly days: readonly Weekday[]; readonly from: string; readonly until: string };

type DaysAndTimesProps = {
  /** Of what, where a form asks for more than one: a prefix of the labels. */
  readonly name?: string;
  readonly value: Times;
  readonly onChange: (part: Partial<Times>) => void;
  readonly className: string | undefined;
  /** More fields beside the times. */
  readonly children?: ReactNode;
};

/** The days of a week, and from when until when on each of them. */
export function DaysAndTimes({ name, value, onChange, className, children }: DaysAndTimesProps) {
  const time = (end: 'from' | 'until', label: string) => (
    <TextInput
      type="time"
      label={label}
      {...(name === undefined ? {} : { 'aria-label': `${name} ${end}` })}
      value={value[end]}
      onChange={(event) => onChange({ [end]: event.currentTarget.value })}
    />
  );
  return (
    <>
      <ChipChecks
        legend={name === undefined ? 'Days' : `Days of ${name.toLowerCase()}`}
        options={WEEKDAYS.map((day) => ({
          value: day,
          name: day.slice(0, 3),
          label: name === undefined ? day : `${name}: ${day}`,
        }))}
        values={value.days}
        onChange={(days) => onChange({ days: WEEKDAYS.filter((day) => days.includes(day)) })}
      />
      <div className={className}>
        {time('from', 'From')}
        {time('until', 'Until')}
        {children}
      </div>
    </>
  );
}
