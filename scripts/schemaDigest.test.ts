import { expect, test } from 'vitest';
import { describeSchema, findChangedSchema } from './schemaDigest.ts';

const SCHEMA = `-- A comment.
create table one (id uuid primary key);
insert into schema_version (number) values (3);
`;
const { digest } = describeSchema(SCHEMA);

test('a schema that was changed needs a new number, and a new number its digest', () => {
  const changed = SCHEMA.replace('id uuid', 'id bigint');
  expect(findChangedSchema(SCHEMA, { 3: digest })).toEqual([]);
  expect(findChangedSchema(changed, { 3: digest })).toEqual([
    expect.stringMatching(/^server\/db\/schema\.sql was changed and still has the number 3: raise the number/),
  ]);
  expect(findChangedSchema(changed.replace('(3)', '(4)'), { 3: digest })).toEqual([
    'schema 4 is new: run `npm run schema`',
  ]);
});

test('a comment or another line break is no change of a schema', () => {
  const reworded = SCHEMA.replace('A comment.', 'Another comment.').replace('one (id', 'one\n  (id');
  expect(findChangedSchema(reworded, { 3: digest })).toEqual([]);
});
