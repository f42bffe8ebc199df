import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { queryClient } from '../api/queryClient.ts';

export const CALENDAR_QUERY = queryOptions({
  queryKey: ['calendar'],
  queryFn: () => api.readCalendar(),
});

export const refreshCalendar = () => queryClient.invalidateQueries({ queryKey: CALENDAR_QUERY.queryKey });
