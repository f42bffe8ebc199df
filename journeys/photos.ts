import { createPng } from '../testing/photos.ts';

let count = 0;

/** A photo to choose, different from the others: a screenshot would be a second of a busy machine, and sometimes hangs. */
export function newPhoto(name = 'photo.png') {
  count += 1;
  return { name, mimeType: 'image/png', buffer: createPng(320 + count, 240) };
}
