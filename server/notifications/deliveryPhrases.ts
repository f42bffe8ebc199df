import type { Role } from '../../domain/accounts.ts';
import type { DeliveryTemplateData } from './deliveryTemplateData.sql.ts';

// The words that the notices about deliveries share.

export const pageOf = ({ id }: DeliveryTemplateData, role: Role) => ({
  button: 'View the delivery',
  path: `/${role.toLowerCase()}/deliveries/${id}`,
});

export const nameOfDuber = ({ duberName }: DeliveryTemplateData) => duberName ?? 'A Duber';

/** Whose laundry it is, for the reader. */
export const laundryFor = ({ budName }: DeliveryTemplateData, role: Role) =>
  role === 'Bud' ? 'your laundry' : `${budName}’s laundry`;

/** Who gave the laundry to the Duber, for the reader. */
export function placeOfSender({ type, budName, scrubName }: DeliveryTemplateData, role: Role): string {
  const sender = type === 'Bud_To_Scrub' ? 'Bud' : 'Scrub';
  if (sender === role) return 'you';
  return sender === 'Bud' ? budName : scrubName;
}
