import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Approval } from '../../../contract/operator/approvals.ts';
import { Badge } from '../../ui/Badge.tsx';
import { formatMoney } from '../../ui/format.ts';
import { ActDialog } from '../ActDialog.tsx';
import { labelOfAct } from '../acts.ts';
import { isCorners } from '../cornerTexts.ts';
import { Details } from '../Details.tsx';
import { PagedListPage, useFilter } from '../ListPage.tsx';
import cards from '../listCards.module.css';
import { operatorApi } from '../operatorApi.ts';
import { useOperator } from '../operatorSession.ts';
import { SubjectLink } from '../SubjectLink.tsx';
import { useTownAlone } from '../useConsent.ts';
import { useTownTime } from '../useTownDay.ts';
import { LazyZoneMap } from '../zones/LazyZoneMap.tsx';

const STATE_WORDS: Record<Approval['state'], string> = {
  waiting: 'Waits',
  approved: 'Done',
  declined: 'Declined',
  withdrawn: 'Withdrawn',
  expired: 'Expired',
};

const STATE_COLORS: Record<Approval['state'], 'pending' | 'completed' | 'cancelled' | 'other'> = {
  waiting: 'pending',
  approved: 'completed',
  declined: 'cancelled',
  withdrawn: 'other',
  expired: 'other',
};

const STATES = [
  { value: 'waiting', label: 'Waiting' },
  { value: 'all', label: 'All' },
] as const;

/** Requests that wait for approval, and earlier ones. */
export function ApprovalsPage() {
  const filter = useFilter(STATES);
  const { runsAlone } = useTownAlone();
  const { value: state, page } = filter;
  const approvals = useQuery({
    queryKey: ['approvals', state, page],
    queryFn: () => operatorApi.listApprovals({ query: { state, page: String(page) } }),
    refetchInterval: 5_000,
    // Today leads here as soon as something waits.
    staleTime: 0,
  });
  return (
    <PagedListPage
      title="Approvals"
      subtitle={
        runsAlone
          ? 'What waits for a day, or for a second operator'
          : 'What one operator has asked for, and another one decides'
      }
      filter={filter}
      what="approvals"
      query={approvals}
      empty="Nothing waits for a decision"
      drawing="clipboard"
    >
      {(rows) => (
        <ul className={cards.list}>
          {rows.map((approval) => (
            <ApprovalCard key={approval.id} approval={approval} />
          ))}
        </ul>
      )}
    </PagedListPage>
  );
}

function ApprovalCard({ approval }: { approval: Approval }) {
  const { id } = useOperator();
  const [decision, setDecision] = useState<Decision>();
  const { action, subject, askedBy, askedAt, reason, state, details, canDecide } = approval;
  const isOwn = askedBy.id === id;
  const townTime = useTownTime();
  const before = usePriceNow(approval);
  const shown = before === undefined ? details : { ...details, before };
  return (
    <li className={cards.card}>
      <div className={cards.top}>
        <h2>{titleOf(approval)}</h2>
        <Badge color={STATE_COLORS[state]}>{STATE_WORDS[state]}</Badge>
      </div>
      <SubjectLink {...approval.subject} orderNumber={approval.orderNumber} />
      <p>
        <strong>{isOwn ? 'You' : askedBy.name}</strong>, {townTime(askedAt)}: “{reason}”
      </p>
      <Details change={{ action, subjectId: subject.id, details: shown }} />
      {isCorners(details.corners) && <LazyZoneMap others={[]} corners={details.corners} near={[]} />}
      <StateTexts approval={approval} />
      {state === 'waiting' && !canDecide && !isOwn && (
        <p className="quiet">You do not have the right to decide this.</p>
      )}
      {state === 'waiting' && (canDecide || isOwn) && (
        <DecisionButtons canWithdraw={isOwn} canDecide={canDecide} onChoose={setDecision} />
      )}
      {decision && <DecisionDialog approval={approval} decision={decision} onClose={() => setDecision(undefined)} />}
    </li>
  );
}

/** The price of now, which a request that waits would change. */
function usePriceNow({ action, subject, state }: Approval): number | undefined {
  const prices = useQuery({
    queryKey: ['prices'],
    queryFn: () => operatorApi.listPrices(),
    enabled: state === 'waiting' && action === 'setPrice',
  });
  return prices.data?.items.find(({ item }) => item === subject.id)?.value;
}

const titleOf = ({ action, amount }: Approval) =>
  labelOfAct(action) + (amount === null ? '' : ` · ${formatMoney(amount)}`);

/** Who has decided, or what happens when nobody does. */
function StateTexts({ approval: { state, decidedBy, decidedAt, words, goesOnAt, ripens } }: { approval: Approval }) {
  const townTime = useTownTime();
  return (
    <>
      {decidedAt !== null && (
        <p className="quiet">
          {STATE_WORDS[state]} by {decidedBy?.name ?? 'the town'}, {townTime(decidedAt)}
          {words !== null && `: “${words}”`}
        </p>
      )}
      {state === 'waiting' && goesOnAt !== null && (
        <p className="quiet">
          {ripens ? 'Happens by itself' : 'Expires'} {townTime(goesOnAt)}
          {ripens && '; a second operator can approve it before'}
        </p>
      )}
    </>
  );
}

type Decision = 'approve' | 'decline' | 'withdraw';

const DECISIONS: Record<Decision, { title: string; button: string; done: string; isDestructive: boolean }> = {
  approve: {
    title: 'Approve this?',
    button: 'Approve',
    done: 'Done, in the name of both of you',
    isDestructive: false,
  },
  decline: { title: 'Decline this?', button: 'Decline', done: 'Declined', isDestructive: true },
  withdraw: { title: 'Take it back?', button: 'Take It Back', done: 'Taken back', isDestructive: true },
};

type DecisionButtonsProps = { canWithdraw: boolean; canDecide: boolean; onChoose: (decision: Decision) => void };

function DecisionButtons({ canWithdraw, canDecide, onChoose }: DecisionButtonsProps) {
  return (
    <div className="buttons">
      {canWithdraw && (
        <Button variant="default" onClick={() => onChoose('withdraw')}>
          Take It Back
        </Button>
      )}
      {canDecide && <Button onClick={() => onChoose('approve')}>Approve</Button>}
      {canDecide && (
        <Button variant="default" onClick={() => onChoose('decline')}>
          Decline
        </Button>
      )}
    </div>
  );
}

type DecisionDialogProps = { approval: Approval; decision: Decision; onClose: () => void };

function DecisionDialog({ approval, decision, onClose }: DecisionDialogProps) {
  const decide = async (reason: string) => {
    await operatorApi[decision]({ params: { id: approval.id }, body: { reason } });
    return { approvalId: null };
  };
  return (
    <ActDialog {...DECISIONS[decision]} run={decide} onClose={onClose}>
      <p>
        {titleOf(approval)}. {approval.askedBy.name} says: “{approval.reason}”
      </p>
    </ActDialog>
  );
}
