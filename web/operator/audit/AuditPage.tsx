import { Button, TextInput } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AuditRow } from '../../../contract/operator/audit.ts';
import { formatMoney } from '../../ui/format.ts';
import { labelOfAct } from '../acts.ts';
import { Details } from '../Details.tsx';
import { ListPage } from '../ListPage.tsx';
import cards from '../listCards.module.css';
import { operatorApi } from '../operatorApi.ts';
import { OlderButton } from '../PageButtons.tsx';
import { SubjectLink } from '../SubjectLink.tsx';
import { TownTime } from '../TownTime.tsx';
import { useDebounced } from '../useDebounced.ts';
import styles from './AuditPage.module.css';

/** The audit, newest first. */
export function AuditPage() {
  const [words, setWords] = useState('');
  const q = useDebounced(words.trim());
  const audit = useInfiniteQuery({
    queryKey: ['audit', q],
    queryFn: ({ pageParam }) =>
      operatorApi.listAudit({ query: { ...(q ? { q } : {}), ...(pageParam ? { before: String(pageParam) } : {}) } }),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next ?? undefined,
  });
  return (
    <ListPage
      title="Audit"
      subtitle="Who did what, and why. Nobody can change it."
      actions={<Chain />}
      filter={
        <TextInput
          className={styles.search}
          label="Find"
          placeholder="A reason, an operator, an act"
          value={words}
          maxLength={100}
          onChange={(event) => setWords(event.currentTarget.value)}
        />
      }
      what="audit"
      query={audit}
      rows={audit.data?.pages.flatMap(({ items }) => items)}
      empty="No entries yet"
      drawing="clipboard"
      more={<OlderButton query={audit} />}
    >
      {(rows) => <AuditRows rows={rows} />}
    </ListPage>
  );
}

/** Rows of the audit: on the page of everything, and on those of an order and a person. */
export function AuditRows({ rows }: { rows: readonly AuditRow[] }) {
  return (
    <ol className={cards.rows} aria-label="Audit">
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
          <Details change={changeOf(row)} />
          <p className={styles.when}>
            {row.id} · <TownTime at={row.at} />
          </p>
        </li>
      ))}
    </ol>
  );
}

/** A decision about an approval also shows its subject. */
function titleOf({ action, details: { act } }: AuditRow): string {
  return typeof act === 'string' ? `${labelOfAct(action)}: ${labelOfAct(act)}` : labelOfAct(action);
}

/** A decision about an approval is about the act that waited. */
function changeOf({ action, subject, details: { act, ...details } }: AuditRow) {
  return { action, act: typeof act === 'string' ? act : undefined, subjectId: subject.id, details };
}

/** It reads every row, so it runs only on request. */
function Chain() {
  const chain = useQuery({ queryKey: ['audit-chain'], queryFn: () => operatorApi.verifyAudit(), enabled: false });
  const { data } = chain;
  return (
    <>
      <Button variant="default" loading={chain.isFetching} onClick={() => void chain.refetch()}>
        Check Every Row
      </Button>
      {chain.isError && <p role="alert">The check did not work. Please try again.</p>}
      {data && <ChainResult {...data} />}
    </>
  );
}

function ChainResult({ rows, lastAt, brokenAt }: Awaited<ReturnType<typeof operatorApi.verifyAudit>>) {
  if (brokenAt !== null)
    return (
      <p role="alert" className={styles.broken}>
        Row {brokenAt} was changed or removed. Look at a backup.
      </p>
    );
  return <p role="status">{lastAt === null ? 'There is no row yet' : `${rows} rows, none changed or removed`}</p>;
}
