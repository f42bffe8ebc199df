import { Link } from 'react-router';
import type { AuditSubject } from '../../contract/operator/call.ts';
import { shortId } from '../ui/format.ts';
import { useHasRight } from './operatorSession.ts';
import { useZones } from './useZones.ts';

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

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

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
  if (kind === 'person' && maySee) return <Link to={`/operator/people/${id}`}>Person {shortId(id)}</Link>;
  if (kind === 'town' && maySee && UUID.test(id)) return <TownSubject id={id} />;
  // A price or a rule has a name instead of an id, which the sentence of the act says.
  if (!UUID.test(id)) return <span className="quiet">{NAMES[kind]}</span>;
  if (orderNumber !== null)
    return <span className="quiet">{kind === 'order' ? orderNumber : `${NAMES[kind]} of ${orderNumber}`}</span>;
  return (
    <span className="quiet">
      {NAMES[kind]} {shortId(id)}
    </span>
  );
}

/** A zone by its name. What else of the town has an id is told by the act. */
function TownSubject({ id }: { id: string }) {
  const zone = useZones().data?.items.find((one) => one.id === id);
  return <span className="quiet">{zone ? `Zone ${zone.name}` : NAMES.town}</span>;
}
