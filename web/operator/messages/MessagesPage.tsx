import { useQuery } from '@tanstack/react-query';
import type { Broadcast } from '../../../contract/operator/messages.ts';
import type { Audience } from '../../../domain/broadcasts.ts';
import { Badge } from '../../ui/Badge.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { SectionHeader } from '../../ui/SectionHeader.tsx';
import { ActFormButton } from '../ActFormButton.tsx';
import { List, PagedList, useFilter } from '../ListPage.tsx';
import cards from '../listCards.module.css';
import { peopleText } from '../messageTexts.ts';
import { operatorApi } from '../operatorApi.ts';
import { useTownTime } from '../useTownDay.ts';
import styles from './MessagesPage.module.css';
import { WriteButton } from './WriteButton.tsx';

const TO_TEXTS: Readonly<Record<Audience, string>> = {
  Bud: 'all Buds',
  Scrub: 'all Scrubs',
  Duber: 'all Dubers',
  everyone: 'everyone',
};
const POLL_MS = 10_000;
const WRITING_POLL_MS = 1_000;

/** What operators wrote to many, and what could not be sent. */
export function MessagesPage() {
  return (
    <>
      <PageHeader
        title="Announcements"
        subtitle="To everybody in the town, or to one role: by email and push, as people chose"
      >
        <WriteButton />
      </PageHeader>
      <div className={styles.sections}>
        <Broadcasts />
        <GivenUp />
      </div>
    </>
  );
}

function Broadcasts() {
  const filter = useFilter();
  const broadcasts = useQuery({
    queryKey: ['broadcasts', filter.page],
    queryFn: () => operatorApi.listBroadcasts({ query: { page: String(filter.page) } }),
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ writtenAt }) => writtenAt === null) ? WRITING_POLL_MS : POLL_MS,
  });
  return (
    <section aria-label="Announcements">
      <PagedList filter={filter} what="announcements" query={broadcasts} empty="No announcements yet" drawing="phone">
        {(rows) => (
          <ul className={cards.list}>
            {rows.map((one) => (
              <BroadcastCard key={one.id} broadcast={one} />
            ))}
          </ul>
        )}
      </PagedList>
    </section>
  );
}

function BroadcastCard({ broadcast }: { broadcast: Broadcast }) {
  const townTime = useTownTime();
  const { to, title, words, isUrgent, sentBy, at, people, written, writtenAt } = broadcast;
  return (
    <li className={cards.card}>
      <div className={cards.top}>
        <h2>{title}</h2>
        {isUrgent && <Badge color="sun">Urgent</Badge>}
      </div>
      <p className={styles.words}>{words}</p>
      <p className="quiet">
        {sentBy} to {TO_TEXTS[to]} ({peopleText(people)}), {townTime(at)}
        {writtenAt === null && `. On its way: ${written} of ${people}`}
      </p>
    </li>
  );
}

function GivenUp() {
  const messages = useQuery({
    queryKey: ['given-up'],
    queryFn: () => operatorApi.listGivenUpMessages(),
    refetchInterval: 60_000,
  });
  const items = messages.data?.items;
  return (
    <section className={cards.card}>
      <SectionHeader title="Not sent">
        {(items?.filter(({ canResend }) => canResend).length ?? 0) > 1 && (
          <ResendButton label="Send all again…" title="Send all of them again" />
        )}
      </SectionHeader>
      <List isInCard what="messages" query={messages} rows={items} empty="Every message was sent.">
        {(rows) => (
          <ul className={styles.given}>
            {rows.map((message) => (
              <UnsentMessage key={message.id} message={message} />
            ))}
          </ul>
        )}
      </List>
    </section>
  );
}

type Unsent = Awaited<ReturnType<typeof operatorApi.listGivenUpMessages>>['items'][number];

function UnsentMessage({ message: { id, kind, channel, email, why, at, nextTryAt, canResend } }: { message: Unsent }) {
  const townTime = useTownTime();
  return (
    <li>
      <strong>{email}</strong>
      <span>{why}</span>
      <span className="quiet">
        {`${kind}, ${channel}, ${townTime(at)}. `}
        {nextTryAt ? `Tried again ${townTime(nextTryAt)}.` : 'Given up.'}
      </span>
      {canResend && <ResendButton id={id} label="Send again…" title="Send it again" />}
    </li>
  );
}

function ResendButton({ id, label, title }: { id?: string; label: string; title: string }) {
  return <ActFormButton act="resendMessages" {...{ label, title }} body={id === undefined ? {} : { ids: [id] }} />;
}
