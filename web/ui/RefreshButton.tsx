import { ActionIcon } from '@mantine/core';
import { Icon } from './icons.tsx';

export function RefreshButton({ onRefresh, isRefreshing = false }: { onRefresh: () => void; isRefreshing?: boolean }) {
  return (
    <ActionIcon aria-label="Refresh" title="Refresh" onClick={onRefresh} loading={isRefreshing}>
      <Icon name="refresh" />
    </ActionIcon>
  );
}
