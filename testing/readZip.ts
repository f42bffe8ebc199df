import { crc32, inflateRawSync } from 'node:zlib';

const END = 0x06_05_4b_50;
const CENTRAL = 0x02_01_4b_50;

/** The files of a zip archive by their names, from its directory. Throws for a file that is damaged. */
export function readZip(archive: Buffer): ReadonlyMap<string, Buffer> {
  const end = archive.length - 22;
  if (archive.readUInt32LE(end) !== END) throw new Error('the archive has no end');
  const files = new Map<string, Buffer>();
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (archive.readUInt32LE(at) !== CENTRAL) throw new Error('the directory is damaged');
    const [crc, size] = [archive.readUInt32LE(at + 16), archive.readUInt32LE(at + 20)];
    const nameBytes = archive.readUInt16LE(at + 28);
    const name = archive.toString('utf8', at + 46, at + 46 + nameBytes);
    const local = archive.readUInt32LE(at + 42);
    const from = local + 30 + archive.readUInt16LE(local + 26);
    const content = inflateRawSync(archive.subarray(from, from + size));
    if (crc32(content) !== crc) throw new Error(`${name} is damaged`);
    files.set(name, content);
    at += 46 + nameBytes;
  }
  return files;
}
