import type { CardOnFile, CardsOnFile, Refused } from './cards.ts';
import { parseRefusal, type RunSquare, refused, refuseUnclear, type SquareContext, wordsOf } from './squareAnswers.ts';

/** Square's Customers and Cards API. A customer has no name there but this one: Square asks for a name or an address. */
const NAME = 'Bud';

export const createSquareCardsOnFile = (run: RunSquare): CardsOnFile => ({
  createCustomer: (budId) =>
    run(({ square, wait }) =>
      square
        .createCustomer({ idempotencyKey: `customer-${budId}`, referenceId: budId, name: NAME }, wait)
        .catch(refuseUnclear),
    ),
  deleteCustomer: (id) => run(({ square, wait }) => square.deleteCustomer(id, wait).catch(ignoreGone)),
  save: (request) => run((context) => save(context, request)),
  remove: (id) => run(({ square, wait }) => square.disableCard(id, wait).catch(ignoreGone)),
});

async function save(
  { square, wait }: SquareContext,
  { id, customerId, paymentId }: Parameters<CardsOnFile['save']>[0],
): Promise<CardOnFile | Refused> {
  try {
    const request = { idempotencyKey: `card-${id}`, referenceId: id, customerId, paymentId };
    const card = await square.createCard(request, wait);
    return {
      kind: 'saved',
      squareCardId: card.id,
      brand: card.card_brand ?? null,
      last4: card.last_4 ?? null,
      expMonth: card.exp_month ?? null,
      expYear: card.exp_year ?? null,
    };
  } catch (error) {
    return refused(wordsOf(parseRefusal(error)));
  }
}

/** What is not there is gone. */
function ignoreGone(error: unknown): void {
  if (parseRefusal(error).statusCode !== 404) throw error;
}
