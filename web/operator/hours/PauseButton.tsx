import { type ReactNode, useState } from 'react';
import { instantOfLocalTime, localClock } from '../../../domain/localDays.ts';
import { ActFormButton } from '../ActFormButton.tsx';
import { TouchedOrders } from './TouchedOrders.tsx';

type PauseButtonProps = {
  readonly timeZone: string;
  /** Until when it is at first. */
  readonly until: Date;
  /** The town without one. */
  readonly zone?: { readonly id: string; readonly name: string };
  readonly trigger: (open: () => void) => ReactNode;
};

/** Asks until when the town or a zone takes no new orders, and what becomes of the orders with a window until then. */
export function PauseButton({ timeZone, until, zone, trigger }: PauseButtonProps) {
  const [touched, setTouched] = useState(0);
  const ofZone = zone && {
    title: `Pause ${zone.name}?`,
    done: `${zone.name} takes no new orders`,
    body: { zone: zone.id },
  };
  return (
    <ActFormButton
      act="pauseTown"
      start={{ until: toFieldValue(until, timeZone) }}
      trigger={trigger}
      fields={touched > 0 ? ['until', 'words', 'touched'] : ['until', 'words']}
      onOpen={() => setTouched(0)}
      {...ofZone}
    >
      {(values) => {
        const end = values.until ? instantOfLocalTime(String(values.until), timeZone) : undefined;
        if (!end || end <= new Date()) return null;
        return <TouchedOrders from={undefined} until={end} zone={zone?.id} {...{ timeZone }} onFound={setTouched} />;
      }}
    </ActFormButton>
  );
}

/** What a field shows for a time on the clocks of the town, like 2026-11-30T08:05. */
function toFieldValue(at: Date, timeZone: string): string {
  const { date, time } = localClock(at, timeZone);
  return `${date}T${time}`;
}
