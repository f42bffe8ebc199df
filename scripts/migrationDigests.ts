import { hash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of the product's migrations. */
export const MIGRATIONS_DIR = join(import.meta.dirname, '..', 'server', 'db', 'migrations');

type Digests = Readonly<Record<string, string>>;

const DIGESTS_FILE = 'digests.json';

const readDigests = (folder: string): Digests => JSON.parse(readFileSync(join(folder, DIGESTS_FILE), 'utf8'));

function computeDigests(folder: string): Digests {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.ts'))
    .toSorted();
  return Object.fromEntries(files.map((file) => [file, hash('sha256', readFileSync(join(folder, file)))]));
}

/** The migrations of a folder that differ from their digests: one line each. */
export function findChangedMigrations(folder: string): string[] {
  const [known, current] = [readDigests(folder), computeDigests(folder)];
  return [...new Set([...Object.keys(known), ...Object.keys(current)])].flatMap((file) => {
    if (known[file] === current[file]) return [];
    if (known[file] === undefined) return [`${file} is new: run \`npm run schema\``];
    return [
      `${file} was changed. Databases that ran it would differ from new ones: restore it, and write a new migration. If no
        release contains it yet, delete its line in ${DIGESTS_FILE}, and run \`npm run schema\``.replaceAll(
        /\s+/g,
        ' ',
      ),
    ];
  });
}

/** Adds the digests of new migrations. It never changes one. */
export function addMigrationDigests(folder: string): void {
  const digests = Object.entries({ ...computeDigests(folder), ...readDigests(folder) }).toSorted();
  writeFileSync(join(folder, DIGESTS_FILE), `${JSON.stringify(Object.fromEntries(digests), null, 2)}\n`);
}
