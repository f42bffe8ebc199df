import { createReadStream, createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { RestoreError } from './read.ts';

/** Writes the lines of a backup into a new file that only its owner can read. */
export async function writeBackupFile(file: string, lines: AsyncIterable<string>): Promise<void> {
  const out = createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true });
  await pipeline(Readable.from(lines), createGzip(), out);
}

/** The lines of a backup in a file. Throws a RestoreError when it cannot be decompressed. */
export async function* readBackupFile(file: string): AsyncGenerator<string> {
  const text = createGunzip().setEncoding('utf8');
  const unzipping = pipeline(createReadStream(file), text);
  // Awaited below. Without this, an earlier failure would be an unhandled rejection.
  unzipping.catch(() => undefined);
  try {
    yield* splitLines(text);
    await unzipping;
  } catch (error) {
    const [reason] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new RestoreError(`the file cannot be decompressed: ${reason}`);
  }
}

/** Only `\n` ends a line: `readline` also takes U+2028 for an end, which is a letter within JSON. */
async function* splitLines(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let line: string[] = [];
  for await (const chunk of chunks) {
    const [end = '', ...starts] = chunk.split('\n');
    line.push(end);
    for (const start of starts) {
      yield line.join('');
      line = [start];
    }
  }
  if (line.some((part) => part !== '')) yield line.join('');
}
