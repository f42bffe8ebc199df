import { promisify } from 'node:util';
import { crc32, deflateRaw } from 'node:zlib';

// Archives in the format of PKWARE's APPNOTE, from files that were compressed before: nothing is kept in memory but one file. Without
// extensions an archive has 65,535 files and 4 GB at most, which is more than a person has here.

const deflate = promisify(deflateRaw);

/** A file as an archive has it. */
export type ZipFile = {
  readonly name: string;
  readonly crc: number;
  /** Of the file, and of its compressed content. */
  readonly bytes: number;
  readonly compressedBytes: number;
};

/** Compresses a file for an archive. */
export async function compressFile(content: Buffer): Promise<{ crc: number; bytes: number; content: Buffer }> {
  return { crc: crc32(content), bytes: content.length, content: await deflate(content) };
}

const LOCAL_HEADER_BYTES = 30;
const CENTRAL_HEADER_BYTES = 46;
const END_BYTES = 22;
const VERSION = 20;
/** The name of a file is in UTF-8. */
const FLAGS = 0x08_00;
const DEFLATED = 8;

/** The time of a file as MS-DOS wrote it: every second second since 1980. */
function dosTimeOf(at: Date): number {
  const date = ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate();
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1);
  return ((date << 16) | time) >>> 0;
}

/** What a local header and one of the directory have in common. */
function writeFields(header: Buffer, from: number, file: ZipFile, at: Date): void {
  header.writeUInt16LE(VERSION, from);
  header.writeUInt16LE(FLAGS, from + 2);
  header.writeUInt16LE(DEFLATED, from + 4);
  header.writeUInt32LE(dosTimeOf(at), from + 6);
  header.writeUInt32LE(file.crc, from + 10);
  header.writeUInt32LE(file.compressedBytes, from + 14);
  header.writeUInt32LE(file.bytes, from + 18);
  header.writeUInt16LE(Buffer.byteLength(file.name), from + 22);
}

function localHeader(file: ZipFile, at: Date): Buffer {
  const header = Buffer.alloc(LOCAL_HEADER_BYTES);
  header.writeUInt32LE(0x04_03_4b_50, 0);
  writeFields(header, 4, file, at);
  return Buffer.concat([header, Buffer.from(file.name)]);
}

function centralHeader(file: ZipFile, offset: number, at: Date): Buffer {
  const header = Buffer.alloc(CENTRAL_HEADER_BYTES);
  header.writeUInt32LE(0x02_01_4b_50, 0);
  header.writeUInt16LE(VERSION, 4);
  writeFields(header, 6, file, at);
  header.writeUInt32LE(offset, 42);
  return Buffer.concat([header, Buffer.from(file.name)]);
}

function endOf(files: number, size: number, offset: number): Buffer {
  const end = Buffer.alloc(END_BYTES);
  end.writeUInt32LE(0x06_05_4b_50, 0);
  end.writeUInt16LE(files, 8);
  end.writeUInt16LE(files, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return end;
}

const nameBytes = (files: readonly ZipFile[]) => files.reduce((sum, { name }) => sum + Buffer.byteLength(name), 0);

/** The size of an archive in bytes. */
export function zipBytes(files: readonly ZipFile[]): number {
  const contents = files.reduce((sum, { compressedBytes }) => sum + compressedBytes, 0);
  const headers = files.length * (LOCAL_HEADER_BYTES + CENTRAL_HEADER_BYTES) + 2 * nameBytes(files);
  return contents + headers + END_BYTES;
}

/** An archive, a piece at a time. `read` returns the compressed content of a file. */
export async function* writeZip<File extends ZipFile>(
  files: readonly File[],
  at: Date,
  read: (file: File) => Promise<Buffer>,
): AsyncGenerator<Buffer> {
  let offset = 0;
  const directory: Buffer[] = [];
  for (const file of files) {
    const header = localHeader(file, at);
    directory.push(centralHeader(file, offset, at));
    offset += header.length + file.compressedBytes;
    yield header;
    yield await read(file);
  }
  const records = Buffer.concat(directory);
  yield records;
  yield endOf(files.length, records.length, offset);
}
