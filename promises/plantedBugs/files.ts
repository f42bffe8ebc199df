// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are source code
import type { PlantedBug } from './plantedBug.ts';

const FILES = 'server/files/files.test.ts';
const BUDGET = 'server/files/photoBudget.test.ts';
const SIZES = 'server/files/photoSizes.test.ts';
const QUEUE = 'server/files/photoQueue.test.ts';
const BODIES = 'server/http/bodies.test.ts';
const REENCODER = 'server/files/photoReencoder.test.ts';

/** Bugs in photos: what is in them, and who sees them. */
export const FILE_BUGS: readonly PlantedBug[] = [
  {
    bug: 'a photo that is small enough is kept as it was sent, with the place in its EXIF',
    file: 'server/files/files.ts',
    find: '  const reencoded = await reencode(context, input);\n',
    replace:
      '  const reencoded = await reencode(context, input);\n  if (photo[0] === 0xff) Object.assign(reencoded, { bytes: photo });\n',
    suite: FILES,
  },
  {
    bug: 'a photo loses the way that it was held with its EXIF',
    file: 'server/files/photoCodecs.ts',
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
    file: 'server/files/photoQueue.ts',
    find: "      if (held.some(({ owner }) => owner === sender.owner)) refuse('photoUnderWay', { retryAfter: RETRY_AFTER_S });\n",
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
  {
    bug: 'a frame of a JPEG hides behind a marker that has no length',
    file: 'server/files/photoFormat.ts',
    find: 'length < 2 || !(isFrame || JPEG_SEGMENTS.includes(marker))',
    replace: 'length < 2',
    suite: SIZES,
  },
  {
    bug: 'a frame of an animated PNG has a size that was not checked',
    file: 'server/files/photoFormat.ts',
    find: "chunk === 'IHDR' || PNG_ANIMATION.includes(chunk)",
    replace: "chunk === 'IHDR'",
    suite: SIZES,
  },
  {
    bug: 'a codec takes as much memory as a photo asks for',
    file: 'server/files/photoCodecs.ts',
    find: 'limitWasmMemory(code, maxBytes / WASM_PAGE_BYTES)',
    replace: '(maxBytes > WASM_PAGE_BYTES ? code : limitWasmMemory(code, 1))',
    suite: SIZES,
  },
  {
    bug: 'one account holds the memory of a server with many photos that it never sends',
    file: 'server/http/uploads.ts',
    find: "      if (owners.has(owner)) refuse('photoUnderWay', { retryAfter: RETRY_AFTER_S });\n",
    replace: '',
    suite: BODIES,
  },
  {
    bug: 'many accounts hold the memory of a server with photos',
    file: 'server/http/uploads.ts',
    find: 'total + length > MAX_BYTES || ',
    replace: '',
    suite: BODIES,
  },
  {
    bug: 'a photo without a length is read before it is refused',
    file: 'server/http/uploads.ts',
    find: "refuse('lengthNeeded')",
    replace: 'return 0',
    suite: BODIES,
  },
  {
    bug: 'who leaves before the answer can never send a photo again',
    file: 'server/http/uploads.ts',
    find: 'if (!rooms.get(request)?.isWorkedOn) release();',
    replace: 'if (rooms.get(request)?.isWorkedOn) release();',
    suite: BODIES,
  },
  {
    bug: 'bodies of strangers are read before they are refused',
    file: 'server/http/routes.ts',
    find: '    onRequest: async (request, reply) => {\n      await authenticate',
    replace: '    preHandler: async (request, reply) => {\n      await authenticate',
    suite: BODIES,
  },
  {
    bug: 'photos that nobody waits for at a door take both threads',
    file: 'server/files/photoQueue.ts',
    find: '(entry.isProof || !runs(({ isProof }) => !isProof)) && ',
    replace: '',
    suite: QUEUE,
  },
  {
    bug: 'a proof waits behind the pictures of documents',
    file: 'server/files/photoQueue.ts',
    find: 'waiting.find((entry) => entry.isProof && mayStart(entry)) ?? ',
    replace: '',
    suite: QUEUE,
  },
  {
    bug: 'two large photos are decoded at a time',
    file: 'server/files/photoQueue.ts',
    find: ' && !(entry.isLarge && runs(({ isLarge }) => isLarge))',
    replace: '',
    suite: QUEUE,
  },
  {
    bug: 'only photos are counted, and not how long they take',
    file: 'server/files/files.ts',
    find: '  await spendPhotoTime(context, { id: caller.id, address: from }, ms);\n',
    replace: '',
    suite: BUDGET,
  },
  {
    bug: 'many accounts of one network keep the photos of everybody out',
    file: 'server/files/photoBudget.ts',
    find: ', ...networks]',
    replace: ']',
    suite: BUDGET,
  },
  {
    bug: 'the pickups and weighings of now wait behind other photos',
    file: 'server/files/files.sql.ts',
    find: 'return row?.isUnderWay ?? false',
    replace: 'return row?.isUnderWay === undefined',
    suite: FILES,
  },
];
