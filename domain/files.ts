import { HOUR_MS } from './durations.ts';

/** The kinds of photo that can be sent. Every photo is stored as a JPEG. */
export const PHOTO_TYPES = ['image/jpeg', 'image/png', 'image/webp'] as const;
export type PhotoType = (typeof PHOTO_TYPES)[number];

export const PHOTO_MAX_BYTES = 6 * 1024 * 1024;
/** A photo of more pixels is refused before it is decoded: it would take too much memory. */
export const PHOTO_MAX_PIXELS = 25_000_000;
/** The longer side of a photo that is kept. */
export const PHOTO_MAX_SIDE = 1_600;
export const PHOTOS_PER_HOUR = 30;
/** How long the photos of a person may be decoded in an hour. One from the app takes a third of a second. */
export const PHOTO_SECONDS_PER_HOUR = 60;
/** The same for a network, which may be that of many people. */
export const PHOTO_SECONDS_PER_HOUR_OF_NETWORK = 600;
export const MAX_PHOTOS_OF_STEP = 6;

/** What a file can be about. */
export type FileSubject = 'delivery' | 'handover' | 'case' | 'weighing' | 'document';

/** A file that is not yet about anything is erased after this. */
export const UNUSED_FILE_KEPT_MS = 24 * HOUR_MS;
/** The content of a file that is about something is erased after this. */
export const USED_FILE_KEPT_MS = 180 * 24 * HOUR_MS;
