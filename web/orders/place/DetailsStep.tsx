import { Textarea } from '@mantine/core';
import { Choice, ChoiceGroup } from '../../ui/Choice.tsx';
import { LimitChoice } from './LimitChoice.tsx';
import { LoadSizeChoices } from './LoadSizeChoices.tsx';
import { type ChangeDraft, chooseLoadSize, INSTRUCTIONS_MAX_LENGTH, type OrderDraft } from './orderDraft.ts';

/** Step 3: load size, who carries the laundry, and instructions for the Scrub. */
export function DetailsStep({ draft, change }: { draft: OrderDraft; change: ChangeDraft }) {
  const set = (changes: Partial<OrderDraft>) => change((before) => ({ ...before, ...changes }));
  return (
    <>
      <LoadSizeChoices draft={draft} onChoose={(size) => change((before) => chooseLoadSize(before, size))} />
      <LimitChoice draft={draft} onChoose={(ceilingSize) => set({ ceilingSize })} />
      <TransportChoices draft={draft} set={set} />
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

type DetailsProps = { draft: OrderDraft; set: (changes: Partial<OrderDraft>) => void };

function TransportChoices({ draft, set }: DetailsProps) {
  return (
    <ChoiceGroup legend="How should it get there and back?">
      <Choice
        type="checkbox"
        name="I will drop off my laundry myself"
        checked={draft.selfDelivery}
        onChoose={() => set({ selfDelivery: !draft.selfDelivery })}
      >
        {draft.selfDelivery ? 'You bring it to the Scrub. No pickup fee.' : 'A Duber picks it up from your door.'}
      </Choice>
      <Choice
        type="checkbox"
        name="I will pick up my laundry myself"
        checked={draft.selfPickup}
        onChoose={() => set({ selfPickup: !draft.selfPickup })}
      >
        {draft.selfPickup ? 'You pick it up from the Scrub. No delivery fee.' : 'A Duber brings it back to your door.'}
      </Choice>
    </ChoiceGroup>
  );
}
