import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { MoneyProblem } from '../../../contract/operator/money.ts';
import { QueryError } from '../../ui/ErrorState.tsx';
import { formatMoney, shortId } from '../../ui/format.ts';
import { SectionHeader } from '../../ui/SectionHeader.tsx';
import { ActFormButton } from '../ActFormButton.tsx';
import cards from '../listCards.module.css';
import { operatorApi } from '../operatorApi.ts';
import { useTownTime } from '../useTownDay.ts';
import styles from './MoneyPage.module.css';
import { PROBLEM_TEXTS } from './moneyTexts.ts';

/** Payments and refunds that need an operator; nothing while none does. */
export function Problems() {
  const problems = useQuery({
    queryKey: ['money-problems'],
    queryFn: () => operatorApi.listMoneyProblems(),
  });
  if (problems.isPending || problems.data?.items.length === 0) return null;
  return (
    <section className={styles.section}>
      <SectionHeader title="Needs you now" />
      {problems.isError && !problems.data && <QueryError query={problems} title="The problems did not load" isCard />}
      <ul className={cards.list} aria-label="Problems">
        {problems.data?.items.map((problem) => (
          <ProblemCard key={problem.id} problem={problem} />
        ))}
      </ul>
      {problems.data?.hasMore && <p className="quiet">There are more. These are the oldest.</p>}
    </section>
  );
}

function ProblemCard({ problem }: { problem: MoneyProblem }) {
  const { id, kind, orderId, orderNumber, amount, why, since, canRetry, canDrop } = problem;
  const { title, advice } = PROBLEM_TEXTS[kind];
  const about = { name: formatMoney(amount), params: { id } };
  const townTime = useTownTime();
  return (
    <li className={cards.card}>
      <div className={cards.top}>
        <strong>
          {title} · {orderNumber ?? shortId(orderId)}
        </strong>
        <span className="tabular">{formatMoney(amount)}</span>
      </div>
      {why !== '' && kind !== 'hold-over' && <p>Square says: “{why}”</p>}
      <p className="quiet">{advice}</p>
      <p className="quiet">Since {townTime(since)}</p>
      {kind === 'hold-over' && (
        <div className="buttons">
          <ActFormButton act="askForCard" {...about} />
          <Button component={Link} to={`/operator/orders/${orderId}`} variant="default">
            Cancel the Order…
          </Button>
        </div>
      )}
      {(canRetry || canDrop) && (
        <div className="buttons">
          {canRetry && <ActFormButton act="retryProblem" {...about} />}
          {canDrop && <ActFormButton act="dropRefund" {...about} />}
        </div>
      )}
    </li>
  );
}
