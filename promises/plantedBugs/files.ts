// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are source code
import type { PlantedBug } from './plantedBug.ts';

const FILES = 'server/files/files.test.ts';
const REENCODER = 'server/files/photoReencoder.test.ts';

/** Bugs in photos: what is in them, and who sees them. */
export const FILE_BUGS: readonly PlantedBug[] = [
  {
    bug: 'a photo that is small enough is kept as it was sent, with the place in its EXIF',
    file: 'server/files/files.ts',
    find: '  const reencoded = await reencoder.reencode(photo, caller.id);\n',
    replace:
      '  const reencoded = await reencoder.reencode(photo, caller.id);\n  if (photo[0] === 0xff) Object.assign(reencoded, { bytes: photo });\n',
    suite: FILES,
  },
  {
    bug: 'a photo loses the way that it was held with its EXIF',
    file: 'server/files/photoWorker.ts',
    find: '{ preserveOrientation: true }',
    replace: '{ preserveOrientation: false }',
    suite: REENCODER,
  },
  {
    bug: 'everybody who knows the id of a photo sees it',
    file: 'server/files/files.sql.ts',
    find: '    .where(seesFile({ id: sql`${viewerId}`, now: sql`${now}` }))\n',
    replace: '',
    suite: FILES,
  },
  {
    bug: 'the people of every order see the photos of one',
    file: 'server/files/fileVisibility.sql.ts',
    find: 'where d.id = ${deliveryId} and ',
    replace: 'where ',
    suite: FILES,
  },
  {
    bug: 'a Duber sees photos of a door forever',
    file: 'server/files/fileVisibility.sql.ts',
    find: 'or ${canDuberSeeContacts(viewer)}',
    replace: 'or d.duber_id = ${viewer.id}::uuid',
    suite: FILES,
  },
  {
    bug: "a step takes somebody else's photo",
    file: 'server/files/files.sql.ts',
    find: 'owner_id = ${owner} and id = any',
    replace: 'owner_id is not null and id = any',
    suite: FILES,
  },
  {
    bug: 'a photo can be used for two things',
    file: 'server/files/files.sql.ts',
    find: "    .where('about_id', 'is', null)\n    .where('kept_at'",
    replace: "    .where('kept_at'",
    suite: FILES,
  },
  {
    bug: 'a small file of very many pixels is decoded',
    file: 'server/files/photoReencoder.ts',
    find: "      if (format.width * format.height > PHOTO_MAX_PIXELS) refuse('tooManyPixels');\n",
    replace: '',
    suite: REENCODER,
  },
  {
    bug: 'a PIN stays on the device for days',
    file: 'web/offline/isCacheable.ts',
    find: ' && !isCustodyKey(key)',
    replace: '',
    suite: 'web/offline/isCacheable.test.ts',
  },
  {
    bug: 'a closed photo picker still writes into its form',
    file: 'web/files/photoUploads.ts',
    find: 'if (!isClosed && String(before)',
    replace: 'if (String(before)',
    suite: 'web/files/photoUploads.test.ts',
  },
  {
    bug: 'a photo picker that was closed while it prepared a photo keeps it',
    file: 'web/files/photoUploads.ts',
    find: 'if (isClosed() || !read()',
    replace: 'if (!read()',
    suite: 'web/files/photoUploads.test.ts',
  },
  {
    bug: 'a photo that waits for its turn is sent as who is signed in by then',
    file: 'web/files/waitingPhoto.ts',
    find: '    requireSession();\n    return send',
    replace: '    return send',
    suite: 'web/files/waitingPhoto.test.ts',
  },
  {
    bug: 'one person fills the queue of photos',
    file: 'server/files/photoReencoder.ts',
    find: "      if (waiting.has(owner)) refuse('tooManyPhotos', { retryAfter: RETRY_AFTER_S });\n",
    replace: '',
    suite: REENCODER,
  },
  {
    bug: 'the contents of used photos are kept forever',
    file: 'server/files/eraseFiles.sql.ts',
    find: "  await tx.deleteFrom('file_contents').where('file_id', 'in', ids).execute();\n",
    replace: '',
    suite: FILES,
  },
];
