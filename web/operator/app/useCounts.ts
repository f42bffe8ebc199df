import { useQuery } from '@tanstack/react-query';
import { operatorApi } from '../operatorApi.ts';
import { useHasRight } from '../operatorSession.ts';
import { TODAY_KEYS } from '../today/useTodayStream.ts';

const REFETCH_MS = 60_000;

/** How many things wait on each page of the console, by its path. */
export function useCounts(): Readonly<Record<string, number>> {
  const maySee = useHasRight('see');
  const mayPay = useHasRight('money');
  const { data: today } = useQuery({
    queryKey: TODAY_KEYS.today,
    queryFn: ({ signal }) => operatorApi.readToday({}, { signal }),
    refetchInterval: REFETCH_MS,
    enabled: maySee,
  });
  const { data: disputes } = useQuery({
    queryKey: ['disputes', 'open', 1],
    queryFn: () => operatorApi.listDisputes({ query: { state: 'open', page: '1' } }),
    refetchInterval: REFETCH_MS,
    enabled: mayPay,
  });
  return {
    ...(today && {
      cases: today.cases.count,
      approvals: today.approvals.count,
      money: today.stuckPayments + today.stuckRefunds,
      reconciliation: today.differingDays,
      messages: today.givenUpMessages,
    }),
    ...(disputes && { chargebacks: disputes.items.filter(({ daysLeft }) => daysLeft !== null).length }),
  };
}
