import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { OrderSize } from '../../../domain/orders.ts';
import { useConfig } from '../../api/config.ts';
import { Choice, ChoiceGroup } from '../../ui/Choice.tsx';
import { formatMoney } from '../../ui/format.ts';
import { loadSizeLabel } from '../../ui/loadSizeLabel.ts';
import { ceilingOf, sizesAbove, sizesSold } from '../../weighing/ceiling.ts';
import styles from './CeilingChoice.module.css';
import type { OrderDraft } from './orderDraft.ts';
import { priceQuery } from './orderPrice.ts';

type CeilingChoiceProps = { draft: OrderDraft; onChoose: (ceilingSize: OrderSize) => void };

/** Where laundry is weighed: how far the price may go up without asking. */
export function CeilingChoice({ draft, onChoose }: CeilingChoiceProps) {
  const config = useConfig();
  const { loadSize } = draft;
  if (!config?.weighsLaundry || loadSize === undefined) return null;
  const sold = sizesSold(config);
  const above = sizesAbove(loadSize, sold);
  const ceiling = ceilingOf(draft, sold) ?? loadSize;
  const isOn = ceiling !== loadSize;
  const next = above[0];
  return (
    <ChoiceGroup legend="What if it is heavier?">
      <p className="quiet">
        Your Scrub weighs your laundry before your card is charged. If it is lighter, you pay less.
        {next === undefined && ' If it is heavier, we ask you first.'}
      </p>
      {next !== undefined && (
        <Choice
          type="checkbox"
          name="Go on without asking me"
          checked={isOn}
          onChoose={() => onChoose(isOn ? loadSize : next)}
        >
          <span>
            {isOn ? `Up to ${loadSizeLabel(ceiling)}. Above that, we ask you.` : 'We ask you before it costs more.'}
          </span>
          {isOn && <AtMost draft={draft} ceiling={ceiling} />}
        </Choice>
      )}
      {isOn && above.length > 1 && (
        <NativeSelect
          className={styles.upTo ?? ''}
          label="Go on up to"
          data={above.map((size) => ({ value: size, label: loadSizeLabel(size) }))}
          value={ceiling}
          onChange={(event) => onChoose(event.currentTarget.value as OrderSize)}
        />
      )}
    </ChoiceGroup>
  );
}

function AtMost({ draft, ceiling }: { draft: OrderDraft; ceiling: OrderSize }) {
  const { data, isPlaceholderData } = useQuery(priceQuery(draft.loadSize ?? ceiling, draft, ceiling));
  // Not that of the ceiling before.
  const atMost = isPlaceholderData ? undefined : data?.atMost;
  return <span className={styles.atMost}>{atMost !== undefined && `At most ${formatMoney(atMost)}`}</span>;
}
