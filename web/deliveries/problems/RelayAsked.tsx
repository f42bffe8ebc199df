import { Link } from 'react-router';
import type { Case } from '../../../contract/cases.ts';
import type { Delivery } from '../../../contract/deliveries.ts';
import { LAUNDRY_STATUSES } from '../../../domain/deliveries.ts';
import { casePath, useLatestCases } from '../../cases/caseQueries.ts';

/** The open problem with which a Duber has asked for another one for a delivery. */
export const useOpenRelay = (deliveryId: string): Case | undefined =>
  useLatestCases().find(
    ({ kind, status, deliveryId: about }) => kind === 'relay' && status === 'with-town' && about === deliveryId,
  );

export const RelayLink = ({ found }: { found: Case }) => (
  <Link to={casePath('Duber', found.id)}>Problem {found.no}</Link>
);

/** Reminds a Duber who has the laundry that they have asked for another one. One that failed may have it on board. */
export function RelayAsked({ delivery: { id, status } }: { delivery: Pick<Delivery, 'id' | 'status'> }) {
  const found = useOpenRelay(id);
  if (!found || !(LAUNDRY_STATUSES.includes(status) || status === 'Failed')) return null;
  return (
    <p className="quiet">
      You have asked the town for another Duber: <RelayLink found={found} />
    </p>
  );
}
