import { onlineManager, QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, test } from 'vitest';
import { Unreachable } from '../../contract/callClient.ts';
import { waitFor } from '../../testing/waits.ts';
import { queryClient } from './queryClient.ts';

afterEach(() => {
  onlineManager.setOnline(true);
  queryClient.clear();
  queryClient.unmount();
});

/** A screen with one answer. The server is there, or away. */
function openScreen() {
  queryClient.mount();
  const server = { isAway: false, answers: 0 };
  const observer = new QueryObserver(queryClient, {
    queryKey: ['orders'],
    retry: false,
    queryFn: async () => {
      if (server.isAway) throw new Unreachable(new Error('away'));
      server.answers += 1;
      return server.answers;
    },
  });
  observer.subscribe(() => {});
  return { server, observer };
}

function goOfflineAndBack(): void {
  onlineManager.setOnline(false);
  onlineManager.setOnline(true);
}

test('data that could not be loaded after an event is loaded when the network is back', async () => {
  const { server, observer } = openScreen();
  await waitFor(() => expect(observer.getCurrentResult().data).toBe(1));
  server.isAway = true;
  await queryClient.invalidateQueries({ queryKey: ['orders'] });
  expect(observer.getCurrentResult()).toMatchObject({ data: 1, isError: true });
  server.isAway = false;
  goOfflineAndBack();
  await waitFor(() => expect(observer.getCurrentResult()).toMatchObject({ data: 2, isError: false }));
});

test('loaded data is not loaded again: events tell what has changed', async () => {
  const { server, observer } = openScreen();
  await waitFor(() => expect(observer.getCurrentResult().data).toBe(1));
  goOfflineAndBack();
  expect(observer.getCurrentResult().fetchStatus).toBe('idle');
  expect(server.answers).toBe(1);
});
