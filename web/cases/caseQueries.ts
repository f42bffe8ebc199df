import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { v4 as newKey } from 'uuid';
import { CallFailed } from '../../contract/callClient.ts';
import type { Case, CaseDetails } from '../../contract/cases.ts';
import type { Role } from '../../domain/accounts.ts';
import { api } from '../api/client.ts';
import { refetchKinds } from '../api/queryClient.ts';
import { sendOnce } from '../payments/idempotencyKey.ts';
import { updateUser, useSession } from '../session/session.ts';
import { useIdle } from '../ui/idle.ts';
import { toast } from '../ui/toast.tsx';

export const casesPath = (role: Role) => `/${role.toLowerCase()}/problems`;
export const casePath = (role: Role, id: string) => `${casesPath(role)}/${id}`;
export const reportPath = (orderId: string) => `/bud/orders/${orderId}/problem`;

const LATEST_STALE_MS = 5 * 60_000;

/** All queries about cases start with 'cases' in the cache, so that one event refreshes them. */
export const caseKey = (id: string) => ['cases', 'one', id] as const;

export const caseQuery = (id: string) => ({
  queryKey: caseKey(id),
  queryFn: ({ signal }: { signal: AbortSignal }) => api.readCase({ params: { id } }, { signal }),
});

export const useCase = (id: string) => useQuery(caseQuery(id));

export function useCases(pageNumber: number) {
  return useQuery({
    queryKey: ['cases', 'list', pageNumber],
    queryFn: ({ signal }) => api.listCases({ query: { pageNumber: String(pageNumber) } }, { signal }),
    placeholderData: keepPreviousData,
  });
}

/** Whether the person has had a problem: the navigation shows the list only then. */
export const useHasCases = (): boolean => useSession().user?.hasCases === true;

/** As many as one answer may have, without loading the contract's schemas on every page. */
export const LATEST_CASES = 100;

const NO_CASES: readonly Case[] = [];

/** The person's latest cases. Asked for only when there are any, and nothing on the page waits for them. */
export function useLatestCases(): readonly Case[] {
  const isAtRest = useIdle();
  const { data } = useQuery({
    queryKey: ['cases', 'list', 'latest'],
    queryFn: ({ signal }) => api.listCases({ query: { pageNumber: '1', pageSize: String(LATEST_CASES) } }, { signal }),
    staleTime: LATEST_STALE_MS,
    enabled: useHasCases() && isAtRest,
  });
  return data?.data.items ?? NO_CASES;
}

/** Takes a step of a case, and shows the case as it is then. */
export function useCaseStep<Body>(
  send: (body: Body, idempotencyKey: string) => Promise<CaseDetails>,
  texts: { readonly done: string; readonly failed: string },
) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: Body) => sendOnce((idempotencyKey) => send(body, idempotencyKey), newKey),
    onSuccess: (found) => {
      cache.setQueryData(caseKey(found.id), found);
      updateUser({ hasCases: true });
      toast.success(texts.done);
    },
    onError: (error) => {
      const description = error instanceof CallFailed ? error.message : 'Nothing has changed. Please try again.';
      toast.error(texts.failed, { description });
    },
    onSettled: () => refetchKinds('cases'),
  });
}
