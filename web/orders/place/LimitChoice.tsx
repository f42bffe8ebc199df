import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { OrderSize } from '../../../domain/orders.ts';
import { useConfig } from '../../api/config.ts';
import { Choice, ChoiceGroup } from '../../ui/Choice.tsx';
import { formatMoney } from '../../ui/format.ts';
import { loadSizeLabel } from '../../ui/loadSizeLabel.ts';
import { limitOf, sizesAbove, sizesSold } from '../../weighing/sizeLimit.ts';
import styles from './LimitChoice.module.css';
import type { OrderDraft } from './orderDraft.ts';
import { priceQuery } from './orderPrice.ts';

type LimitChoiceProps = { draft: OrderDraft; onChoose: (ceilingSize: OrderSize) => void };

/** Where laundry is weighed: how far the price may go up without asking. */
export function LimitChoice({ draft, onChoose }: LimitChoiceProps) {
  const config = useConfig();
  const { loadSize } = draft;
  if (!config?.weighsLaundry || loadSize === undefined) return null;
  const sold = sizesSold(config);
  const above = sizesAbove(loadSize, sold);
  const limit = limitOf(draft, sold) ?? loadSize;
  const isOn = limit !== loadSize;
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
          name="Continue without asking me"
          checked={isOn}
          onChoose={() => onChoose(isOn ? loadSize : next)}
        >
          <span>
            {isOn ? `Up to ${loadSizeLabel(limit)}. Above that, we ask you.` : 'We ask you before it costs more.'}
          </span>
          {isOn && <AtMost draft={draft} limit={limit} />}
        </Choice>
      )}
      {isOn && above.length > 1 && (
        <NativeSelect
          className={styles.upTo ?? ''}
          label="Go on up to"
          data={above.map((size) => ({ value: size, label: loadSizeLabel(size) }))}
          value={limit}
          onChange={(event) => onChoose(event.currentTarget.value as OrderSize)}
        />
      )}
    </ChoiceGroup>
  );
}

function AtMost({ draft, limit }: { draft: OrderDraft; limit: OrderSize }) {
  const { data, isPlaceholderData } = useQuery(priceQuery(draft.loadSize ?? limit, draft, limit));
  // Show no price of an earlier limit.
  const atMost = isPlaceholderData ? undefined : data?.atMost;
  return <span className={styles.atMost}>{atMost !== undefined && `At most ${formatMoney(atMost)}`}</span>;
}
