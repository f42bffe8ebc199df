import { Button, Textarea } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { ActAnswer } from '../../contract/operator/call.ts';
import { REASON_MAXIMUM } from '../../domain/operators.ts';
import { toast } from '../ui/toast.tsx';
import { type FormErrors, serverErrorsOf } from '../ui/useForm.ts';
import styles from './ActForm.module.css';
import { createActKey, isDoneBefore } from './actKey.ts';
import { ASK_FOR_APPROVAL } from './acts.ts';
import { operatorQueryClient } from './operatorQueries.ts';
import { passkeyMessageOf } from './passkeys.ts';
import { StepUpFields } from './StepUpFields.tsx';
import { type ConsentRule, useConsent } from './useConsent.ts';
import { type SecondFactor, useStepUp } from './useStepUp.ts';
import { useTownTime } from './useTownDay.ts';

export type ActFormProps = ConsentRule & {
  /** The words on the button when it does not ask for approval, and the words of the toast once the act is done. */
  readonly button: string;
  readonly done: string;
  readonly isDestructive?: boolean;
  /** The label of the reason, which every act takes; null for a change that takes none. */
  readonly reasonLabel?: string | null;
  /** Whether the fields of `children` can be sent. */
  readonly isReady?: boolean;
  /** What is wrong with the fields, by their names: shown once the button was pressed. */
  readonly problems?: FormErrors | undefined;
  /** Calls the act with the reason, and with the key that keeps it from being done twice. */
  readonly run: (reason: string, idempotencyKey: string) => Promise<Partial<ActAnswer>>;
  readonly onDone?: () => void;
  /** The fields of the act. A function gets the messages of a refused request by the name of their field. */
  readonly children?: ReactNode | ((errors: FormErrors) => ReactNode);
};

/**
 * Asks for the reason, and for the second factor when the last one is old. Says whether the act happens at once. The
 * input stays until the act is done. Then all data of the console is refetched.
 */
export function ActForm(props: ActFormProps) {
  const { button, isDestructive = false, reasonLabel = 'Why?', isReady = true, children } = props;
  const [reason, setReason] = useState('');
  const consent = useConsent(props);
  const { errors, problem, isSending, stepUp, send } = useAct({ ...props, reasonLabel }, reason);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void send('code');
  };
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      {typeof children === 'function' ? children(errors) : children}
      {reasonLabel !== null && (
        <Textarea
          label={reasonLabel}
          description="Everyone who reads the audit sees it."
          rows={2}
          maxLength={REASON_MAXIMUM}
          value={reason}
          error={errors.reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      )}
      {consent.text !== undefined && <p className="quiet">{consent.text}</p>}
      <StepUpFields stepUp={stepUp} isSending={isSending} onUsePasskey={() => void send('passkey')} />
      {problem !== undefined && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
      <Button
        type="submit"
        size="lg"
        loading={isSending}
        disabled={!isReady}
        {...(isDestructive ? { color: 'red' } : {})}
      >
        {consent.isAsked ? ASK_FOR_APPROVAL : button}
      </Button>
    </form>
  );
}

const PRESS_AGAIN = 'You can press again: it does not happen twice.';

/** Sends the act, and says what has gone wrong: `errors` by field, or `problem` for none of them. */
function useAct({ done, run, problems, reasonLabel, onDone }: ActFormProps, reason: string) {
  const stepUp = useStepUp();
  const townTime = useTownTime();
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const [sendWithKey] = useState(createActKey);
  const [hasTried, setTried] = useState(false);
  const isReasonMissing = reasonLabel !== null && reason.trim() === '';
  const missing: FormErrors = { ...problems, ...(isReasonMissing ? { reason: 'Say why' } : {}) };
  const errors: FormErrors = { ...serverErrorsOf(failure), ...(hasTried ? missing : {}) };
  const problem =
    failure !== undefined && Object.keys(errors).length === 0
      ? passkeyMessageOf(
          failure,
          `The server did not answer. ${reasonLabel === null ? 'Please try again.' : PRESS_AGAIN}`,
        )
      : undefined;

  const send = async (by: SecondFactor) => {
    if (isSending) return;
    setTried(true);
    if (Object.keys(missing).length > 0) return;
    setSending(true);
    setFailure(undefined);
    try {
      await stepUp.confirm(by);
      const answer = await sendWithKey((key) => run(reason, key));
      if (answer.ripensAt)
        toast.info(`This happens ${townTime(answer.ripensAt)}`, {
          description: 'A second operator can approve it before. You find it under Approvals.',
        });
      else if (answer.approvalId)
        toast.info('This waits for another operator', { description: 'You find it under Approvals.' });
      else toast.success(done);
      void operatorQueryClient.invalidateQueries();
      onDone?.();
    } catch (error) {
      if (!stepUp.isNeededBy(error)) setFailure(error);
      // What was done before shows behind the form.
      if (isDoneBefore(error)) void operatorQueryClient.invalidateQueries();
      setSending(false);
    }
  };
  return { errors, problem, isSending, stepUp, send };
}
