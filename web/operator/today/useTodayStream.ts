import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { TodayEvent } from '../../../contract/operator/today.ts';
import { backOff } from '../../live/backOff.ts';
import { readEventStream } from '../../live/eventStream.ts';
import { createSerialRefetch } from './serialRefetch.ts';

export const TODAY_KEYS = { today: ['today'], map: ['town-map'] } as const;

const isTodayEvent = (value: unknown): value is TodayEvent =>
  typeof value === 'object' && value !== null && (value as { entity?: unknown }).entity === 'today';

/**
 * Refetches Today when the server reports a change. Returns whether the stream is connected. A hidden page does not listen,
 * because browsers open few connections to one server.
 */
export function useTodayStream(): boolean {
  const queryClient = useQueryClient();
  const isVisible = useIsVisible();
  const [isConnected, setConnected] = useState(false);
  useEffect(() => {
    if (!isVisible) return;
    const controller = new AbortController();
    const { signal } = controller;
    const readAgain = createSerialRefetch(() =>
      Promise.all(Object.values(TODAY_KEYS).map((queryKey) => queryClient.refetchQueries({ queryKey }))),
    );
    void readEventStream({
      url: '/api/operator/events',
      isEvent: isTodayEvent,
      onEvent: readAgain,
      onGap: readAgain,
      onConnectedChange: setConnected,
      waitBeforeRetry: backOff,
      signal,
    });
    return () => {
      controller.abort();
      setConnected(false);
    };
  }, [queryClient, isVisible]);
  return isConnected;
}

const isPageVisible = () => document.visibilityState === 'visible';

function subscribeToVisibility(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}

const useIsVisible = (): boolean => useSyncExternalStore(subscribeToVisibility, isPageVisible);
