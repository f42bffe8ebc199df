import type { DeliveryTemplateData } from './deliveryTemplateData.sql.ts';

/** What an operator wrote with the last step, for the people of the order and a Duber who has its laundry. */
export const fromTown = ({ lastActor, lastWords }: Pick<DeliveryTemplateData, 'lastActor' | 'lastWords'>): string[] =>
  lastActor === 'Operator' && lastWords ? [`The town says: ${lastWords}`] : [];
