import { Textarea } from '@mantine/core';
import { LOAD_SIZES } from '../../../domain/orders.ts';
import { loadLabel } from '../labels.ts';
import { Choice, Choices } from './Choice.tsx';
import { type Change, type Draft, INSTRUCTIONS_MAXIMUM } from './draft.ts';

/** Step 3: how much, which ways the Bud goes themself, and anything the Scrub should know. */
export function DetailsStep({ draft, change }: { draft: Draft; change: Change }) {
  const set = (changes: Partial<Draft>) => change((before) => ({ ...before, ...changes }));
  return (
    <>
      <LoadSizes draft={draft} set={set} />
      <Travel draft={draft} set={set} />
      <Textarea
        label="Special Instructions"
        placeholder="Cold wash, no softener, ring twice…"
        rows={4}
        maxLength={INSTRUCTIONS_MAXIMUM}
        value={draft.instructions}
        onChange={(event) => set({ instructions: event.currentTarget.value })}
      />
    </>
  );
}

type Part = { draft: Draft; set: (changes: Partial<Draft>) => void };

function LoadSizes({ draft, set }: Part) {
  return (
    <Choices legend="How much laundry is it?">
      {LOAD_SIZES.map((size) => (
        <Choice
          key={size}
          type="radio"
          group="load"
          name={loadLabel(size)}
          checked={draft.loadSize === size}
          onChoose={() => set({ loadSize: size })}
        />
      ))}
    </Choices>
  );
}

function Travel({ draft, set }: Part) {
  return (
    <Choices legend="How does it travel?">
      <Choice
        type="checkbox"
        name="I will drop off my laundry myself"
        checked={draft.selfDelivery}
        onChoose={() => set({ selfDelivery: !draft.selfDelivery })}
      >
        {draft.selfDelivery ? 'You bring it to the Scrub: no pickup fee.' : 'A Duber fetches it from your door.'}
      </Choice>
      <Choice
        type="checkbox"
        name="I will pick up my laundry myself"
        checked={draft.selfPickup}
        onChoose={() => set({ selfPickup: !draft.selfPickup })}
      >
        {draft.selfPickup ? 'You fetch it from the Scrub: no delivery fee.' : 'A Duber brings it back to your door.'}
      </Choice>
    </Choices>
  );
}
