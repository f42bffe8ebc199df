import { useQuery } from '@tanstack/react-query';
import { countShirts, LOAD_POUNDS, LOAD_SIZES, type LoadSize } from '../../../domain/orders.ts';
import { Choice, ChoiceGroup } from '../../ui/Choice.tsx';
import { formatMoney } from '../../ui/format.ts';
import { loadSizeLabel } from '../labels.ts';
import { LoadDrawing } from './LoadDrawing.tsx';
import styles from './LoadSizeChoices.module.css';
import type { OrderDraft } from './orderDraft.ts';
import { priceQuery } from './orderPrice.ts';

const HOLDERS: Record<LoadSize, string> = { Small: 'A tote', Medium: 'A basket', Large: 'A hamper' };

/** What fits in a load of each size, and about how many shirts that is. */
function describeLoad(size: LoadSize): string {
  const { from, to } = LOAD_POUNDS[size];
  return `${HOLDERS[size]}, about ${countShirts((from + to) / 2)} shirts`;
}

/** The load sizes, each with a drawing and with its total as the server calculates it. */
export function LoadSizeChoices({ draft, onChoose }: { draft: OrderDraft; onChoose: (size: LoadSize) => void }) {
  return (
    <ChoiceGroup legend="How much laundry do you have?">
      {LOAD_SIZES.map((size) => (
        <Choice
          key={size}
          type="radio"
          group="load"
          name={loadSizeLabel(size)}
          checked={draft.loadSize === size}
          onChoose={() => onChoose(size)}
          picture={<LoadDrawing size={size} />}
        >
          <span>{describeLoad(size)}</span>
          <LoadTotal size={size} draft={draft} />
        </Choice>
      ))}
    </ChoiceGroup>
  );
}

/** Keeps its line while the price loads. Without an answer it stays empty: the summary says why. */
function LoadTotal({ size, draft }: { size: LoadSize; draft: OrderDraft }) {
  const { data, isPlaceholderData } = useQuery(priceQuery(size, draft));
  return (
    <span className={isPlaceholderData ? `${styles.total} ${styles.stale}` : styles.total}>
      {data && `${formatMoney(data.totalPrice)} in total`}
    </span>
  );
}
