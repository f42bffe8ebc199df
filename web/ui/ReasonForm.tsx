import { Button, Textarea } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { SINGLE_SUBMIT_PROPS } from '../hooks/singlePress.ts';
import { RadioGroup } from './Choice.tsx';
import styles from './ReasonForm.module.css';

export type Reason = { readonly value: string; readonly label: string };

/** What a step says besides its action. */
export type ReasonAnswer = { readonly reason?: string; readonly words?: string };

const OTHER = 'other';
const MAX_WORDS = 1000;

type ReasonFormProps = {
  /** Above the question. */
  readonly intro?: string;
  readonly legend: string;
  readonly reasons: readonly Reason[];
  /** The label of the words when they are needed with every reason. */
  readonly wordsLabel?: string;
  readonly button: string;
  readonly isDestructive?: boolean;
  readonly isPending: boolean;
  readonly error?: string | undefined;
  /** Between the question and the button. */
  readonly children?: ReactNode;
  readonly onSubmit: (answer: ReasonAnswer) => void;
};

/** Asks why, and for words where the reason needs them. The input stays until the step is taken. */
export function ReasonForm(props: ReasonFormProps) {
  const { intro, legend, reasons, wordsLabel, button, isDestructive = true, isPending, error, children } = props;
  const { reason, choose, words, setWords, problem, submit } = useReasonForm(props);
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      {intro && <p className="quiet">{intro}</p>}
      {reasons.length > 0 && (
        <RadioGroup
          legend={legend}
          options={reasons.map(({ value, label: name }) => ({ value, name }))}
          value={reason}
          onChange={choose}
        />
      )}
      {problem.reason && <Problem text={problem.reason} />}
      <Textarea
        label={wordsLabel ?? (reason === OTHER ? 'What happened?' : 'Anything to add? (optional)')}
        rows={3}
        maxLength={MAX_WORDS}
        value={words}
        error={problem.words}
        onChange={(event) => setWords(event.currentTarget.value)}
      />
      {children}
      {error && <Problem text={error} />}
      <Button
        type="submit"
        size="lg"
        fullWidth
        loading={isPending}
        {...(isDestructive ? { color: 'red' } : {})}
        {...SINGLE_SUBMIT_PROPS}
      >
        {button}
      </Button>
    </form>
  );
}

/** The reason and the words, which are checked before they are sent. */
function useReasonForm({ reasons, wordsLabel, isPending, onSubmit }: ReasonFormProps) {
  const [reason, setReason] = useState('');
  const [words, setWords] = useState('');
  const [problem, setProblem] = useState<{ reason?: string; words?: string }>({});
  const needsWords = wordsLabel !== undefined || reason === OTHER;
  const choose = (value: string) => {
    setReason(value);
    setProblem({});
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isPending) return;
    const found = {
      ...(reasons.length > 0 && reason === '' ? { reason: 'Please choose a reason' } : {}),
      ...(needsWords && words.trim() === '' ? { words: 'Please say what happened' } : {}),
    };
    setProblem(found);
    if (Object.keys(found).length > 0) return;
    onSubmit({ ...(reason === '' ? {} : { reason }), ...(words.trim() === '' ? {} : { words: words.trim() }) });
  };
  return { reason, choose, words, setWords, problem, submit };
}

function Problem({ text }: { text: string }) {
  return (
    <p role="alert" className={styles.error}>
      {text}
    </p>
  );
}
