import { type RawBuilder, sql } from 'kysely';

/** The highest character: a text with a prefix lies between the prefix and the prefix followed by this. */
const LAST = '\u{10ffff}';

/** Whether a column begins with a text. A range uses the index under a generic plan, and `like` does not. */
export const beginsWith = (column: RawBuilder<unknown>, text: string) =>
  sql`${column} ~>=~ ${text} and ${column} ~<~ ${text + LAST}`;
