import { sql } from 'kysely';
import { v7 as newId } from 'uuid';
import type { BudId, DuberId, ScrubId } from '../../domain/accounts.ts';
import { bandOf } from '../../domain/places.ts';
import { queryRows, type Tx } from '../../server/db/database.ts';

export type Bud = { readonly role: 'Bud'; readonly id: BudId; readonly addressId: string };
export type Users = {
  readonly buds: readonly Bud[];
  readonly scrubs: readonly { role: 'Scrub'; id: ScrubId }[];
  readonly dubers: readonly { role: 'Duber'; id: DuberId }[];
};

const LOCATION = { latitude: 24, longitude: 67 };

async function insertUser(tx: Tx, role: 'Bud' | 'Scrub' | 'Duber', now: Date): Promise<string> {
  const id = newId();
  const email = `${id}@rubadub.test`;
  await queryRows(
    tx,
    sql`insert into users (id, fullname, email, email_key, role, password_hash, created_at)
      values (${id}, ${`${role} ${id.slice(-4)}`}, ${email}, ${email}, ${role}, 'none', ${now})`,
  );
  return id;
}

async function insertAddress(tx: Tx, userId: string, now: Date): Promise<string> {
  const id = newId();
  await queryRows(
    tx,
    sql`insert into addresses (id, user_id, label, address, latitude, longitude, created_at)
      values (${id}, ${userId}, 'Default', '12 Heron Street', ${LOCATION.latitude}, ${LOCATION.longitude}, ${now})`,
  );
  return id;
}

/** People without the sign-up: what is tested here begins with an order. */
export async function insertUsers(tx: Tx, many: number, now: Date): Promise<Users> {
  const [buds, scrubs, dubers]: [Bud[], { role: 'Scrub'; id: ScrubId }[], { role: 'Duber'; id: DuberId }[]] = [
    [],
    [],
    [],
  ];
  for (let index = 0; index < many; index += 1) {
    const bud = await insertUser(tx, 'Bud', now);
    buds.push({ role: 'Bud', id: bud as BudId, addressId: await insertAddress(tx, bud, now) });
    const scrub = await insertUser(tx, 'Scrub', now);
    await insertAddress(tx, scrub, now);
    await queryRows(
      tx,
      sql`insert into scrub_places (scrub_id, address, latitude, longitude, band, active)
        values (${scrub}, '14 Heron Street', ${LOCATION.latitude}, ${LOCATION.longitude}, ${bandOf(LOCATION.latitude)}, true)`,
    );
    scrubs.push({ role: 'Scrub', id: scrub as ScrubId });
    dubers.push({ role: 'Duber', id: (await insertUser(tx, 'Duber', now)) as DuberId });
  }
  return { buds, scrubs, dubers };
}
