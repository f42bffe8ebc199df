import { PHOTO_MAX_PIXELS } from '../../domain/files.ts';
import { refuse } from '../http/refusals.ts';
import { readPhotoFormat } from './photoFormat.ts';
import { createPhotoQueue, type PhotoSender } from './photoQueue.ts';
import type { PhotoOutcome, ThreadOptions } from './photoThread.ts';
import type { ReencodedPhoto } from './photoWorker.ts';

/** How long a thread was busy with a photo, and what became of it. */
export type Reencoding = {
  readonly ms: number;
  readonly result: ReencodedPhoto | 'notAPhoto' | 'photoTooSlow';
};

export type PhotoReencoder = {
  /**
   * Writes a photo again, as a JPEG of pixels and nothing else: no EXIF, no place, no preview, nothing behind its end. Its
   * longer side has at most `maxSide` pixels. Refuses without decoding what is no photo, and what the queue does not take.
   */
  reencode(bytes: Uint8Array, sender: PhotoSender, maxSide?: number): Promise<Reencoding>;
  close(): Promise<void>;
};

export function createPhotoReencoder(options: ThreadOptions = {}): PhotoReencoder {
  const queue = createPhotoQueue(options);
  return {
    async reencode(bytes, sender, maxSide) {
      const format = readPhotoFormat(bytes);
      if (!format || format.width === 0 || format.height === 0) refuse('notAPhoto');
      if (format.width * format.height > PHOTO_MAX_PIXELS) refuse('tooManyPixels');
      const { ms, answer } = await queue.run(
        { ...format, bytes, ...(maxSide === undefined ? {} : { maxSide }) },
        sender,
      );
      return { ms, result: toResult(answer) };
    },
    close: queue.end,
  };
}

function toResult(answer: PhotoOutcome['answer']): Reencoding['result'] {
  if (typeof answer === 'object') return answer;
  return answer === 'tookTooLong' ? 'photoTooSlow' : 'notAPhoto';
}
