import type { Delivery } from '../../../contract/deliveries.ts';
import type { Role } from '../../../domain/accounts.ts';
import { PersonCard } from '../../ui/PersonCard.tsx';

const PEOPLE = {
  customer: { title: 'Customer', of: (delivery: Delivery) => delivery.bud },
  provider: { title: 'Service Provider', of: (delivery: Delivery) => delivery.scrub },
  driver: {
    title: 'Driver',
    of: (delivery: Delivery) => delivery.duber,
    emptyText: 'No Duber has accepted this delivery yet',
  },
} as const;

/** The other people of a delivery, per viewer. */
const PEOPLE_BY_VIEWER: Record<Role, readonly (keyof typeof PEOPLE)[]> = {
  Bud: ['driver', 'provider'],
  Scrub: ['driver', 'customer'],
  Duber: ['customer', 'provider'],
};

export function DeliveryPeople({ delivery, role }: { delivery: Delivery; role: Role }) {
  return PEOPLE_BY_VIEWER[role].map((name) => {
    const { of, ...card } = PEOPLE[name];
    return <PersonCard key={name} {...card} person={of(delivery)} />;
  });
}
