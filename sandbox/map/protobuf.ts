// The part of the Protocol Buffers format that vector tiles need.

export function writeVarint(field: number, value: number): Uint8Array {
  return Uint8Array.from([...encodeVarint(field << 3), ...encodeVarint(value)]);
}

export function writeBytes(field: number, bytes: Uint8Array): Uint8Array {
  return joinBytes([Uint8Array.from([...encodeVarint((field << 3) | 2), ...encodeVarint(bytes.length)]), bytes]);
}

export function writeText(field: number, text: string): Uint8Array {
  return writeBytes(field, new TextEncoder().encode(text));
}

export function writePacked(field: number, values: number[]): Uint8Array {
  return writeBytes(field, Uint8Array.from(values.flatMap(encodeVarint)));
}

export function joinBytes(parts: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

// Seven bits per byte, lowest first. Division, because bit shifts are limited to 32 bits.
function encodeVarint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 127) {
    bytes.push((rest % 128) | 128);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
  return bytes;
}
