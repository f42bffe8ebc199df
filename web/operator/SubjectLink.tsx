import { Link } from 'react-router';
import type { AuditSubject } from '../../contract/operator/call.ts';
import { shortId } from '../ui/format.ts';
import { useHasRight } from './operatorSession.ts';

const NAMES: Record<AuditSubject, string> = {
  town: 'The town',
  order: 'Order',
  delivery: 'Delivery',
  person: 'Person',
  case: 'Case',
  operator: 'Operator',
  payment: 'Payment',
  approval: 'Approval',
  dispute: 'Chargeback',
};

/** What an act is about. */
export function SubjectLink({
  kind,
  id,
  orderNumber,
}: {
  kind: AuditSubject;
  id: string | null;
  orderNumber: string | null;
}) {
  const maySee = useHasRight('see');
  if (id === null) return <span className="quiet">{NAMES[kind]}</span>;
  if (kind === 'order' && orderNumber !== null && maySee)
    return <Link to={`/operator/orders/${id}`}>{orderNumber}</Link>;
  if (orderNumber !== null)
    return <span className="quiet">{kind === 'order' ? orderNumber : `${NAMES[kind]} of ${orderNumber}`}</span>;
  return (
    <span className="quiet">
      {NAMES[kind]} {shortId(id)}
    </span>
  );
}
