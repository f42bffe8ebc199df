import { Link } from 'react-router';
import type { Role } from '../../../domain/accounts.ts';
import { NO_LONGER_HOLDER } from '../../handovers/relay.ts';
import { NotFound } from '../../ui/ErrorState.tsx';
import { deliveriesPath } from '../paths.ts';

/** For a Duber who had the laundry for the next one, and may no longer read the delivery. */
const RELAY_ENDED = {
  title: 'No Longer Your Delivery',
  text: NO_LONGER_HOLDER,
};

/** A Duber reads a delivery no longer that another one goes on with. A line of their earnings may lead to it. */
const NOT_FOR_DUBER = {
  title: 'Delivery Not Found',
  text: (
    <>
      Another Duber may have this delivery now, or it was removed. What you were paid is under{' '}
      <Link to="/duber/earnings">Earnings</Link>.
    </>
  ),
};

/** The page of a delivery that its reader cannot see. */
export function DeliveryNotFound({ role, wasHolder }: { role: Role; wasHolder: boolean }) {
  const texts = wasHolder ? RELAY_ENDED : role === 'Duber' ? NOT_FOR_DUBER : { title: 'Delivery Not Found' };
  return <NotFound {...texts} to={deliveriesPath(role)} label="Back to Deliveries" />;
}
