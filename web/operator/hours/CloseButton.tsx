import { Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { TownHours } from '../../../contract/operator/hours.ts';
import { findClosed, MAX_CLOSURE_WORDS } from '../../../domain/hours.ts';
import { instantOfLocalTime, nextLocalDate } from '../../../domain/localDays.ts';
import type { FormErrors } from '../../ui/useForm.ts';
import { ActButton } from '../ActButton.tsx';
import { operatorApi } from '../operatorApi.ts';
import sections from '../sections.module.css';
import styles from './Hours.module.css';
import { openingOf } from './opening.ts';

type Draft = { readonly from: string; readonly until: string; readonly words: string };

/** Asks from when until when the town is closed, and what Buds read. */
export function CloseButton({ hours }: { hours: TownHours }) {
  const [draft, setDraft] = useState<Draft>({ from: '', until: '', words: '' });
  const { from, until, words } = draft;
  return (
    <ActButton
      label="Close…"
      title="Close the town for a while"
      button="Close the Town"
      done="The closure is added"
      isReady={until !== ''}
      // For the rest of today.
      onOpen={() => setDraft({ from: '', until: `${nextLocalDate(new Date(), hours.timeZone)}T00:00`, words: '' })}
      run={(reason, idempotencyKey) =>
        operatorApi.addClosure({ body: { until, words, reason, ...(from === '' ? {} : { from }) }, idempotencyKey })
      }
    >
      {(errors) => (
        <>
          <p>Orders and deliveries that are under way go on. Times are in {hours.timeZone}.</p>
          <ClosureFields draft={draft} set={(change) => setDraft((now) => ({ ...now, ...change }))} errors={errors} />
          <Preview hours={hours} draft={draft} />
        </>
      )}
    </ActButton>
  );
}

type ClosureFieldsProps = { draft: Draft; set: (change: Partial<Draft>) => void; errors: FormErrors };

function ClosureFields({ draft: { from, until, words }, set, errors }: ClosureFieldsProps) {
  return (
    <>
      <div className={sections.fields}>
        <TextInput
          label="From (now, if it is empty)"
          type="datetime-local"
          value={from}
          error={errors.from}
          onChange={(event) => set({ from: event.currentTarget.value })}
        />
        <TextInput
          label="Until"
          type="datetime-local"
          value={until}
          error={errors.until}
          onChange={(event) => set({ until: event.currentTarget.value })}
        />
      </div>
      <Textarea
        label="What people read"
        placeholder="We are at the town fair."
        rows={2}
        maxLength={MAX_CLOSURE_WORDS}
        value={words}
        error={errors.words}
        onChange={(event) => set({ words: event.currentTarget.value })}
      />
    </>
  );
}

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
