import { NativeSelect } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { OtherWindows } from '../../../contract/proposals.ts';
import type { OrderTimes } from '../../../contract/windows.ts';
import { QueryError } from '../../ui/ErrorState.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import styles from './WindowForm.module.css';
import { isSlower, returnsAfter, type Span, spanText, useOtherWindows } from './windows.ts';

/** The starts of the windows that somebody asks for. A pickup that stays is left out. */
export type ChosenTimes = { readonly pickupFrom?: string; readonly returnFrom: string };

type WindowFormProps = {
  readonly orderId: string;
  readonly times: OrderTimes;
  /** Below the windows: the rest of the form. `chosen` is undefined while nothing would change. `isSlow`: the Bud pays for a faster return. */
  readonly children: (chosen: ChosenTimes | undefined, isSlow: boolean) => ReactNode;
};

/** Asks for other windows of an order. */
export function WindowForm({ orderId, times, children }: WindowFormProps) {
  const asked = useOtherWindows(orderId);
  if (asked.data === undefined && asked.isError)
    return <QueryError query={asked} level={3} title="We could not load the times" text="Nothing has changed." />;
  if (asked.data === undefined) return <Skeleton height={120} />;
  if (asked.data.return.length === 0) return <p className="quiet">No other time is possible now.</p>;
  return <Windows times={times} offered={asked.data} footer={children} />;
}

type WindowsProps = {
  times: OrderTimes;
  offered: OtherWindows;
  footer: WindowFormProps['children'];
};

function Windows({ times, offered, footer }: WindowsProps) {
  const { timeZone } = offered;
  const [pickupFrom, setPickupFrom] = useState(times.pickup.from);
  const [wantedReturn, setReturnFrom] = useState(times.return.from);
  const pickups = [times.pickup, ...offered.pickup.filter(({ from }) => from !== times.pickup.from)];
  const pickup = pickups.find(({ from }) => from === pickupFrom) ?? times.pickup;
  const returns = returnsAfter(pickup, times, offered);
  // A return that is too early for the pickup gives way to the first possible one.
  const back = returns.find(({ from }) => from === wantedReturn) ?? returns[0];
  const isAgreed = (span: Span, agreed: Span) => span.from === agreed.from;
  const optionsOf = (spans: readonly Span[], agreed: Span) =>
    spans.map((span) => ({
      value: span.from,
      label: `${spanText(span, timeZone)}${isAgreed(span, agreed) ? ' (as agreed)' : ''}`,
    }));
  const movesPickup = !isAgreed(pickup, times.pickup);
  const chosen = back &&
    (movesPickup || !isAgreed(back, times.return)) && {
      returnFrom: back.from,
      ...(movesPickup ? { pickupFrom: pickup.from } : {}),
    };
  return (
    <div className={styles.form}>
      {pickups.length > 1 ? (
        <NativeSelect
          label="Pickup"
          data={optionsOf(pickups, times.pickup)}
          value={pickup.from}
          onChange={(event) => setPickupFrom(event.currentTarget.value)}
        />
      ) : (
        <p className="quiet">The pickup can no longer move.</p>
      )}
      {back ? (
        <NativeSelect
          label="Back"
          data={optionsOf(returns, times.return)}
          value={back.from}
          onChange={(event) => setReturnFrom(event.currentTarget.value)}
        />
      ) : (
        <p className="quiet">After this pickup no return is offered yet. Choose an earlier one.</p>
      )}
      {footer(chosen || undefined, back !== undefined && isSlower(times, pickup, back, timeZone))}
    </div>
  );
}
