import { ActionIcon } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { CallFailed } from '../../contract/callClient.ts';
import type { SavedCard } from '../../contract/savedCards.ts';
import { api } from '../api/client.ts';
import { queryClient } from '../api/queryClient.ts';
import { describeCard, describeExpiry } from '../payments/cardText.ts';
import { savedCardsQuery } from '../payments/useCardChoice.ts';
import { ask } from '../ui/ask.ts';
import { QueryError } from '../ui/ErrorState.tsx';
import { errorMessageOf } from '../ui/errorMessage.ts';
import { Fold } from '../ui/Fold.tsx';
import items from '../ui/ItemList.module.css';
import { Icon } from '../ui/icons.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { toast } from '../ui/toast.tsx';

/** The cards that a Bud has saved. Most of the time nobody changes them, so they are folded, and the title says which need care. */
export function SavedCards() {
  const query = useQuery(savedCardsQuery);
  return (
    <section aria-label="Cards">
      <Fold title="Cards" aside={<span className="quiet">{query.data && summaryOf(query.data.items)}</span>}>
        {query.data && <CardRows cards={query.data.items} />}
        {!query.data && query.isError && <QueryError query={query} title="Unable To Get Your Cards" level={2} />}
        {!query.data && !query.isError && (
          <div className={items.list} role="status" aria-label="Loading your cards">
            <Skeleton height={74} />
          </div>
        )}
      </Fold>
    </section>
  );
}

/** What a Bud needs to know while the cards are folded. */
function summaryOf(cards: readonly SavedCard[]): string {
  const count = (wanted: SavedCard['expiry']) => cards.filter(({ expiry }) => expiry === wanted).length;
  if (count('over') > 0) return `${count('over')} expired`;
  if (count('soon') > 0) return `${count('soon')} expiring soon`;
  return cards.length === 0 ? 'None saved' : `${cards.length} saved`;
}

function CardRows({ cards }: { cards: readonly SavedCard[] }) {
  const removal = useMutation({
    mutationFn: ({ id }: SavedCard) => api.removeSavedCard({ params: { id } }).catch(ignoreGone),
    onSuccess: async (_, card) => {
      await queryClient.invalidateQueries({ queryKey: savedCardsQuery.queryKey });
      toast.success('Card Removed', { description: describeCard(card) });
    },
    onError: (error) => {
      toast.error('Card Not Removed', {
        description: errorMessageOf(error, 'Something went wrong. Please try again.'),
      });
    },
  });
  const remove = async (card: SavedCard) => {
    const title = `Remove ${describeCard(card)}?`;
    const text = 'It is charged for no new order. Orders that you have placed with it are not changed.';
    if (await ask({ title, text, button: 'Remove', isDestructive: true })) removal.mutate(card);
  };
  if (cards.length === 0) return <p className="quiet">No saved cards. You can save one when you pay for an order.</p>;
  return (
    <ul className={items.list}>
      {cards.map((card) => (
        <CardRow
          key={card.id}
          card={card}
          isRemoving={removal.isPending && removal.variables.id === card.id}
          onRemove={() => void remove(card)}
        />
      ))}
    </ul>
  );
}

/** Another tab has removed the card already. */
function ignoreGone(error: unknown): undefined {
  if (!(error instanceof CallFailed && error.statusCode === 404)) throw error;
}

type CardRowProps = { card: SavedCard; isRemoving: boolean; onRemove: () => void };

function CardRow({ card, isRemoving, onRemove }: CardRowProps) {
  const label = `Remove ${describeCard(card)}`;
  return (
    <li className={items.item}>
      <Icon name="card" />
      <div className={items.words}>
        <p className={items.label}>{describeCard(card)}</p>
        <p className="quiet">{card.isSaved ? describeExpiry(card) : 'It is being saved. This takes a moment.'}</p>
      </div>
      <div className={items.actions}>
        <ActionIcon aria-label={label} title={label} loading={isRemoving} onClick={onRemove}>
          <Icon name="trash" />
        </ActionIcon>
      </div>
    </li>
  );
}
