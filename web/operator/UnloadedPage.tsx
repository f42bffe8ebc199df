import { QueryError } from '../ui/ErrorState.tsx';
import { PageHeader } from '../ui/PageHeader.tsx';
import { LoadingRows } from './LoadingRows.tsx';

type UnloadedPageProps = {
  /** What the page is about: "order". */
  readonly what: string;
  readonly title: string;
  readonly back: { to: string; label: string };
  readonly query: Parameters<typeof QueryError>[0]['query'] & { readonly isError: boolean };
};

/** A page of one thing while that is loading, or when it did not load. */
export function UnloadedPage({ what, title, back, query }: UnloadedPageProps) {
  return (
    <>
      <PageHeader title={title} back={back} />
      {query.isError ? (
        <QueryError query={query} title={`The ${what} did not load`} isCard />
      ) : (
        <LoadingRows label={what} />
      )}
    </>
  );
}
