import { Button, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { type Case, createCase } from '../../contract/cases.ts';
import { type ItemKind, isOpenCase } from '../../domain/cases.ts';
import { needsPhoto } from '../../domain/claims.ts';
import { api } from '../api/client.ts';
import { useConfig } from '../api/config.ts';
import { orderQuery } from '../api/queries.ts';
import { currentTime } from '../clock.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { PageHeader } from '../ui/PageHeader.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { serverErrorsOf, useForm } from '../ui/useForm.ts';
import styles from './Cases.module.css';
import { ClaimThings } from './ClaimThings.tsx';
import { casePath, useCaseStep, useLatestCases } from './caseQueries.ts';
import { PhotoSlot } from './PhotoSlot.tsx';
import { checkReport, emptyReport, type ReportValues, reportBody, sayLabels } from './report.ts';
import { type Reportable, reportableOf, WITHIN_TEXT } from './reportTime.ts';

/** The form of a report, and what sends it. */
function useReport(orderId: string, kinds: readonly ItemKind[]) {
  const navigate = useNavigate();
  const caps = useConfig()?.claimCaps;
  const form = useForm<ReportValues>(emptyReport(kinds), (values) => checkReport(values, orderId, caps));
  const step = useCaseStep(
    (body: ReturnType<typeof reportBody>, idempotencyKey) =>
      api.createCase({ body: createCase.body.parse(body), idempotencyKey }),
    { done: 'Your report is sent', failed: 'Your report was not sent' },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (step.isPending || !form.isValid()) return;
    step.mutate(reportBody(form.values, orderId), {
      onSuccess: ({ id }) => navigate(casePath('Bud', id), { replace: true }),
      onError: (error) => form.setErrors(sayLabels(serverErrorsOf(error))),
    });
  };
  return { form, submit, isSending: step.isPending };
}

/** Report a problem: what is wrong with which things, photos, what they are worth, and what would be fair. */
export function ReportPage() {
  const { orderId = '' } = useParams();
  const order = useQuery(orderQuery(orderId));
  const [openedAt] = useState(currentTime);
  const isReported = useLatestCases().some((one) => isOpenClaim(one, orderId));
  const reportable = order.data && !isReported ? reportableOf(order.data, openedAt) : REPORTED;
  return (
    <>
      <PageHeader
        title="Report a problem"
        subtitle={WITHIN_TEXT}
        back={{ to: `/bud/orders/${orderId}`, label: 'Back to the order' }}
      />
      {order.isPending ? <Skeleton height={320} /> : <Report orderId={orderId} reportable={reportable} />}
    </>
  );
}

const isOpenClaim = ({ kind, status, orderId }: Case, reported: string) =>
  kind === 'claim' && orderId === reported && isOpenCase(status);
const REPORTED: Reportable = {
  kinds: [],
  why: 'You have already reported a problem with this order. It is not settled yet.',
};

function Report({ orderId, reportable: { kinds, why } }: { orderId: string; reportable: Reportable }) {
  const { form, submit, isSending } = useReport(orderId, kinds);
  if (kinds.length === 0 && why !== undefined) return <EmptyState isCard drawing="calendar" text={why} />;
  return (
    <form ref={form.form} className={`card ${styles.page}`} onSubmit={submit} noValidate aria-label="Report a problem">
      {why && <p>{why}</p>}
      <Textarea label="Sorry. What happened? (optional)" rows={3} maxLength={1000} {...form.bind('words')} />
      <PhotoSlot
        label={needsPhoto(form.values.items) ? 'Photos' : 'Photos (optional)'}
        value={form.values.fileIds}
        error={form.errors.fileIds}
        onChange={(fileIds) => form.set('fileIds', fileIds)}
      />
      <ClaimThings form={form} kinds={kinds} />
      <Button type="submit" size="lg" loading={isSending}>
        Send report
      </Button>
    </form>
  );
}
