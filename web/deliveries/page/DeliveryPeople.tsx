import type { Delivery } from '../../../contract/deliveries.ts';
import type { Role } from '../../../domain/accounts.ts';
import { PersonCard } from '../../ui/PersonCard.tsx';
import { describeNoDuber } from '../noDuber.ts';

const PEOPLE = {
  customer: { title: 'Customer', of: (delivery: Delivery) => delivery.bud },
  provider: { title: 'Service Provider', of: (delivery: Delivery) => delivery.scrub },
  driver: { title: 'Driver', of: (delivery: Delivery) => delivery.duber, describeNobody: describeNoDuber },
} as const;

/** The other people of a delivery, per viewer. */
const PEOPLE_BY_VIEWER: Record<Role, readonly (keyof typeof PEOPLE)[]> = {
  Bud: ['driver', 'provider'],
  Scrub: ['driver', 'customer'],
  Duber: ['customer', 'provider'],
};

export function DeliveryPeople({ delivery, role }: { delivery: Delivery; role: Role }) {
  return PEOPLE_BY_VIEWER[role].map((name) => {
    const card = PEOPLE[name];
    const emptyText = 'describeNobody' in card ? { emptyText: card.describeNobody(delivery, role) } : {};
    return <PersonCard key={name} title={card.title} person={card.of(delivery)} {...emptyText} />;
  });
}
