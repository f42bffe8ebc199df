import { randomBytes } from 'node:crypto';
import { v7 as newId } from 'uuid';
import type { Tx } from '../server/db/database.ts';
import { insertFile, markKept } from '../server/files/files.sql.ts';
import { asBlob, SMALL_PHOTO } from './photos.ts';
import type { TestUser } from './testServer.ts';

/** A photo that a person has sent and no step has used, without the HTTP layer and without content. Returns its id. */
export async function storePhoto(db: Tx, owner: string, at: Date): Promise<string> {
  const id = newId();
  const photo = { bytes: 1, type: 'image/jpeg', width: 1, height: 1, sha256: randomBytes(32), sent: randomBytes(32) };
  await insertFile(db, { id, owner, requestKey: null, ...photo }, at);
  await markKept(db, id, at);
  return id;
}

/** Sends a new photo. Returns its id. */
export const sendPhoto = async ({ api }: Pick<TestUser, 'api'>): Promise<string> =>
  (await api.createFile({ photo: asBlob(SMALL_PHOTO) })).id;
