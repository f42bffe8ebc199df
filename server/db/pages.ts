export type PageBounds = { readonly limit: number; readonly offset: number };

/** One page of a list, from 1 on. Reads one row more than it returns: that row tells whether there is a next page. */
export async function readPage<Row>(
  page: number,
  size: number,
  read: (bounds: PageBounds) => Promise<readonly Row[]>,
): Promise<{ rows: Row[]; hasMore: boolean }> {
  const rows = await read({ limit: size + 1, offset: (page - 1) * size });
  return { rows: rows.slice(0, size), hasMore: rows.length > size };
}
