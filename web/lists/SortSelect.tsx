import { NativeSelect } from '@mantine/core';
import { useHasCards } from '../hooks/breakpoints.ts';
import type { Sort } from './DataTable.tsx';

/** The sort order as a select for smaller screens, where cards replace the sortable column headers. */
export function SortSelect({
  columns,
  sort,
  onSort,
}: {
  columns: readonly { readonly header: string; readonly sort?: string }[];
  sort: Sort;
  onSort: (sort: Sort) => void;
}) {
  const hasCards = useHasCards();
  if (!hasCards) return null;
  const options = columns
    .filter((column) => column.sort !== undefined)
    .flatMap((column) => [
      { value: `${column.sort} desc`, label: `${column.header} ↓` },
      { value: `${column.sort} asc`, label: `${column.header} ↑` },
    ]);
  const change = (value: string) => {
    const [field = '', direction] = value.split(' ');
    onSort({ field, direction: direction === 'asc' ? 'asc' : 'desc' });
  };
  return (
    <NativeSelect
      label="Sort by"
      data={options}
      value={`${sort.field} ${sort.direction}`}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}
