import type { Config } from '../config/config.ts';
import type { FileParts } from './files.ts';
import { createPhotoReencoder } from './photoReencoder.ts';
import { createS3Storage } from './s3.ts';

export function openFiles({ s3 }: Config): FileParts {
  return { reencoder: createPhotoReencoder(), storage: s3 && createS3Storage(s3) };
}
