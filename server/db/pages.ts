export type PageBounds = { readonly limit: number; readonly offset: number };

/**
 * One page of a list, from 1 on, its rows as `view` shows them. Reads one row more than it returns: that row tells whether there
 * is a next page.
 */
export async function readPage<Row, Item>(
  page: number | undefined,
  size: number,
  read: (bounds: PageBounds) => Promise<readonly Row[]>,
  view: (row: Row) => Item,
): Promise<{ items: Item[]; hasMore: boolean }> {
  const rows = await read({ limit: size + 1, offset: ((page ?? 1) - 1) * size });
  return { items: rows.slice(0, size).map(view), hasMore: rows.length > size };
}
