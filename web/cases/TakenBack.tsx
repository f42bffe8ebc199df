import { Link } from 'react-router';
import type { CaseDetails } from '../../contract/cases.ts';
import { formatMoney } from '../ui/formatMoney.ts';
import { casePath, useCase, useLatestCases } from './caseQueries.ts';

type Earned = {
  readonly orderId: string;
  /** The delivery that a Duber was paid for. A Scrub is paid for the order. */
  readonly deliveryId?: string;
  readonly className?: string | undefined;
};

/** What problems of an order take back of what its Scrub or Duber has earned, below that. */
export function TakenBack(earned: Earned) {
  const givingBack = useLatestCases().filter(({ orderId, givenBack }) => orderId === earned.orderId && givenBack > 0);
  return givingBack.map(({ id }) => <TakenBackBy key={id} id={id} {...earned} />);
}

/** Only the problem itself says how much of it is the reader's. */
function TakenBackBy({ id, deliveryId, className }: Earned & { id: string }) {
  const { data: found } = useCase(id);
  if (!found || !isBorneHere(found, deliveryId)) return null;
  return (
    <p className={className}>
      {formatMoney(found.callerPays)} of it was taken back:{' '}
      <Link to={casePath(deliveryId === undefined ? 'Scrub' : 'Duber', id)}>Problem {found.no}</Link>
    </p>
  );
}

const isBorneHere = ({ callerPays, callerDeliveryId }: CaseDetails, deliveryId: string | undefined) =>
  callerPays > 0 && (deliveryId === undefined || callerDeliveryId === deliveryId);
