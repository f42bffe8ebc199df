import { hash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './build.ts';

/** Of each version of the schema, by its number: the digest of its SQL. */
type Digests = Readonly<Record<string, string>>;

const DIGESTS_FILE = join(ROOT, 'server', 'db', 'schemaDigests.json');
const SCHEMA_FILE = join(ROOT, 'server', 'db', 'schema.sql');

const readDigests = (): Digests => JSON.parse(readFileSync(DIGESTS_FILE, 'utf8'));
const readSchema = (): string => readFileSync(SCHEMA_FILE, 'utf8');

/** The number in a schema, and the digest of its SQL without comments. */
export function describeSchema(text: string): { readonly number: string; readonly digest: string } {
  const lines = text.split('\n').filter((line) => !line.trimStart().startsWith('--'));
  const statements = lines.join(' ').replaceAll(/\s+/g, ' ');
  const number = /insert into schema_version \(number\) values \((\d+)\)/.exec(statements)?.[1] ?? '';
  return { number, digest: hash('sha256', statements) };
}

/** One line when the schema was changed and has the number of an earlier version: databases of both would be taken for the same. */
export function findChangedSchema(text = readSchema(), digests = readDigests()): string[] {
  const { number, digest } = describeSchema(text);
  if (digests[number] === digest) return [];
  if (digests[number] === undefined) return [`schema ${number} is new: run \`npm run schema\``];
  return [
    `server/db/schema.sql was changed and still has the number ${number}: raise the number, and run \`npm run schema\`. If the change
      belongs to a schema ${number} that has not landed, delete its line in server/db/schemaDigests.json first`.replaceAll(
      /\s+/g,
      ' ',
    ),
  ];
}

/** Adds the digest of a new version. Never changes the digest of an earlier version. */
export function addSchemaDigest(): void {
  const { number, digest } = describeSchema(readSchema());
  const digests = { [number]: digest, ...readDigests() };
  writeFileSync(DIGESTS_FILE, `${JSON.stringify(digests, null, 2)}\n`);
}
