import { v7 as newId } from 'uuid';
import type { BudId, DuberId, ScrubId } from '../../domain/accounts.ts';
import { bandOf } from '../../domain/places.ts';
import type { Tx } from '../../server/db/database.ts';

export type Bud = { readonly role: 'Bud'; readonly id: BudId; readonly addressId: string };
export type Users = {
  readonly buds: readonly Bud[];
  readonly scrubs: readonly { role: 'Scrub'; id: ScrubId }[];
  readonly dubers: readonly { role: 'Duber'; id: DuberId }[];
};

export const LOCATION = { latitude: 24, longitude: 67 };

async function insertUser(tx: Tx, role: 'Bud' | 'Scrub' | 'Duber', now: Date): Promise<string> {
  const id = newId();
  const email = `${id}@rubadub.test`;
  const fullname = `${role} ${id.slice(-4)}`;
  await tx
    .insertInto('users')
    .values({ id, fullname, email, email_key: email, role, password_hash: 'none', created_at: now })
    .execute();
  return id;
}

async function insertAddress(tx: Tx, userId: string, now: Date): Promise<string> {
  const id = newId();
  await tx
    .insertInto('addresses')
    .values({ id, user_id: userId, label: 'Default', address: '12 Heron Street', ...LOCATION, created_at: now })
    .execute();
  return id;
}

/** Inserts users of each role directly, without signing up: payment tests start with an order. */
export async function insertUsers(tx: Tx, countPerRole: number, now: Date): Promise<Users> {
  const buds: Bud[] = [];
  const scrubs: Users['scrubs'][number][] = [];
  const dubers: Users['dubers'][number][] = [];
  for (let index = 0; index < countPerRole; index += 1) {
    const bud = await insertUser(tx, 'Bud', now);
    buds.push({ role: 'Bud', id: bud as BudId, addressId: await insertAddress(tx, bud, now) });
    const scrub = await insertUser(tx, 'Scrub', now);
    await insertAddress(tx, scrub, now);
    const band = bandOf(LOCATION.latitude);
    await tx
      .insertInto('scrub_places')
      .values({ scrub_id: scrub, address: '14 Heron Street', ...LOCATION, band, active: true })
      .execute();
    scrubs.push({ role: 'Scrub', id: scrub as ScrubId });
    dubers.push({ role: 'Duber', id: (await insertUser(tx, 'Duber', now)) as DuberId });
  }
  return { buds, scrubs, dubers };
}
