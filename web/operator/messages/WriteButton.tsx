import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  AUDIENCES,
  type Audience,
  BROADCAST_TITLE_MAXIMUM,
  BROADCAST_WORDS_MAXIMUM,
} from '../../../domain/broadcasts.ts';
import { Choice } from '../../ui/Choice.tsx';
import { formatDateInText } from '../../ui/format.ts';
import type { FormErrors } from '../../ui/useForm.ts';
import { ActButton } from '../ActButton.tsx';
import { operatorApi } from '../operatorApi.ts';

const AUDIENCE_TEXTS: Readonly<Record<Audience, string>> = {
  Bud: 'All Buds',
  Scrub: 'All Scrubs',
  Duber: 'All Dubers',
  everyone: 'Everyone',
};

export const peopleText = (people: number): string =>
  people === 1 ? '1 person' : `${people.toLocaleString('en')} people`;

type Message = { readonly to: Audience; readonly title: string; readonly words: string; readonly isUrgent: boolean };

const EMPTY: Message = { to: 'Duber', title: '', words: '', isUrgent: false };

/** Writes to many, and says first how many. */
export function WriteButton() {
  const [message, setMessage] = useState(EMPTY);
  const change = (changes: Partial<Message>) => setMessage((now) => ({ ...now, ...changes }));
  return (
    <ActButton
      label="Write…"
      variant="filled"
      title="Write to many"
      button="Send"
      done="The message is on its way"
      size="lg"
      run={(reason, idempotencyKey) => operatorApi.sendBroadcast({ body: { ...message, reason }, idempotencyKey })}
      onDone={() => setMessage(EMPTY)}
    >
      {(errors) => <MessageFields message={message} change={change} errors={errors} />}
    </ActButton>
  );
}

type MessageFieldsProps = { message: Message; change: (changes: Partial<Message>) => void; errors: FormErrors };

function MessageFields({ message: { to, title, words, isUrgent }, change, errors }: MessageFieldsProps) {
  return (
    <>
      <NativeSelect
        label="To"
        data={AUDIENCES.map((value) => ({ value, label: AUDIENCE_TEXTS[value] }))}
        value={to}
        onChange={(event) => change({ to: event.currentTarget.value as Audience })}
      />
      <Reach to={to} isUrgent={isUrgent} />
      <TextInput
        label="Title"
        maxLength={BROADCAST_TITLE_MAXIMUM}
        value={title}
        error={errors.title}
        onChange={(event) => change({ title: event.currentTarget.value })}
      />
      <Textarea
        label="Words"
        rows={4}
        maxLength={BROADCAST_WORDS_MAXIMUM}
        value={words}
        error={errors.words}
        onChange={(event) => change({ words: event.currentTarget.value })}
      />
      <Choice type="checkbox" name="Urgent" checked={isUrgent} onChoose={() => change({ isUrgent: !isUrgent })}>
        Goes out before everything else, also to people who were written to today.
      </Choice>
    </>
  );
}

function Reach({ to, isUrgent }: { to: Audience; isUrgent: boolean }) {
  const { data } = useQuery({
    queryKey: ['reach', to],
    queryFn: () => operatorApi.previewBroadcast({ query: { to } }),
  });
  const today = data?.writtenToday;
  return (
    <p aria-live="polite">
      {data ? `This goes to ${peopleText(data.people)}.` : 'Counting…'}
      {today &&
        !isUrgent &&
        ` Some of them got “${today.title}” today (${formatDateInText(today.at)}): wait until tomorrow, or mark it as urgent.`}
    </p>
  );
}
