import { useQuery } from '@tanstack/react-query';
import type { WorkerDocuments } from '../../contract/documents.ts';
import { api } from '../api/client.ts';
import { queryClient, refetchKinds } from '../api/queryClient.ts';

// An operator may decide at any time, and no live event says so.
const WAITING_MS = 15_000;

export const DOCUMENTS_KEY = ['documents'];

async function readDocuments(): Promise<WorkerDocuments> {
  const before = queryClient.getQueryData<WorkerDocuments>(DOCUMENTS_KEY)?.status;
  const answer = await api.readDocuments();
  // An admitted worker gets offers from now on.
  if (before !== undefined && before !== answer.status) refetchKinds('dashboards');
  return answer;
}

/** The user's documents and requirements. Only in a town that requires documents. */
export const useDocuments = () =>
  useQuery({
    queryKey: DOCUMENTS_KEY,
    queryFn: readDocuments,
    refetchOnMount: 'always',
    refetchInterval: ({ state: { data } }) =>
      data?.isAsked === false || data?.status === 'active' ? false : WAITING_MS,
  });
