import type { CallName } from '../contract/api.ts';
import type { SavedCard } from '../contract/savedCards.ts';
import { type Participants, placeOrder } from './orderSteps.ts';
import type { TestUser } from './testServer.ts';
import type { ValidCall } from './validCall.ts';
import { waitFor } from './waits.ts';

/** Waits until the card network has all cards of a Bud, and returns them. */
export const waitForSavedCards = (bud: TestUser, count = 1): Promise<readonly SavedCard[]> =>
  waitFor(async () => {
    const { items } = await bud.api.listSavedCards();
    if (items.length !== count || items.some(({ isSaved }) => !isSaved)) throw new Error('not saved yet');
    return items;
  });

/** Places an order, and saves its card. Returns the id of the card. */
export async function saveCard(participants: Pick<Participants, 'bud' | 'scrub'>, more: object = {}): Promise<string> {
  await placeOrder(participants, { saveCard: true, ...more });
  return (await waitForSavedCards(participants.bud))[0]?.id ?? '';
}

export const SAVED_CARD_CALLS = {
  listSavedCards: {
    prepare: async ({ participants }) => {
      await saveCard(participants);
      return { input: {} };
    },
    strangerResult: 'own',
  },
  removeSavedCard: {
    prepare: async ({ participants }) => ({ input: { params: { id: await saveCard(participants) } } }),
    strangerResult: 404,
  },
} satisfies Partial<Record<CallName, ValidCall>>;
