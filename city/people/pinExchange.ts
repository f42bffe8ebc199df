import type { Person } from './person.ts';

/** How people tell each other a PIN at the door, without the server. */
export type PinExchange = {
  /** The PIN that this person tells the Duber, to get the laundry of an order; undefined when they cannot read it now. */
  askForPin(userId: string, orderId: string): Promise<string | undefined>;
};

export function createPinExchange(people: () => readonly Person[]): PinExchange {
  return {
    async askForPin(userId, orderId) {
      const person = people().find(({ id }) => id === userId);
      const params = { id: orderId };
      const custody = await person?.phone.read('the PIN', [orderId], (api) => api.readCustody({ params }));
      return custody?.pin ?? undefined;
    },
  };
}
