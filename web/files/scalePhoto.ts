import { PHOTO_MAX_SIDE } from '../../domain/files.ts';

/** Small enough for a slow connection, and sharp enough to see a stain. */
const PHOTO = { maxSide: PHOTO_MAX_SIDE, maxBytes: 400_000 };
const QUALITIES = [0.82, 0.7, 0.55, 0.4] as const;
const SMALLER = 0.75;

/** The photo cannot be decoded by this browser. */
export class UnreadablePhoto extends Error {
  override name = 'UnreadablePhoto';
}

/** Draws a photo again, as a JPEG of at most 1600 pixels a side and 400 kB, or as small as asked for. What else the file contains is left behind. */
export async function scalePhoto(file: Blob, { maxSide, maxBytes } = PHOTO): Promise<Blob> {
  const picture = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch((cause: unknown) => {
    throw new UnreadablePhoto('the photo cannot be decoded', { cause });
  });
  try {
    let scale = Math.min(1, maxSide / Math.max(picture.width, picture.height));
    for (;;) {
      const canvas = draw(picture, scale);
      for (const quality of QUALITIES) {
        const photo = await toJpeg(canvas, quality);
        if (photo.size <= maxBytes) return photo;
      }
      scale *= SMALLER;
    }
  } finally {
    picture.close();
  }
}

function draw(picture: ImageBitmap, scale: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  const context = canvas.getContext('2d');
  if (!context) throw new UnreadablePhoto('the browser gives no canvas');
  // JPEG has no transparency, which would become black.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas;
}

function toJpeg(canvas: HTMLCanvasElement, quality: number): Promise<Blob> {
  return new Promise((resolve, reject) => {
    const finish = (photo: Blob | null) =>
      photo ? resolve(photo) : reject(new UnreadablePhoto('the browser writes no JPEG'));
    canvas.toBlob(finish, 'image/jpeg', quality);
  });
}
