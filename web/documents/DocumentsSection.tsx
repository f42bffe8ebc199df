import { Button } from '@mantine/core';
import { useState } from 'react';
import type { WorkerDocuments } from '../../contract/documents.ts';
import { useNow } from '../hooks/useNow.ts';
import { QueryError } from '../ui/ErrorState.tsx';
import items from '../ui/ItemList.module.css';
import { Icon } from '../ui/icons.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import styles from './Documents.module.css';
import { useDocuments } from './documentsQuery.ts';
import { dayText, KIND_TEXTS, noticeOf, STATE_TEXTS } from './documentTexts.ts';
import { SendDocument } from './SendDocument.tsx';

type Item = WorkerDocuments['items'][number];

/** The documents that the town asks its workers for: what is missing, what was sent back and why, and until when one counts. */
export function DocumentsSection() {
  const query = useDocuments();
  const now = useNow(true);
  const { data } = query;
  const notice = data && noticeOf(data, now);
  if (data?.isAsked === false) return null;
  return (
    <section className="card" aria-labelledby="documents">
      <h2 id="documents">Your Documents</h2>
      <p className={`quiet ${styles.line}`} role="status">
        {notice ? `${notice.title}. ${notice.text}` : 'Only you and the people who run the town see them.'}
      </p>
      {!data && query.isError && <QueryError query={query} title="Your documents did not load" level={3} />}
      {!data && !query.isError && <Skeleton height={74} />}
      {data && (
        <ul className={`${items.list} ${items.rows}`}>
          {data.items.map((item) => (
            <DocumentRow key={item.kind} item={item} maySend={data.status !== 'refused'} />
          ))}
        </ul>
      )}
    </section>
  );
}

function DocumentRow({ item, maySend }: { item: Item; maySend: boolean }) {
  const [isSending, setSending] = useState(false);
  const name = KIND_TEXTS[item.kind];
  const { latest } = item;
  const isToDo = latest === null ? item.needed : latest.state === 'asked-again' || latest.state === 'expired';
  return (
    <li className={items.item}>
      <Icon name={latest?.state === 'accepted' ? 'check' : 'camera'} />
      <div className={items.words}>
        <p className={items.label}>{name}</p>
        <p className="quiet">{stateOf(item)}</p>
        {latest?.state === 'asked-again' && <p className={styles.problem}>{latest.why}</p>}
      </div>
      {maySend && !isSending && (
        <Button
          className={styles.send ?? ''}
          variant={isToDo ? 'filled' : 'subtle'}
          aria-label={`Send ${name}`}
          onClick={() => setSending(true)}
        >
          {latest === null ? 'Send' : 'Send a new one'}
        </Button>
      )}
      {isSending && <SendDocument item={item} onClose={() => setSending(false)} />}
    </li>
  );
}

function stateOf({ latest, accepted, needed }: Item): string {
  const until = accepted?.lastDay ? `, until ${dayText(accepted.lastDay)}` : '';
  if (latest === null) return needed ? 'Missing' : 'Optional';
  if (latest.state === 'accepted' || !accepted) return `${STATE_TEXTS[latest.state]}${until}`;
  return `${STATE_TEXTS[latest.state]}. Until then, the previous one is valid${until}`;
}
