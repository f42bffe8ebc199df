import { Textarea } from '@mantine/core';
import type { PriceQuote } from '../../../contract/orders.ts';
import { Choice, ChoiceGroup } from '../../ui/Choice.tsx';
import { formatMoney } from '../../ui/format.ts';
import { LimitChoice } from './LimitChoice.tsx';
import { LoadSizeChoices } from './LoadSizeChoices.tsx';
import { type ChangeDraft, chooseLoadSize, INSTRUCTIONS_MAX_LENGTH, type OrderDraft } from './orderDraft.ts';

type DetailsStepProps = {
  readonly draft: OrderDraft;
  /** The price, with those of the other choices. */
  readonly quote: PriceQuote | undefined;
  readonly change: ChangeDraft;
};

/** Step 3: load size, who carries the laundry, and instructions for the Scrub. */
export function DetailsStep({ draft, quote, change }: DetailsStepProps) {
  const set = (changes: Partial<OrderDraft>) => change((before) => ({ ...before, ...changes }));
  return (
    <>
      <LoadSizeChoices
        draft={draft}
        quote={quote}
        onChoose={(size) => change((before) => chooseLoadSize(before, size))}
      />
      <LimitChoice draft={draft} onChoose={(ceilingSize) => set({ ceilingSize })} />
      <TransportChoices draft={draft} fees={quote?.choices} set={set} />
      <Textarea
        label="Special Instructions"
        placeholder="Cold wash, no softener, ring twice…"
        rows={4}
        maxLength={INSTRUCTIONS_MAX_LENGTH}
        value={draft.instructions}
        onChange={(event) => set({ instructions: event.currentTarget.value })}
      />
    </>
  );
}

type TransportProps = {
  draft: OrderDraft;
  fees: PriceQuote['choices'];
  set: (changes: Partial<OrderDraft>) => void;
};

/** Who carries the laundry each way, and what that costs. */
function TransportChoices({ draft, fees, set }: TransportProps) {
  return (
    <>
      <Way
        legend="How does it get to your Scrub?"
        names={['A Duber collects it', 'I bring it']}
        fee={fees?.pickup}
        isOwn={draft.selfDelivery}
        onChoose={(selfDelivery) => set({ selfDelivery })}
      />
      <Way
        legend="How does it come back?"
        names={['A Duber brings it back', 'I pick it up']}
        fee={fees?.delivery}
        isOwn={draft.selfPickup}
        onChoose={(selfPickup) => set({ selfPickup })}
      />
    </>
  );
}

type WayProps = {
  readonly legend: string;
  readonly names: readonly [byDuber: string, own: string];
  /** What the Duber costs; undefined while it loads. */
  readonly fee: number | undefined;
  readonly isOwn: boolean;
  readonly onChoose: (isOwn: boolean) => void;
};

function Way({ legend, names: [byDuber, own], fee, isOwn, onChoose }: WayProps) {
  const choice = { type: 'radio', group: legend } as const;
  return (
    <ChoiceGroup legend={legend} hasColumns>
      <Choice
        {...choice}
        name={byDuber}
        checked={!isOwn}
        onChoose={() => onChoose(false)}
        aside={fee === undefined ? '' : formatMoney(fee)}
      />
      <Choice {...choice} name={own} checked={isOwn} onChoose={() => onChoose(true)} aside="Free" />
    </ChoiceGroup>
  );
}
