/** A module of WebAssembly has pages of 64 KiB. */
export const WASM_PAGE_BYTES = 64 * 1024;

const HEADER_BYTES = 8;
const MEMORY_SECTION = 5;
const HAS_MAXIMUM = 1;

/**
 * The code of a module whose own memory cannot grow above `maxPages`. The codecs do not take a memory from outside, and the
 * limits of a worker do not count WebAssembly, so the module's memory section (id 5: how many memories, flags, smallest and
 * largest size) is written again with a maximum.
 */
export function limitWasmMemory(code: Uint8Array, maxPages: number): Uint8Array {
  for (let at = HEADER_BYTES; at < code.length; ) {
    const size = readNumber(code, at + 1);
    const end = size.next + size.value;
    if (code[at] === MEMORY_SECTION) {
      if (code[size.next] !== 1) throw new Error('a codec has more than one memory');
      const smallest = readNumber(code, size.next + 2).value;
      const section = [1, HAS_MAXIMUM, ...writeNumber(smallest), ...writeNumber(maxPages)];
      const rewritten = [MEMORY_SECTION, ...writeNumber(section.length), ...section];
      return Buffer.concat([code.subarray(0, at), Uint8Array.from(rewritten), code.subarray(end)]);
    }
    at = end;
  }
  throw new Error('a codec has no memory of its own');
}

/** A number of any length, seven bits a byte, the lowest first (LEB128). */
function readNumber(code: Uint8Array, from: number): { value: number; next: number } {
  let value = 0;
  for (let at = from, factor = 1; ; at += 1, factor *= 128) {
    const byte = code[at] ?? 0;
    value += (byte & 0x7f) * factor;
    if (byte < 0x80) return { value, next: at + 1 };
  }
}

function writeNumber(value: number): number[] {
  return value < 0x80 ? [value] : [(value % 128) + 0x80, ...writeNumber(Math.floor(value / 128))];
}
