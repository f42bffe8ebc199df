import { Link } from 'react-router';
import type { Case } from '../../../contract/cases.ts';
import type { Order } from '../../../contract/orders.ts';
import { casePath, useLatestCases } from '../../cases/caseQueries.ts';
import { formatMoney } from '../../ui/formatMoney.ts';
import cards from '../Card.module.css';
import styles from './OrderLinks.module.css';
import { problemsOfOrder } from './problemsOfOrder.ts';

const ProblemLink = ({ found, className }: { found: Case; className?: string | undefined }) => (
  <Link className={className} to={casePath('Bud', found.id)}>
    Problem {found.no}
  </Link>
);

/** What the problems of an order give back to its Bud, below its price. */
export function GivenBackByProblems({ order }: { order: Order }) {
  return problemsOfOrder(useLatestCases(), order).givingBack.map((found) => (
    <p key={found.id} className={cards.note}>
      {formatMoney(found.givenBack)} given back: <ProblemLink found={found} />
    </p>
  ));
}

/** The links to the other problems of a Bud's order. */
export function ProblemLinks({ order }: { order: Order }) {
  return problemsOfOrder(useLatestCases(), order).others.map((found) => (
    <ProblemLink key={found.id} found={found} className={styles.link} />
  ));
}
