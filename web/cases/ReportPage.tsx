import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core';
import type { FormEvent } from 'react';
import { useNavigate, useParams } from 'react-router';
import { createCase } from '../../contract/cases.ts';
import { ITEM_KINDS, type ItemKind } from '../../domain/cases.ts';
import { needsPhoto, PERCENT_BY_AGE, PERCENT_OF_OLDER, percentAtAge } from '../../domain/claims.ts';
import { api } from '../api.ts';
import { useConfig } from '../config.ts';
import { serverErrorsOf, useForm, validateFields } from '../hooks/useForm.ts';
import { formatMoney } from '../ui/formatMoney.ts';
import { PageHeader } from '../ui/PageHeader.tsx';
import styles from './Cases.module.css';
import { casePath, useCaseStep } from './caseQueries.ts';
import { ITEM_TEXTS } from './caseTexts.ts';
import { PhotoSlot } from './PhotoSlot.tsx';

type Values = {
  what: string;
  kind: ItemKind;
  worth: string;
  ageMonths: string;
  asked: string;
  words: string;
  fileIds: string[];
};
const EMPTY: Values = { what: '', kind: 'stained', worth: '', ageMonths: '', asked: '', words: '', fileIds: [] };

const numberOf = (typed: string) => (typed.trim() === '' ? undefined : Number(typed.replace('$', '')));

function bodyOf({ what, kind, worth, ageMonths, asked, words, fileIds }: Values, orderId: string) {
  const item = { what, kind, worth: numberOf(worth), ageMonths: numberOf(ageMonths), asked: numberOf(asked) };
  return { kind: 'claim' as const, orderId, items: [item], words, fileIds };
}

/** The messages of the only item, under the names of the form's fields. */
const withoutPath = (errors: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(errors).map(([name, message]) => [name.replace('items.0.', ''), message]));

const check = (values: Values, orderId: string) => ({
  ...withoutPath(validateFields(createCase.body, bodyOf(values, orderId))),
  ...(needsPhoto([values]) && values.fileIds.length === 0 ? { fileIds: 'Add a photo of it' } : {}),
});

/** The form of a report, and what sends it. */
function useReport(orderId: string) {
  const navigate = useNavigate();
  const form = useForm<Values>(EMPTY, (values) => check(values, orderId));
  const step = useCaseStep(
    (body: ReturnType<typeof bodyOf>, idempotencyKey) =>
      api.createCase({ body: createCase.body.parse(body), idempotencyKey }),
    { done: 'Your report is sent', failed: 'Your report was not sent' },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (step.isPending || !form.isValid()) return;
    step.mutate(bodyOf(form.values, orderId), {
      onSuccess: ({ id }) => navigate(casePath('Bud', id), { replace: true }),
      onError: (error) => form.setErrors(withoutPath(serverErrorsOf(error))),
    });
  };
  return { form, submit, isSending: step.isPending };
}

/** Report a problem: what is wrong, a photo, what it is worth, and what would be fair. */
export function ReportPage() {
  const { orderId = '' } = useParams();
  const { form, submit, isSending } = useReport(orderId);
  return (
    <>
      <PageHeader
        title="Report a problem"
        subtitle="Within 48 hours after the delivery. Missing things within 7 days."
        back={{ to: `/bud/orders/${orderId}`, label: 'Back to the order' }}
      />
      <form
        ref={form.form}
        className={`card ${styles.page}`}
        onSubmit={submit}
        noValidate
        aria-label="Report a problem"
      >
        <div className={styles.two}>
          <TextInput label="What is it?" placeholder="Blue shirt" maxLength={100} {...form.bind('what')} />
          <NativeSelect
            label="What is wrong with it?"
            name="kind"
            value={form.values.kind}
            onChange={(event) => form.set('kind', event.currentTarget.value as ItemKind)}
            data={ITEM_KINDS.map((value) => ({ value, label: ITEM_TEXTS[value] }))}
          />
        </div>
        <PhotoSlot
          label={needsPhoto([form.values]) ? 'Photos' : 'Photos (optional)'}
          value={form.values.fileIds}
          error={form.errors.fileIds}
          onChange={(fileIds) => form.set('fileIds', fileIds)}
        />
        <ItemWorth form={form} />
        <Textarea label="What happened? (optional)" rows={3} maxLength={1000} {...form.bind('words')} />
        <Button type="submit" size="lg" loading={isSending}>
          Send report
        </Button>
      </form>
    </>
  );
}

const VALUES_BY_AGE = [
  ...PERCENT_BY_AGE.map(({ months, percent }) => `${percent} % of the price up to ${months} months`),
  `then ${PERCENT_OF_OLDER} %`,
].join(', ');

function ItemWorth({ form }: { form: ReturnType<typeof useReport>['form'] }) {
  const percent = percentAtAge(numberOf(form.values.ageMonths) ?? 0);
  const caps = useConfig()?.claimCaps;
  return (
    <>
      <p className="quiet">
        What can be given back falls with age: {VALUES_BY_AGE}.{' '}
        {caps &&
          `It is at most ${formatMoney(caps.garment)} for one thing and ${formatMoney(caps.order)} for one order. `}
        You never get back more than you paid for the order.
      </p>
      <div className={styles.two}>
        <TextInput label="Price when new (in dollars)" inputMode="decimal" {...form.bind('worth')} />
        <TextInput label="Age (in months)" inputMode="numeric" {...form.bind('ageMonths')} />
        <TextInput
          label="What would be fair (in dollars)"
          description={`Up to ${percent} % of its price`}
          inputMode="decimal"
          {...form.bind('asked')}
        />
      </div>
    </>
  );
}
