import { Button } from '@mantine/core';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';

type PageButtonsProps = {
  readonly page: number;
  readonly hasMore: boolean | undefined;
  readonly onPage: (page: number) => void;
  /** The words for the page before and the one after, in the order of the list. */
  readonly labels?: readonly [before: string, after: string] | undefined;
};

/** The buttons below a list in numbered pages whose number of rows nobody counts. Nothing when all rows are on the first page. */
export function PageButtons({ page, hasMore = false, onPage, labels = ['Newer', 'Older'] }: PageButtonsProps) {
  if (page === 1 && !hasMore) return null;
  const [before, after] = labels;
  return (
    <div className="buttons" style={{ marginTop: 16 }}>
      <Button variant="default" disabled={page === 1} onClick={() => onPage(page - 1)}>
        {before}
      </Button>
      <Button variant="default" disabled={!hasMore} onClick={() => onPage(page + 1)}>
        {after}
      </Button>
    </div>
  );
}

type OlderQuery = Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>;

/** The button below a list that grows. Nothing when all rows are there. */
export function OlderButton({ query: { hasNextPage, isFetchingNextPage, fetchNextPage } }: { query: OlderQuery }) {
  if (!hasNextPage) return null;
  return (
    <div>
      <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        Show Older
      </Button>
    </div>
  );
}
