import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const BLOCK_BYTES = 512;

/**
 * Writes the files of a package's archive into a folder. Like npm, it leaves out the archive's top folder, and everything that is not a file.
 *
 * @param {Buffer} archive uncompressed
 * @param {string} folder
 * @param {(name: string) => boolean} isNeeded
 */
export function unpackPackage(archive, folder, isNeeded) {
  const folders = new Set();
  for (const { name, content, isProgram } of listFiles(archive)) {
    const path = name.slice(name.indexOf('/') + 1);
    if (path.startsWith('/') || path.split('/').includes('..')) throw new Error(`the archive has a file ${name}`);
    if (!isNeeded(path)) continue;
    const target = join(folder, path);
    const parent = dirname(target);
    if (!folders.has(parent)) mkdirSync(parent, { recursive: true });
    folders.add(parent);
    writeFileSync(target, content, { mode: isProgram ? 0o777 : 0o666 });
  }
}

/**
 * The files of a tar archive. A name that does not fit into its header stands before it, in an entry of its own.
 *
 * @param {Buffer} archive
 */
function* listFiles(archive) {
  let longName;
  for (let offset = 0; offset + BLOCK_BYTES <= archive.length; ) {
    const header = archive.subarray(offset, offset + BLOCK_BYTES);
    offset += BLOCK_BYTES;
    if (header[0] === 0) continue;
    const size = readNumber(header, 124, 12);
    const content = archive.subarray(offset, offset + size);
    if (content.length < size) throw new Error('the archive is incomplete');
    offset += Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES;
    const type = readText(header, 156, 1);
    if (type === 'x') longName = /(?:^|\n)\d+ path=(.*)\n/.exec(content.toString('utf8'))?.[1] ?? longName;
    else if (type === 'L') longName = readText(content, 0, size);
    else if (type !== 'g') {
      const name = longName ?? readName(header);
      longName = undefined;
      if (type === '0' || type === '') yield { name, content, isProgram: (readNumber(header, 100, 8) & 0o111) !== 0 };
    }
  }
}

/** @param {Buffer} header */
function readName(header) {
  const prefix = readText(header, 257, 5) === 'ustar' ? readText(header, 345, 155) : '';
  const name = readText(header, 0, 100);
  return prefix === '' ? name : `${prefix}/${name}`;
}

/** @param {Buffer} bytes @param {number} from @param {number} length */
function readText(bytes, from, length) {
  const field = bytes.subarray(from, from + length);
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end < 0 ? length : end);
}

/** @param {Buffer} header @param {number} from @param {number} length */
function readNumber(header, from, length) {
  const text = readText(header, from, length).trim();
  if (!/^[0-7]*$/.test(text)) throw new Error('the archive has a number that is not octal');
  return Number.parseInt(text || '0', 8);
}
