export type Pixels = { readonly data: Uint8ClampedArray; readonly width: number; readonly height: number };

/**
 * The same picture, on white where it was transparent, with a longer side of at most `maxSide`. Each new pixel is the average
 * of the old ones that it covers.
 */
export function shrinkPhoto(photo: Pixels, maxSide: number): Pixels {
  const scale = Math.min(1, maxSide / Math.max(photo.width, photo.height));
  const width = Math.max(1, Math.round(photo.width * scale));
  const height = Math.max(1, Math.round(photo.height * scale));
  const data = new Uint8ClampedArray(width * height * 4);
  const columns = edges(photo.width, width);
  const rows = edges(photo.height, height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const box = { left: columns[x] ?? 0, right: columns[x + 1] ?? 0, top: rows[y] ?? 0, bottom: rows[y + 1] ?? 0 };
      writeAverage(photo, box, data, (y * width + x) * 4);
    }
  }
  return { data, width, height };
}

/** Where each of `count` parts of a side begins, and where the last one ends. */
const edges = (side: number, count: number) =>
  Uint32Array.from({ length: count + 1 }, (_, index) => Math.floor((index * side) / count));

type Box = { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number };

function writeAverage({ data, width }: Pixels, { left, right, top, bottom }: Box, to: Uint8ClampedArray, at: number) {
  let [red, green, blue] = [0, 0, 0];
  for (let y = top; y < bottom; y += 1) {
    for (let from = (y * width + left) * 4; from < (y * width + right) * 4; from += 4) {
      const alpha = (data[from + 3] ?? 0) / 255;
      const white = 255 * (1 - alpha);
      red += (data[from] ?? 0) * alpha + white;
      green += (data[from + 1] ?? 0) * alpha + white;
      blue += (data[from + 2] ?? 0) * alpha + white;
    }
  }
  const count = (right - left) * (bottom - top);
  to[at] = red / count;
  to[at + 1] = green / count;
  to[at + 2] = blue / count;
  to[at + 3] = 255;
}
