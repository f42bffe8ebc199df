import { NativeSelect, Textarea } from '@mantine/core';
import { useState } from 'react';
import { CallFailed } from '../../../contract/callClient.ts';
import type { OpenWorkItem, Person } from '../../../contract/operator/people.ts';
import type { WorkChoice } from '../../../domain/holds.ts';
import { Choice } from '../../ui/Choice.tsx';
import { firstNameOf } from '../../ui/format.ts';
import { ActButton } from '../ActButton.tsx';
import { operatorApi } from '../operatorApi.ts';
import { operatorQueryClient } from '../operatorQueries.ts';
import styles from './people.module.css';
import { CHOICE_TEXTS } from './peopleTexts.ts';

/** Suspends somebody, after every piece of their open work was decided about. */
export function SuspendButton({ person: { id, fullname, openWork } }: { person: Person }) {
  const name = firstNameOf(fullname);
  const [chosen, setChosen] = useState<Readonly<Record<string, WorkChoice>>>({});
  const [signIn, setSignIn] = useState(true);
  const [words, setWords] = useState('');
  const choices = openWork.flatMap(({ kind, id: workId, choices: possible }) => {
    const choice = chosen[workId];
    return choice && possible.includes(choice) ? [{ kind, id: workId, choice }] : [];
  });
  const suspend = async (reason: string) => {
    const body = { signIn, choices, reason, ...(words.trim() ? { words } : {}) };
    try {
      return await operatorApi.suspend({ params: { id }, body });
    } catch (error) {
      // The list of open work in the dialog is read again: something has changed.
      if (error instanceof CallFailed && error.code === 'workChanged')
        await operatorQueryClient.invalidateQueries({ queryKey: ['person', id] });
      throw error;
    }
  };
  return (
    <ActButton
      title={`Suspend ${name}?`}
      label="Suspend…"
      button="Suspend"
      done={`${name} is suspended`}
      isDestructive
      reasonLabel={`Why? ${name} reads it in an email`}
      isReady={choices.length === openWork.length}
      onOpen={() => setChosen({})}
      run={suspend}
    >
      {(errors) => (
        <>
          <p>
            {name} gets no new work, and payouts wait. It ends after 14 days by itself. Another operator can end it
            before.
          </p>
          <Choice
            type="checkbox"
            name={`Sign ${name} out, and keep them from signing in`}
            checked={signIn}
            onChoose={() => setSignIn(!signIn)}
          />
          {openWork.length > 0 && (
            <fieldset className={styles.work}>
              <legend>What becomes of the open work?</legend>
              {openWork.map((work) => (
                <WorkSelect
                  key={work.id}
                  work={work}
                  value={chosen[work.id]}
                  onChange={(choice) => setChosen({ ...chosen, [work.id]: choice })}
                />
              ))}
              <Textarea
                label="What the others read (optional)"
                description="Do not say here why: it is between you and them."
                rows={2}
                maxLength={500}
                value={words}
                error={errors.words}
                onChange={(event) => setWords(event.currentTarget.value)}
              />
            </fieldset>
          )}
        </>
      )}
    </ActButton>
  );
}

type WorkSelectProps = {
  readonly work: OpenWorkItem;
  readonly value: WorkChoice | undefined;
  readonly onChange: (choice: WorkChoice) => void;
};

function WorkSelect({ work: { orderNumber, status, other, choices }, value, onChange }: WorkSelectProps) {
  const options = choices.map((choice) => ({ value: choice, label: CHOICE_TEXTS[choice] }));
  return (
    <NativeSelect
      label={`${orderNumber}, ${status.replaceAll('_', ' ')}, ${other}`}
      data={[{ value: '', label: 'Choose…', disabled: true }, ...options]}
      value={value !== undefined && choices.includes(value) ? value : ''}
      onChange={(event) => onChange(event.currentTarget.value as WorkChoice)}
    />
  );
}
