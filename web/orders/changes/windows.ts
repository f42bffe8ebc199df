import { useQuery } from '@tanstack/react-query';
import type { OtherWindows } from '../../../contract/proposals.ts';
import type { OrderTimes } from '../../../contract/windows.ts';
import { canReturn, TURNAROUNDS, turnaroundOf } from '../../../domain/windows.ts';
import { formatWindow, toWindow } from '../../../texts/windows.ts';
import { api } from '../../api/client.ts';
import { orderKey } from '../../api/queryKeys.ts';

/** A window as calls answer it. */
export type Span = OrderTimes['pickup'];

export const spanText = (span: Span, timeZone: string): string => formatWindow(toWindow(span), timeZone);

/** The windows to which an order can move now. */
export const useOtherWindows = (orderId: string) =>
  useQuery({
    queryKey: [...orderKey(orderId), 'windows'],
    queryFn: ({ signal }) => api.readOtherWindows({ params: { id: orderId } }, { signal }),
  });

/** The returns that are possible after a pickup, the agreed one among them if it still is. */
export function returnsAfter(pickup: Span, times: OrderTimes, { return: offered, fastest, timeZone }: OtherWindows) {
  const isPossible = (span: Span) =>
    canReturn({ pickup: toWindow(pickup), return: toWindow(span) }, { fastest }, timeZone);
  const isNew = (span: Span) => span.from !== times.return.from;
  return [times.return, ...offered.filter(isNew)]
    .filter(isPossible)
    .toSorted((a, b) => Date.parse(a.from) - Date.parse(b.from));
}

/** Whether the laundry comes back more slowly than its Bud pays for. */
export function isSlower(times: OrderTimes, pickup: Span, back: Span, timeZone: string): boolean {
  const turnaround = turnaroundOf({ pickup: toWindow(pickup), return: toWindow(back) }, timeZone);
  return TURNAROUNDS.indexOf(turnaround) > TURNAROUNDS.indexOf(times.turnaround);
}
