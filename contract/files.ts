import { z } from 'zod';
import { anyRole, call } from './call.ts';
import { id, strict, uuid } from './fields.ts';

export const storedPhoto = z
  .object({
    id: uuid,
    type: z.literal('image/jpeg'),
    width: z.int().describe('pixels'),
    height: z.int().describe('pixels'),
    bytes: z.int().describe('the size of the photo as it is kept'),
  })
  .meta({ id: 'StoredPhoto' });
export type StoredPhoto = z.infer<typeof storedPhoto>;

export const createFile = call({
  method: 'POST',
  path: '/files',
  who: anyRole,
  takesPhoto: true,
  idempotent: true,
  answer: storedPhoto,
  status: 201,
  failures: [
    ...(['notPhotoType', 'lengthNeeded', 'photoTooLarge', 'notAPhoto', 'tooManyPixels', 'photoTooSlow'] as const),
    ...(['photoUnderWay', 'tooManyPhotos', 'keyReused'] as const),
  ],
  summary: 'Sends a photo. It is kept for a day, and longer once a step uses it',
  spec: '10',
});

export const readFile = call({
  method: 'GET',
  path: '/files/:id',
  who: anyRole,
  answersFile: 'photo',
  params: strict({ id: id('File id') }),
  answer: z.instanceof(Blob),
  status: 200,
  failures: ['notFound'],
  summary: 'A photo, for its owner and the people of what it is about',
  spec: '10',
  example: { params: { id: '01932f6e-7d1c-7a3b-8c5d-1e2f3a4b5c6d' } },
});
