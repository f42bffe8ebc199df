import { NativeSelect, Textarea } from '@mantine/core';
import { useState } from 'react';
import { CallFailed } from '../../../contract/callClient.ts';
import type { OpenWorkItem, Person } from '../../../contract/operator/people.ts';
import { WAY_HOME_PAYERS, type WayHome, type WayHomePayer } from '../../../domain/orders.ts';
import { isSignedOutBy, WORK_CHOICES, type WorkChoice } from '../../../domain/restrictions.ts';
import { Choice } from '../../ui/Choice.tsx';
import { firstNameOf } from '../../ui/format.ts';
import { ActButton } from '../ActButton.tsx';
import { operatorApi } from '../operatorApi.ts';
import { operatorQueryClient } from '../operatorQueries.ts';
import { CHOICE_TEXTS } from '../peopleTexts.ts';
import { useTownAlone } from '../useConsent.ts';
import { PayerSelect, WayHomeSelect } from '../WayHomeSelect.tsx';
import styles from './people.module.css';

/** The choices so far, by the id of the work. */
type Chosen = Readonly<Record<string, WorkChosen>>;
type WorkChosen = {
  readonly choice: WorkChoice;
  readonly wayHome?: WayHome;
  readonly waysPaidBy?: WayHomePayer;
};

/** Suspends somebody, after every piece of their open work was decided about. */
export function SuspendButton({ person: { id, fullname, openWork } }: { person: Person }) {
  const name = firstNameOf(fullname);
  const [chosen, setChosen] = useState<Chosen>({});
  /** Undefined until the operator says so: then it follows what becomes of the open work. */
  const [ownSignIn, setOwnSignIn] = useState<boolean>();
  const [words, setWords] = useState('');
  const { runsAlone } = useTownAlone();
  const choices = choicesOf(openWork, chosen);
  const isSignedOut = ownSignIn ?? isSignedOutBy(choices);
  return (
    <ActButton
      title={`Suspend ${name}?`}
      label="Suspend…"
      button="Suspend"
      done={`${name} is suspended`}
      isDestructive
      reasonLabel={`Why? ${name} reads it in an email`}
      isReady={choices.length === openWork.length}
      onOpen={() => {
        setChosen({});
        setOwnSignIn(undefined);
      }}
      run={(reason, idempotencyKey) =>
        suspend({
          params: { id },
          body: { signIn: isSignedOut, choices, reason, ...(words.trim() ? { words } : {}) },
          idempotencyKey,
        })
      }
    >
      {(errors) => (
        <>
          <p>
            {name} gets no new work, and payouts wait. It ends after 14 days by itself.{' '}
            {runsAlone ? 'You' : 'Another operator'} can end it before.
          </p>
          {openWork.length > 0 && (
            <OpenWorkFields
              openWork={openWork}
              chosen={chosen}
              onChoose={setChosen}
              words={words}
              onWords={setWords}
              wordsError={errors.words}
            />
          )}
          <Choice
            type="checkbox"
            name={`Sign ${name} out, and keep them from signing in`}
            checked={isSignedOut}
            onChoose={() => setOwnSignIn(!isSignedOut)}
          >
            {isSignedOut && !isSignedOutBy(choices) && `Then ${name} cannot finish what you let them finish.`}
          </Choice>
        </>
      )}
    </ActButton>
  );
}

const choicesOf = (openWork: readonly OpenWorkItem[], chosen: Chosen) =>
  openWork.flatMap(({ kind, id, choices, waysHome }) => {
    const one = chosen[id];
    if (!one || !choices.includes(one.choice)) return [];
    if (!asksWayHome(waysHome, one)) return [{ kind, id, choice: one.choice }];
    return one.wayHome && waysHome.includes(one.wayHome) ? [{ kind, id, ...one }] : [];
  });

const asksWayHome = (waysHome: readonly WayHome[], one: WorkChosen | undefined) =>
  one?.choice === 'cancel' && waysHome.length > 0;

async function suspend(request: Parameters<typeof operatorApi.suspend>[0]) {
  try {
    return await operatorApi.suspend(request);
  } catch (error) {
    // The list of open work in the dialog is read again: something has changed.
    if (error instanceof CallFailed && error.code === 'workChanged')
      await operatorQueryClient.invalidateQueries({ queryKey: ['person', request.params.id] });
    throw error;
  }
}

type OpenWorkFieldsProps = {
  readonly openWork: readonly OpenWorkItem[];
  readonly chosen: Chosen;
  readonly onChoose: (chosen: Chosen) => void;
  readonly words: string;
  readonly onWords: (words: string) => void;
  readonly wordsError: string | undefined;
};

function OpenWorkFields({ openWork, chosen, onChoose, words, onWords, wordsError }: OpenWorkFieldsProps) {
  return (
    <fieldset className={styles.work}>
      <legend>What becomes of the open work?</legend>
      {openWork.length > 1 && <AllSelect openWork={openWork} chosen={chosen} onChoose={onChoose} />}
      {openWork.map((work) => (
        <WorkSelect
          key={work.id}
          work={work}
          value={chosen[work.id]}
          onChange={(one) => onChoose({ ...chosen, [work.id]: one })}
        />
      ))}
      <Textarea
        label="What the others read (optional)"
        description="Do not say here why: it is between you and them."
        rows={2}
        maxLength={500}
        value={words}
        error={wordsError}
        onChange={(event) => onWords(event.currentTarget.value)}
      />
    </fieldset>
  );
}

/** One choice for everything that it is possible for. */
function AllSelect({ openWork, chosen, onChoose }: Pick<OpenWorkFieldsProps, 'openWork' | 'chosen' | 'onChoose'>) {
  const possible = WORK_CHOICES.filter((choice) => openWork.some(({ choices }) => choices.includes(choice)));
  const textOf = (choice: WorkChoice) => {
    const count = openWork.filter(({ choices }) => choices.includes(choice)).length;
    return count === openWork.length ? CHOICE_TEXTS[choice] : `${CHOICE_TEXTS[choice]} (possible for ${count})`;
  };
  const common = possible.find((choice) => openWork.every(({ id }) => chosen[id]?.choice === choice));
  const chooseAll = (choice: WorkChoice) => {
    const able = openWork.filter(({ choices }) => choices.includes(choice));
    onChoose({ ...chosen, ...Object.fromEntries(able.map(({ id }) => [id, { choice }])) });
  };
  return (
    <NativeSelect
      label={`All ${openWork.length}`}
      data={[
        { value: '', label: 'Choose…', disabled: true },
        ...possible.map((choice) => ({ value: choice, label: textOf(choice) })),
      ]}
      value={common ?? ''}
      onChange={(event) => chooseAll(event.currentTarget.value as WorkChoice)}
    />
  );
}

const PAID_BY_TOWN = { waysPaidBy: 'platform' } as const;

type WorkSelectProps = {
  readonly work: OpenWorkItem;
  readonly value: WorkChosen | undefined;
  readonly onChange: (chosen: WorkChosen) => void;
};

function WorkSelect({ work: { orderNumber, status, other, choices, waysHome }, value, onChange }: WorkSelectProps) {
  const options = choices.map((choice) => ({ value: choice, label: CHOICE_TEXTS[choice] }));
  return (
    <>
      <NativeSelect
        label={`${orderNumber}, ${status.replaceAll('_', ' ')}, ${other}`}
        data={[{ value: '', label: 'Choose…', disabled: true }, ...options]}
        value={value !== undefined && choices.includes(value.choice) ? value.choice : ''}
        onChange={(event) => onChange({ choice: event.currentTarget.value as WorkChoice })}
      />
      {value && asksWayHome(waysHome, value) && (
        <WayHomeSelect
          ways={waysHome}
          value={value.wayHome ?? ''}
          onChange={(wayHome) =>
            onChange({ choice: value.choice, wayHome, ...(wayHome === 'bring' ? PAID_BY_TOWN : {}) })
          }
        />
      )}
      {value?.wayHome === 'bring' && (
        <PayerSelect
          payers={WAY_HOME_PAYERS}
          value={value.waysPaidBy ?? PAID_BY_TOWN.waysPaidBy}
          onChange={(waysPaidBy) => onChange({ ...value, waysPaidBy })}
        />
      )}
    </>
  );
}
