import { readdirSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const TEXT_FILE = /\.(js|css|html|svg|json|webmanifest)$/;
// Smaller files fit into one network packet uncompressed.
const MIN_BYTES = 1_000;

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Writes `name.br` and `name.gz` next to every text file of a folder, at the highest compression level. */
export async function compressTextFiles(folder: string): Promise<void> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && TEXT_FILE.test(entry.name));
  await Promise.all(files.map((file) => compress(join(file.parentPath, file.name))));
}

async function compress(path: string): Promise<void> {
  const text = await readFile(path);
  if (text.length < MIN_BYTES) return;
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
  };
  await Promise.all([
    brotli(text, { params }).then((small) => writeWhole(`${path}.br`, small)),
    zip(text, { level: constants.Z_BEST_COMPRESSION }).then((small) => writeWhole(`${path}.gz`, small)),
  ]);
}

/** A server that runs already never sees a part of the file. */
async function writeWhole(path: string, content: Buffer): Promise<void> {
  const [, name, ending] = /^(.*)(\.\w+)$/.exec(path) ?? [];
  const draft = `${name}.${process.pid}${ending}`;
  await writeFile(draft, content);
  await rename(draft, path);
}
