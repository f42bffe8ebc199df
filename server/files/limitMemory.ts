const MEMORY_SECTION = 5;
const HAS_MAXIMUM = 1;
/** The size of a page of WebAssembly memory. */
const PAGE_BYTES = 65_536;

type Number32 = { readonly value: number; readonly end: number };

/** Reads an unsigned LEB128 number. */
function readNumber(code: Uint8Array, at: number): Number32 {
  let value = 0;
  for (let shift = 0, end = at; ; shift += 7) {
    const byte = code[end] ?? 0;
    value += (byte & 0x7f) * 2 ** shift;
    end += 1;
    if (byte < 0x80) return { value, end };
  }
}

function writeNumber(value: number): number[] {
  const bytes: number[] = [];
  for (let left = value; ; left = Math.floor(left / 128)) {
    if (left < 128) return [...bytes, left];
    bytes.push((left % 128) + 128);
  }
}

/**
 * Rewrites a WebAssembly module, so that its own memory never grows beyond `maxBytes`: an allocation above it fails inside the module,
 * and takes nothing from the server. Throws when the module has no memory of its own.
 */
export function limitMemory(code: Uint8Array, maxBytes: number): Uint8Array {
  for (let at = 8; at < code.length; ) {
    const { value: size, end: start } = readNumber(code, at + 1);
    if (code[at] !== MEMORY_SECTION) {
      at = start + size;
      continue;
    }
    const count = readNumber(code, start);
    if (count.value !== 1) throw new Error('a codec has more than one memory');
    const least = readNumber(code, count.end + 1);
    const body = [1, HAS_MAXIMUM, ...writeNumber(least.value), ...writeNumber(Math.floor(maxBytes / PAGE_BYTES))];
    const section = [MEMORY_SECTION, ...writeNumber(body.length), ...body];
    return Buffer.concat([code.subarray(0, at), Buffer.from(section), code.subarray(start + size)]);
  }
  throw new Error('a codec has no memory of its own');
}
