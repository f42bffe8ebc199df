import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Order } from '../../../contract/orders.ts';
import type { Proposal } from '../../../contract/proposals.ts';
import { REASON_TEXTS } from '../../../texts/reasons.ts';
import { UNTIL_ANSWERED } from '../../../texts/windows.ts';
import { firstNameOf } from '../../ui/format.ts';
import cards from '../Card.module.css';
import styles from './ProposalCard.module.css';
import { useOrderException } from './useOrderException.ts';
import { type Span, spanText } from './windows.ts';

type Proposed = Pick<Proposal, 'by' | 'reason' | 'words' | 'pickup' | 'return'>;

/** What is asked, by whom and why: the old times beside the new ones. */
export function ProposedTimes({
  proposal: { by, reason, words, pickup, return: back },
  agreed,
  timeZone,
}: {
  proposal: Proposed;
  agreed: { readonly pickup: Span; readonly return: Span };
  timeZone: string;
}) {
  const why =
    by === 'Scrub' && reason !== 'other' ? (REASON_TEXTS as Readonly<Record<string, string>>)[reason] : undefined;
  return (
    <>
      {(why || words) && <p className={styles.why}>“{[why, words].filter(Boolean).join('. ')}”</p>}
      <dl className={styles.times}>
        {pickup && <Change name="Pickup" from={agreed.pickup} to={pickup} timeZone={timeZone} />}
        <Change name="Back" from={agreed.return} to={back} timeZone={timeZone} />
      </dl>
      <p>The price stays. {UNTIL_ANSWERED[by]}</p>
    </>
  );
}

function Change({ name, from, to, timeZone }: { name: string; from: Span; to: Span; timeZone: string }) {
  const isSame = from.from === to.from;
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {!isSame && (
          <>
            <s>{spanText(from, timeZone)}</s>{' '}
          </>
        )}
        <strong>{spanText(to, timeZone)}</strong>
        {isSame && ' as agreed'}
      </dd>
    </div>
  );
}

/** The two answers to a proposal. Without the new time, what the Scrub asked leaves the agreed one; the town cannot keep it. */
export function ProposalButtons({
  proposal,
  isPending,
  onAnswer,
}: {
  proposal: Pick<Proposal, 'by'>;
  isPending: boolean;
  onAnswer: (answer: 'yes' | 'no') => void;
}) {
  return (
    <>
      <Button loading={isPending} onClick={() => onAnswer('yes')}>
        Accept the New Time
      </Button>
      <Button variant="default" disabled={isPending} onClick={() => onAnswer('no')}>
        {proposal.by === 'Operator' ? 'It Does Not Suit Me' : 'Keep the Agreed Time'}
      </Button>
    </>
  );
}

/** Somebody proposes another time: its Bud answers with one press. */
export function ProposalCard({ order }: { order: Order }) {
  const step = useOrderException(order.id);
  const { proposal, times } = order;
  if (!proposal || !times) return null;
  const { id: proposalId, by } = proposal;
  const answer = (said: 'yes' | 'no') =>
    step.mutate({ action: said === 'yes' ? 'accept-window' : 'refuse-window', proposalId, toTown: by === 'Operator' });
  return (
    <Card
      title={
        by === 'Operator'
          ? 'The town proposes another time'
          : `${firstNameOf(order.scrub.fullname)} proposes another time`
      }
    >
      <ProposedTimes proposal={proposal} agreed={times} timeZone={proposal.timeZone} />
      <div className={styles.buttons}>
        <ProposalButtons proposal={proposal} isPending={step.isPending} onAnswer={answer} />
      </div>
    </Card>
  );
}

/** For the Scrub: their proposal waits for an answer. */
export function ProposalWaits({ order: { proposal, bud } }: { order: Order }) {
  if (!proposal) return null;
  const { by, pickup, return: back, timeZone } = proposal;
  return (
    <p className={styles.waits}>
      {by === 'Operator' ? 'Nobody comes at the agreed time, so the town has' : 'You have'} asked{' '}
      {firstNameOf(bud.fullname)} for another time: {pickup && `pickup ${spanText(pickup, timeZone)}, `}back{' '}
      {spanText(back, timeZone)}.{' '}
      {by === 'Operator' ? 'You do not have to do anything.' : 'Until they answer, the agreed time stays.'}
    </p>
  );
}

function Card({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={cards.asks} aria-label="Another time">
      <h2>{title}</h2>
      {children}
    </section>
  );
}
