import { parentPort } from 'node:worker_threads';
import { PHOTO_MAX_SIDE } from '../../domain/files.ts';
import { decodePhoto, encodePhoto } from './photoCodecs.ts';
import type { PhotoFormat } from './photoFormat.ts';
import { shrinkPhoto } from './shrinkPhoto.ts';

// A thread of its own: decoding takes seconds for the largest photos, and the server must go on answering meanwhile. The
// codecs are WebAssembly, so a photo that breaks one cannot reach the server's memory.

export type PhotoJob = PhotoFormat & { readonly bytes: Uint8Array; readonly maxSide?: number };
export type ReencodedPhoto = { readonly bytes: Uint8Array; readonly width: number; readonly height: number };
/** `otherSize`: the decoder read another size than we did, so what was checked is not what was decoded. */
export type PhotoAnswer = ReencodedPhoto | 'notDecoded' | 'otherSize';

async function reencode({ bytes, type, maxSide = PHOTO_MAX_SIDE, ...read }: PhotoJob): Promise<PhotoAnswer> {
  const pixels = await decodePhoto(type, bytes).catch(() => undefined);
  if (!pixels) return 'notDecoded';
  // Turned by its EXIF, the sides change places.
  const isSameSize = [read.width, read.height].sort().join() === [pixels.width, pixels.height].sort().join();
  if (!isSameSize) return 'otherSize';
  const { data, width, height } = shrinkPhoto(pixels, maxSide);
  return { bytes: await encodePhoto({ data, width, height }), width, height };
}

parentPort?.on('message', async (job: PhotoJob) => parentPort?.postMessage(await reencode(job)));
parentPort?.postMessage('ready');
