import type { Person } from './person.ts';

/** What people tell each other at the door, and no server sees. */
export type Whispers = {
  /** The PIN with which this person takes the laundry of an order; undefined when they cannot read it now. */
  askForPin(userId: string, orderId: string): Promise<string | undefined>;
};

export function createWhispers(people: () => readonly Person[]): Whispers {
  return {
    async askForPin(userId, orderId) {
      const person = people().find(({ id }) => id === userId);
      const params = { id: orderId };
      const custody = await person?.phone.read('the PIN', [orderId], (api) => api.readCustody({ params }));
      return custody?.pin ?? undefined;
    },
  };
}
