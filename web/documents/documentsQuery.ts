import { useQuery } from '@tanstack/react-query';
import { api } from '../api.ts';

// An operator may decide at any time, and no live event says so.
const WAITING_MS = 15_000;

export const DOCUMENTS_KEY = ['documents'];

/** What the town asks the user for, and what became of it. Only where it asks. */
export const useDocuments = () =>
  useQuery({
    queryKey: DOCUMENTS_KEY,
    queryFn: () => api.readDocuments(),
    refetchInterval: ({ state }) => (state.data?.status === 'active' ? false : WAITING_MS),
  });
