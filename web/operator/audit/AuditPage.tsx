import { Button, TextInput } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import type { AuditRow } from '../../../contract/operator/audit.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { QueryError } from '../../ui/ErrorState.tsx';
import { formatDate, formatMoney } from '../../ui/format.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { labelOfAct } from '../actLabels.ts';
import { Details } from '../Details.tsx';
import { operatorApi } from '../operatorApi.ts';
import { SubjectLink } from '../SubjectLink.tsx';
import styles from './AuditPage.module.css';

/** Who did what, newest first. */
export function AuditPage() {
  const [words, setWords] = useState('');
  const q = useDeferredValue(words.trim());
  const audit = useInfiniteQuery({
    queryKey: ['audit', q],
    queryFn: ({ pageParam }) =>
      operatorApi.listAudit({ query: { ...(q ? { q } : {}), ...(pageParam ? { before: String(pageParam) } : {}) } }),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next ?? undefined,
  });
  const rows = audit.data?.pages.flatMap(({ items }) => items);
  return (
    <>
      <PageHeader title="Audit" subtitle={<Chain />} />
      <TextInput
        className={styles.search}
        label="Find"
        placeholder="A reason, an operator, an act"
        value={words}
        maxLength={100}
        onChange={(event) => setWords(event.currentTarget.value)}
      />
      {audit.isPending && <Skeleton height={160} />}
      {audit.isError && !rows && <QueryError query={audit} title="The audit did not load" />}
      {rows?.length === 0 && <EmptyState text="Nobody has done this" drawing="search" />}
      {rows && rows.length > 0 && <AuditRows rows={rows} />}
      {audit.hasNextPage && (
        <Button variant="default" loading={audit.isFetchingNextPage} onClick={() => void audit.fetchNextPage()}>
          Show Older
        </Button>
      )}
    </>
  );
}

/** Rows of the audit: on the page of everything, and on those of an order and a person. */
export function AuditRows({ rows }: { rows: readonly AuditRow[] }) {
  return (
    <ol className={styles.rows} aria-label="Audit">
      {rows.map((row) => (
        <li key={row.id} className={styles.row}>
          <p className={styles.what}>
            <strong>{titleOf(row)}</strong>
            {row.amount !== null && ` · ${formatMoney(row.amount)}`}
          </p>
          <SubjectLink {...row.subject} orderNumber={row.orderNumber} />
          <p>
            {row.by.name}
            {row.approvedBy && ` and ${row.approvedBy.name}`}: “{row.reason}”
          </p>
          <Details details={withoutAct(row.details)} />
          <p className={styles.when}>
            {row.id} · {formatDate(row.at)}
          </p>
        </li>
      ))}
    </ol>
  );
}

/** A decision about what waits also says what it was about. */
function titleOf({ action, details: { act } }: AuditRow): string {
  return typeof act === 'string' ? `${labelOfAct(action)}: ${labelOfAct(act)}` : labelOfAct(action);
}

const withoutAct = ({ act: _act, ...details }: AuditRow['details']) => details;

function Chain() {
  const chain = useQuery({
    queryKey: ['audit-chain'],
    queryFn: () => operatorApi.verifyAudit(),
    staleTime: 60_000,
  }).data;
  if (!chain) return 'Checking that no row was changed…';
  if (chain.brokenAt !== null)
    return <span className={styles.broken}>Row {chain.brokenAt} was changed or removed. Look at a backup.</span>;
  if (chain.lastAt === null) return 'There is no row yet';
  return `${chain.rows} rows, none changed or removed up to ${formatDate(chain.lastAt)}`;
}
