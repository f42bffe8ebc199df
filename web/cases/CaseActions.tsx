import { Button, Textarea } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { type CaseDetails, caseSteps } from '../../contract/cases.ts';
import type { Role } from '../../domain/accounts.ts';
import { OFFERS, type Offer } from '../../domain/cases.ts';
import { api } from '../api/client.ts';
import { getSinglePressProps, SINGLE_SUBMIT_PROPS } from '../hooks/singlePress.ts';
import { RadioGroup } from '../ui/Choice.tsx';
import { formatMoney } from '../ui/formatMoney.ts';
import { NumberField } from '../ui/NumberField.tsx';
import { readNumber } from '../ui/typedNumber.ts';
import { serverErrorsOf, useForm, validateFields } from '../ui/useForm.ts';
import styles from './Cases.module.css';
import { useCaseStep } from './caseQueries.ts';
import { OFFER_TEXTS, offerText } from './caseTexts.ts';
import { PhotoSlot } from './PhotoSlot.tsx';

const OFFER_LINES: Readonly<Record<Offer, string>> = {
  'clean-again': 'The laundry comes back to you, and you clean it again at your cost.',
  'give-back': 'The money goes back to the Bud’s card. It comes off what you earn.',
  'was-before': 'You give nothing back. The Bud can ask us to decide.',
};

type AnswerValues = { offer: Offer; amount: string; words: string; fileIds: string[] };

const bodyOf = ({ offer, amount, words, fileIds }: AnswerValues) => ({
  ...{ offer, words, fileIds },
  ...(offer === 'give-back' ? { amount: readNumber(amount, 'dollars') } : {}),
});

/** The form of an answer, and what sends it. */
function useAnswer(found: CaseDetails) {
  const { id } = found;
  const [offer = 'was-before'] = offersOf(found).filter((one) => one !== 'clean-again');
  const form = useForm<AnswerValues>({ offer, amount: '', words: '', fileIds: [] }, (values) =>
    validateFields(caseSteps.answer.body, bodyOf(values)),
  );
  const step = useCaseStep(
    (body: ReturnType<typeof bodyOf>, idempotencyKey) => {
      const { amount, ...rest } = body;
      const sent = amount === undefined ? rest : { ...rest, amount };
      return api.answer({ params: { id }, body: sent, idempotencyKey });
    },
    { done: 'Your answer is sent', failed: 'Your answer was not sent' },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (step.isPending || !form.isValid()) return;
    step.mutate(bodyOf(form.values), { onError: (error) => form.setErrors(serverErrorsOf(error)) });
  };
  return { form, submit, isSending: step.isPending };
}

/** Whether the one who answers has not earned what they offer. An amount that is not typed yet is not too much. */
const isAboveEarned = ({ offer, amount }: AnswerValues, { covered, cleanAgainCosts }: CaseDetails): boolean =>
  offer === 'clean-again'
    ? cleanAgainCosts > covered
    : offer === 'give-back' && (readNumber(amount, 'dollars') ?? 0) > covered;

/** What can be offered. Nothing can go back to a card that has everything back. */
const offersOf = ({ aboutRole, mostToGive }: CaseDetails) =>
  OFFERS.filter(
    (offer) => (offer !== 'clean-again' || aboutRole === 'Scrub') && (offer !== 'give-back' || mostToGive > 0),
  );

/** The claim card of a Scrub or a Duber: one of three answers. */
export function AnswerCard({ found }: { found: CaseDetails }) {
  const { form, submit, isSending } = useAnswer(found);
  const most = Math.min(found.asked, found.mostToGive);
  return (
    <section className="card" aria-label="Your answer">
      <h2 className={styles.title}>Your answer</h2>
      <form ref={form.form} className={styles.form} onSubmit={submit} noValidate>
        <RadioGroup
          legend="What do you offer?"
          options={offersOf(found).map((value) => ({ value, name: OFFER_TEXTS[value], more: OFFER_LINES[value] }))}
          value={form.values.offer}
          onChange={(offer) => form.set('offer', offer)}
        />
        {form.values.offer === 'give-back' && (
          <NumberField
            kind="dollars"
            label="How much (in dollars)"
            description={`${formatMoney(found.asked)} is what the Bud asks for. At most ${formatMoney(most)}.`}
            {...form.bind('amount')}
          />
        )}
        {isAboveEarned(form.values, found) && (
          <p>
            You have {formatMoney(found.covered)} that you earned and were not paid yet
            {form.values.offer === 'clean-again' && `, and the deliveries cost ${formatMoney(found.cleanAgainCosts)}`}.
            We decide about an offer that costs more.
          </p>
        )}
        <Textarea label="What happened?" rows={3} maxLength={1000} {...form.bind('words')} />
        <PhotoSlot
          label="Photos (optional)"
          value={form.values.fileIds}
          error={form.errors.fileIds}
          onChange={(fileIds) => form.set('fileIds', fileIds)}
        />
        <Button type="submit" size="lg" loading={isSending} {...SINGLE_SUBMIT_PROPS}>
          Send answer
        </Button>
      </form>
    </section>
  );
}

const ACCEPT = {
  title: 'The offer',
  button: 'Accept',
  variant: 'filled',
  done: 'Accepted',
  failed: 'Offer not accepted',
};
/** An answer that offers nothing: neither choice stands out. */
const AGREE = {
  title: 'The answer',
  button: 'Agree',
  variant: 'default',
  done: 'Agreed',
  failed: 'Nothing has changed',
};

/** What was offered. The Bud accepts it, or asks the town. */
export function OfferCard({ found, role }: { found: CaseDetails; role: Role }) {
  const [isRefusing, setRefusing] = useState(false);
  const { title, button, variant, ...texts } = found.offer?.kind === 'was-before' ? AGREE : ACCEPT;
  const accept = useCaseStep(
    (_: undefined, idempotencyKey) => api['accept-offer']({ params: { id: found.id }, body: {}, idempotencyKey }),
    texts,
  );
  return (
    <section className="card" aria-label={title}>
      <h2 className={styles.title}>{title}</h2>
      <p className={styles.offer}>{offerText(found, role)}</p>
      {found.actions.includes('accept-offer') && !isRefusing && (
        <div className={styles.buttons}>
          <Button variant={variant} loading={accept.isPending} {...getSinglePressProps(() => accept.mutate(undefined))}>
            {button}
          </Button>
          <Button variant="default" onClick={() => setRefusing(true)}>
            No, let the town decide
          </Button>
        </div>
      )}
      {isRefusing && (
        <WordsForm
          label="What should we decide, and why?"
          body={caseSteps['refuse-offer'].body}
          button="Ask the town"
          texts={{ done: 'We look at it and decide', failed: 'Nothing has changed' }}
          send={(body, idempotencyKey) => api['refuse-offer']({ params: { id: found.id }, body, idempotencyKey })}
        >
          <Button variant="default" onClick={() => setRefusing(false)}>
            Back
          </Button>
        </WordsForm>
      )}
    </section>
  );
}

const OBJECTIONS = {
  contest: {
    name: 'Contest the decision',
    text: 'You can contest the decision once, within 7 days. We look at it again.',
    label: 'What is wrong with the decision?',
    button: 'Contest',
    done: 'We look at it again',
  },
  deny: {
    name: 'It was not so',
    text: 'Were you there, or did nobody come? You can answer once. The Duber is paid only after we have looked at it.',
    label: 'What happened?',
    button: 'Send',
    done: 'We look at it',
  },
} as const;

/** Somebody says that a decision, or what a Duber says, is not right. */
export function ObjectionCard({ found, action }: { found: CaseDetails; action: keyof typeof OBJECTIONS }) {
  const [isOpen, setOpen] = useState(false);
  const { name, text, label, button, done } = OBJECTIONS[action];
  return (
    <section className="card" aria-label={name}>
      <h2 className={styles.title}>Not right?</h2>
      <p className={styles.now}>{text}</p>
      {isOpen ? (
        <WordsForm
          label={label}
          body={caseSteps[action].body}
          button={button}
          texts={{ done, failed: 'Nothing has changed' }}
          send={(body, idempotencyKey) => api[action]({ params: { id: found.id }, body, idempotencyKey })}
        />
      ) : (
        <Button variant="default" onClick={() => setOpen(true)}>
          {name}
        </Button>
      )}
    </section>
  );
}

type WordsFormProps = {
  readonly label: string;
  /** What the call checks. */
  readonly body: (typeof caseSteps)['refuse-offer' | 'contest' | 'deny']['body'];
  readonly button: string;
  readonly texts: { readonly done: string; readonly failed: string };
  readonly send: (body: { words: string }, idempotencyKey: string) => Promise<CaseDetails>;
  readonly children?: ReactNode;
};

function WordsForm({ label, body, button, texts, send, children }: WordsFormProps) {
  const form = useForm({ words: '' }, (values) => validateFields(body, values));
  const step = useCaseStep(send, texts);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!step.isPending && form.isValid()) step.mutate(form.values);
  };
  return (
    <form ref={form.form} className={styles.form} onSubmit={submit} noValidate aria-label={label}>
      <Textarea label={label} rows={3} maxLength={1000} {...form.bind('words')} />
      <div className={styles.buttons}>
        <Button type="submit" loading={step.isPending} {...SINGLE_SUBMIT_PROPS}>
          {button}
        </Button>
        {children}
      </div>
    </form>
  );
}
