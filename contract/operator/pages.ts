import { z } from 'zod';
import { numberInQuery } from '../fields.ts';

/** The number of a page in a query, from 1 on. */
export const pageInQuery = (last = 1000) =>
  numberInQuery(z.int().min(1).max(last), `page must be from 1 to ${last}`).optional();

/** One page of a list that is read by the number of the page. */
export const pageOf = <Item extends z.ZodType>(item: Item, size: number) =>
  z.object({ items: z.array(item).max(size), hasMore: z.boolean() });
