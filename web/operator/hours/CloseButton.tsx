import { Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { TownHours } from '../../../contract/operator/hours.ts';
import { findClosed, MAX_CLOSURE_WORDS } from '../../../domain/hours.ts';
import { instantOfLocalTime, nextLocalDate } from '../../../domain/localDays.ts';
import { ActButton } from '../ActButton.tsx';
import { operatorApi } from '../operatorApi.ts';
import sections from '../sections.module.css';
import styles from './Hours.module.css';
import { openingOf } from './opening.ts';

/** Asks from when until when the town is closed, and what Buds read. */
export function CloseButton({ hours }: { hours: TownHours }) {
  const { timeZone } = hours;
  const [from, setFrom] = useState('');
  const [until, setUntil] = useState('');
  const [words, setWords] = useState('');
  return (
    <ActButton
      label="Close…"
      title="Close the town for a while"
      button="Close the Town"
      done="The closure is added"
      isReady={until !== ''}
      onOpen={() => {
        setFrom('');
        // The rest of today.
        setUntil(`${nextLocalDate(new Date(), timeZone)}T00:00`);
        setWords('');
      }}
      run={(reason, idempotencyKey) =>
        operatorApi.addClosure({ body: { until, words, reason, ...(from === '' ? {} : { from }) }, idempotencyKey })
      }
    >
      {(errors) => (
        <>
          <p>Orders and deliveries that are under way go on. Times are on the clocks of {timeZone}.</p>
          <div className={sections.fields}>
            <TextInput
              label="From (now, if it is empty)"
              type="datetime-local"
              value={from}
              error={errors.from}
              onChange={(event) => setFrom(event.currentTarget.value)}
            />
            <TextInput
              label="Until"
              type="datetime-local"
              value={until}
              error={errors.until}
              onChange={(event) => setUntil(event.currentTarget.value)}
            />
          </div>
          <Textarea
            label="What people read"
            placeholder="We are at the town fair."
            rows={2}
            maxLength={MAX_CLOSURE_WORDS}
            value={words}
            error={errors.words}
            onChange={(event) => setWords(event.currentTarget.value)}
          />
          <Preview hours={hours} draft={{ from, until, words }} />
        </>
      )}
    </ActButton>
  );
}

type Draft = { readonly from: string; readonly until: string; readonly words: string };

/** What Buds would read when it begins. */
function Preview({ hours, draft: { from, until, words } }: { hours: TownHours; draft: Draft }) {
  if (until === '' || words.trim() === '') return null;
  const instantAt = (local: string) => instantOfLocalTime(local, hours.timeZone);
  const start = from === '' ? new Date() : instantAt(from);
  const closure = { from: start, until: instantAt(until), words: words.trim() };
  if (!(closure.from < closure.until)) return null;
  const opening = openingOf(hours);
  const closed = findClosed({ ...opening, closures: [closure, ...opening.closures] }, start);
  return closed && <p className={styles.preview}>Buds read: “{closed.words}”</p>;
}
