import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Case, CaseDetails } from '../../../contract/cases.ts';
import type { Delivery } from '../../../contract/deliveries.ts';
import { isWithLaundry } from '../../../domain/deliveries.ts';
import { deliveryQuery } from '../../api/queries.ts';
import { casePath, caseQuery, useLatestCases } from '../../cases/caseQueries.ts';

/**
 * Whether what a Duber asked was answered: they have accepted the delivery since. They do not see that it was handed on, and
 * the problem may stay open.
 */
const isAnswered = ({ events }: Pick<CaseDetails, 'events'>, { statusHistory }: Pick<Delivery, 'statusHistory'>) => {
  const asked = events.findLast(({ action }) => action === 'ask');
  const accepted = statusHistory.findLast(({ status }) => status === 'Accepted');
  return asked !== undefined && accepted !== undefined && new Date(accepted.createdAt) > new Date(asked.createdAt);
};

/** The open problem with which a Duber has asked for another one for a delivery, and still waits for that one. */
export function useOpenRelay({ id, pickup }: Pick<Delivery, 'id' | 'pickup'>): Case | undefined {
  const found = useLatestCases().find(
    ({ kind, status, deliveryId }) => kind === 'relay' && status === 'with-town' && deliveryId === id,
  );
  // Only laundry that was handed on before can come back to the one who asked.
  const enabled = found !== undefined && pickup !== null;
  const { data: asked } = useQuery({ ...caseQuery(found?.id ?? ''), enabled });
  // Dashboards leave its history out.
  const { data: delivery } = useQuery({ ...deliveryQuery(id), enabled });
  if (!enabled) return found;
  return asked && delivery && !isAnswered(asked, delivery) ? found : undefined;
}

export const RelayLink = ({ found }: { found: Case }) => (
  <Link to={casePath('Duber', found.id)}>Problem {found.no}</Link>
);

/** Reminds a Duber who has the laundry that they have asked for another one. One that failed may have it on board. */
export function RelayAsked({ delivery }: { delivery: Pick<Delivery, 'id' | 'status' | 'pickup'> }) {
  const { status } = delivery;
  const found = useOpenRelay(delivery);
  if (!found || !(isWithLaundry(status) || status === 'Failed')) return null;
  return (
    <p className="quiet">
      You have asked the town for another Duber: <RelayLink found={found} />
    </p>
  );
}
