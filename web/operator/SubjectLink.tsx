import type { AuditSubject } from '../../contract/operator/call.ts';
import { shortId } from '../ui/format.ts';

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
  if (id === null) return <span className="quiet">{NAMES[kind]}</span>;
  if (orderNumber !== null)
    return <span className="quiet">{kind === 'order' ? orderNumber : `${NAMES[kind]} of ${orderNumber}`}</span>;
  return (
    <span className="quiet">
      {NAMES[kind]} {shortId(id)}
    </span>
  );
}
