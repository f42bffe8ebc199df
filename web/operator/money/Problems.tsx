import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { MoneyProblem } from '../../../contract/operator/money.ts';
import { QueryError } from '../../ui/ErrorState.tsx';
import { formatDateInText, formatMoney, shortId } from '../../ui/format.ts';
import { SectionHeader } from '../../ui/SectionHeader.tsx';
import { ActButton } from '../ActButton.tsx';
import cards from '../listCards.module.css';
import { operatorApi } from '../operatorApi.ts';
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
  const params = { id };
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
      <p className="quiet">Since {formatDateInText(since)}</p>
      {kind === 'hold-over' && (
        <div className="buttons">
          <ActButton
            title="Ask the Bud for another card?"
            button="Ask for Another Card"
            done="The Bud gets an email"
            run={(reason, idempotencyKey) => operatorApi.askForCard({ params, body: { reason }, idempotencyKey })}
          >
            <p>The email says that {formatMoney(amount)} could not be charged, and asks them to write to you.</p>
          </ActButton>
          <Button component={Link} to={`/operator/orders/${orderId}`} variant="default">
            Cancel the Order…
          </Button>
        </div>
      )}
      {(canRetry || canDrop) && (
        <div className="buttons">
          {canRetry && (
            <ActButton
              title="Try it again?"
              button="Try Again"
              done="It is tried again within seconds"
              run={(reason, idempotencyKey) => operatorApi.retryProblem({ params, body: { reason }, idempotencyKey })}
            />
          )}
          {canDrop && (
            <ActButton
              title={`Give up this refund of ${formatMoney(amount)}?`}
              button="Give Up"
              done="The refund is given up"
              isDestructive
              run={(reason, idempotencyKey) => operatorApi.dropRefund({ params, body: { reason }, idempotencyKey })}
            >
              <p>Nothing goes back to the card. Pay the Bud in another way.</p>
            </ActButton>
          )}
        </div>
      )}
    </li>
  );
}
