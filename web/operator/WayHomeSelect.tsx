import { NativeSelect } from '@mantine/core';
import type { WayHome, WayHomePayer } from '../../domain/orders.ts';

export const WAY_TEXTS: Readonly<Record<WayHome, string>> = {
  bring: 'A Duber brings it home',
  fetch: 'The Bud fetches it',
  lost: 'It is lost',
};
export const PAYER_TEXTS: Readonly<Record<WayHomePayer, string>> = {
  platform: 'The town',
  scrub: 'The Scrub',
  bud: 'The Bud, from what they paid for the way back',
};

type SelectProps<T> = {
  readonly value: T;
  readonly error?: string | undefined;
  readonly onChange: (value: Exclude<T, ''>) => void;
};

type WayHomeProps = SelectProps<WayHome | ''> & { readonly ways: readonly WayHome[] };

/** How the laundry of an order gets home that is cancelled while somebody else than its Bud has it. */
export function WayHomeSelect({ ways, value, error, onChange }: WayHomeProps) {
  return (
    <NativeSelect
      label="How does the laundry get home?"
      description="The Bud and the Scrub read it."
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value as WayHome)}
      data={[
        { value: '', label: 'Choose one', disabled: true },
        ...ways.map((way) => ({ value: way, label: WAY_TEXTS[way] })),
      ]}
    />
  );
}

type PayerProps = SelectProps<WayHomePayer> & { readonly payers: readonly WayHomePayer[] };

export function PayerSelect({ payers, value, error, onChange }: PayerProps) {
  return (
    <NativeSelect
      label="Who pays the Dubers?"
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value as WayHomePayer)}
      data={payers.map((payer) => ({ value: payer, label: PAYER_TEXTS[payer] }))}
    />
  );
}
