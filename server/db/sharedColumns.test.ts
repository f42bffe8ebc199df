import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { fromColumns, object, quoted, toSql } from './json.sql.ts';
import { queryBuilder } from './prepared.ts';
import { joinShared, withUsedColumns } from './sharedColumns.sql.ts';

const person = joinShared({
  table: 'person',
  columns: { name: sql`expensive_name()`, age: sql`expensive_age()` },
  write: (columns) => sql`cross join lateral (select ${columns}) person`,
});
const column = (name: string) => fromColumns('person', name, quoted(sql<string>`x`));
const textOf = (select: ReturnType<typeof sql>) => withUsedColumns(select).compile(queryBuilder).sql;

describe('a join that an answer shares', () => {
  test('has only the columns that the statement uses, however deep they are used', () => {
    const json = toSql(object({ inner: object({ name: column('name') }) }));
    const text = textOf(sql`select ${json} from (select * from t ${person}) found ${person}`);
    expect(text.match(/expensive_name\(\) as "name"/g)).toHaveLength(2);
    expect(text).not.toContain('expensive_age');
  });

  test('is left out when nothing uses it', () => {
    expect(textOf(sql`select 1 from t ${person}`)).toBe('select 1 from t ');
  });

  test('keeps the parameters of what stays', () => {
    const query = withUsedColumns(sql`select ${column('age').pieces[0]} from t ${person} where t.id = ${7}`);
    expect(query.compile(queryBuilder)).toMatchObject({
      sql: 'select "person"."age" from t cross join lateral (select expensive_age() as "age") person where t.id = $1',
      parameters: [7],
    });
  });
});
