import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Order } from '../../../contract/orders.ts';
import type { Proposal } from '../../../contract/proposals.ts';
import { REASON_TEXTS } from '../../../texts/reasons.ts';
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
      <p>The price stays. Until you answer, the agreed time stays, too.</p>
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

/** Somebody proposes another time: its Bud answers with one press. */
export function ProposalCard({ order }: { order: Order }) {
  const step = useOrderException(order.id);
  const { proposal, times } = order;
  if (!proposal || !times) return null;
  const answer = (action: 'accept-window' | 'refuse-window') => step.mutate({ action, proposalId: proposal.id });
  return (
    <Card
      title={
        proposal.by === 'Operator'
          ? 'The town proposes another time'
          : `${firstNameOf(order.scrub.fullname)} proposes another time`
      }
    >
      <ProposedTimes proposal={proposal} agreed={times} timeZone={proposal.timeZone} />
      <div className={styles.buttons}>
        <Button loading={step.isPending} onClick={() => answer('accept-window')}>
          Accept the New Time
        </Button>
        <Button variant="default" disabled={step.isPending} onClick={() => answer('refuse-window')}>
          Keep the Agreed Time
        </Button>
      </div>
    </Card>
  );
}

/** For the Scrub: their proposal waits for an answer. */
export function ProposalWaits({ order: { proposal, bud } }: { order: Order }) {
  if (!proposal) return null;
  const who = proposal.by === 'Operator' ? 'The town has' : 'You have';
  const { pickup, return: back, timeZone } = proposal;
  return (
    <p className={styles.waits}>
      {who} asked {firstNameOf(bud.fullname)} for another time: {pickup && `pickup ${spanText(pickup, timeZone)}, `}back{' '}
      {spanText(back, timeZone)}. Until they answer, the agreed time stays.
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
