import type { PriceQuote } from '../../../contract/orders.ts';
import { countShirts, type OrderSize, SIZE_POUNDS } from '../../../domain/orders.ts';
import { useConfig } from '../../api/config.ts';
import { Choice, ChoiceGroup } from '../../ui/Choice.tsx';
import { formatMoney } from '../../ui/format.ts';
import { loadSizeLabel } from '../../ui/loadSizeLabel.ts';
import { sizesSold } from '../../weighing/sizeLimit.ts';
import { HOLDERS, LoadDrawing } from './LoadDrawing.tsx';
import styles from './LoadSizeChoices.module.css';
import type { OrderDraft } from './orderDraft.ts';

/** What fits in a load of each size, and about how many shirts that is. */
function describeLoad(size: OrderSize): string {
  const { from, to } = SIZE_POUNDS[size];
  return `${HOLDERS[size].words}, about ${countShirts((from + to) / 2)} shirts`;
}

type LoadSizeProps = {
  readonly draft: OrderDraft;
  readonly quote: PriceQuote | undefined;
  readonly onChoose: (size: OrderSize) => void;
};

/** The load sizes, each with a drawing and with its total as the server calculates it. */
export function LoadSizeChoices({ draft, quote, onChoose }: LoadSizeProps) {
  const sizes = sizesSold(useConfig());
  return (
    <ChoiceGroup legend="How much laundry do you have?">
      {sizes.map((size) => (
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
          <LoadTotal total={quote?.choices?.prices[size]?.totalPrice} />
        </Choice>
      ))}
    </ChoiceGroup>
  );
}

/** Keeps its line while the price loads. Without an answer it stays empty: the summary says why. */
const LoadTotal = ({ total }: { total: number | undefined }) => (
  <span className={styles.total}>{total !== undefined && `${formatMoney(total)} in total`}</span>
);
