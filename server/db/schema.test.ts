import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { printSchemaTypes } from '../../scripts/schemaTypes.ts';

test('the schema types match the tables that schema.sql makes', async () => {
  const file = await readFile(new URL('./schema.ts', import.meta.url), 'utf8');
  expect(file, 'run `npm run schema` after a change of schema.sql').toBe(await printSchemaTypes());
});
