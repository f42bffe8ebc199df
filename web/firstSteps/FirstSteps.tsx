import { ActionIcon } from '@mantine/core';
import { useId, useRef } from 'react';
import { Link } from 'react-router';
import { useFocusMainOnUnmount } from '../hooks/focusMain.ts';
import { useUser } from '../session/session.ts';
import { useStored, writeStored } from '../storage/stores.ts';
import { Icon } from '../ui/icons.tsx';
import { useNotificationsAnswer } from './deviceAnswers.ts';
import styles from './FirstSteps.module.css';
import {
  FIRST_STEP_TEXTS,
  type FirstStep,
  type FirstStepName,
  findFirstSteps,
  hasHistory,
  type NewcomerFacts,
} from './firstSteps.ts';

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** What the dashboard knows; the rest is read here. */
export type DashboardFacts = DistributiveOmit<NewcomerFacts, 'addresses' | 'notifications'>;

/** A step that is taken right here. */
type StepActions = Partial<Record<FirstStepName, () => void>>;

// Per user, because others may sign in on this device.
const hiddenKeyOf = (userId: string) => `rubadub-first-steps-${userId}`;
const HIDDEN = 'hidden';

/** The first steps that a new user has not done. The cross hides them on this device for good. */
export function FirstSteps({ facts, actions = {} }: { facts: DashboardFacts; actions?: StepActions }) {
  const { id, addresses } = useUser();
  const isHidden = useStored(hiddenKeyOf(id)) === HIDDEN;
  const known = { ...facts, addresses: addresses.length };
  const isAsked = !isHidden && !hasHistory({ ...known, notifications: 'notYet' });
  const notifications = useNotificationsAnswer(isAsked);
  // Renders nothing until everything is known, so that the card neither flashes nor grows.
  const steps = isAsked && notifications ? findFirstSteps({ ...known, notifications }) : [];
  if (steps.length === 0) return null;
  const hide = () => writeStored(hiddenKeyOf(id), HIDDEN);
  return <FirstStepsCard role={facts.role} steps={steps} actions={actions} onHide={hide} />;
}

type CardProps = {
  role: NewcomerFacts['role'];
  steps: readonly FirstStep[];
  actions: StepActions;
  onHide: () => void;
};

function FirstStepsCard({ role, steps, actions, onHide }: CardProps) {
  const title = useId();
  const card = useRef<HTMLElement>(null);
  useFocusMainOnUnmount(card);
  const done = steps.filter(({ isDone }) => isDone).length;
  return (
    <section ref={card} className={`card ${styles.card}`} aria-labelledby={title}>
      <div className={styles.head}>
        <h2 id={title}>First steps</h2>
        <p className="quiet">
          {done} of {steps.length} done
        </p>
        <ActionIcon className={styles.hide ?? ''} aria-label="Hide the first steps" onClick={onHide}>
          <Icon name="cross" />
        </ActionIcon>
      </div>
      <div className={styles.bar} aria-hidden="true">
        <span style={{ width: `${(100 * done) / steps.length}%` }} />
      </div>
      <ol className={styles.steps}>
        {steps.map((step) => (
          <Step key={step.name} step={step} role={role} act={actions[step.name]} />
        ))}
      </ol>
    </section>
  );
}

function Step({
  step: { name, isDone },
  role,
  act,
}: {
  step: FirstStep;
  role: NewcomerFacts['role'];
  act: (() => void) | undefined;
}) {
  const text = FIRST_STEP_TEXTS[role][name];
  if (!text) return null;
  return (
    <li className={styles.step} data-done={isDone || undefined}>
      <svg className={styles.mark} width="24" height="24" viewBox="0 0 24 24" aria-hidden="true">
        <circle cx="12" cy="12" r="10.5" />
        <path d="M7.5 12.5 10.7 15.7 16.7 9" pathLength="1" />
      </svg>
      <div className={styles.words}>
        <StepLabel label={text.label} to={isDone ? undefined : text.to} act={isDone ? undefined : act} />
        {isDone ? <span className="sr-only">(done)</span> : <p className="quiet">{text.hint}</p>}
      </div>
    </li>
  );
}

function StepLabel({ label, to, act }: { label: string; to: string | undefined; act: (() => void) | undefined }) {
  if (act) return <StepButton label={label} act={act} />;
  if (to !== undefined)
    return (
      <Link className={styles.link} to={to}>
        {label}
      </Link>
    );
  return <span className={styles.label}>{label}</span>;
}

function StepButton({ label, act }: { label: string; act: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useFocusMainOnUnmount(button);
  return (
    <button ref={button} type="button" className={styles.link} onClick={act}>
      {label}
    </button>
  );
}
