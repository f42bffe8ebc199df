import { sql } from 'kysely';
import { queryRow, type Tx } from '../db/database.ts';

/** What a user is recognized by: the id that a device keeps, a network, and a browser in a network. */
export const KNOWN_KINDS = ['device', 'network', 'browser'] as const;
type KnownKind = (typeof KNOWN_KINDS)[number];

/** What a request shows of these. */
export type Traits = { readonly [K in KnownKind]: string | undefined };

/** Which of a request's traits the user has signed in with before; `count` is how many the user has. */
export type KnownTraits = { readonly [K in KnownKind]: boolean } & { readonly count: number };

export const MOST_PER_KIND = 20;
const NOBODY = '00000000-0000-0000-0000-000000000000';

/** Without a user it does the same work, so that time does not reveal accounts. */
export async function readKnownTraits(tx: Tx, userId: string | undefined, traits: Traits): Promise<KnownTraits> {
  const isKnown = (kind: KnownKind) =>
    sql`coalesce(bool_or(kind = ${kind} and value = ${traits[kind] ?? null}::text), false) as ${sql.id(kind)}`;
  const known = await queryRow<KnownTraits>(
    tx,
    sql`select ${sql.join(KNOWN_KINDS.map(isKnown))}, count(*)::int as count
      from known_devices where user_id = ${userId ?? NOBODY}`,
  );
  return known ?? { device: false, network: false, browser: false, count: 0 };
}

/** Notes that a user has signed in with these traits. */
export async function rememberTraits(tx: Tx, userId: string, traits: Traits, now: Date): Promise<void> {
  const rows = KNOWN_KINDS.flatMap((kind) => {
    const value = traits[kind];
    return value === undefined ? [] : [{ user_id: userId, kind, value, last_seen_at: now }];
  });
  await tx
    .insertInto('known_devices')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'kind', 'value'])
        .doUpdateSet((eb) => ({ last_seen_at: eb.ref('excluded.last_seen_at') })),
    )
    .execute();
}

/** Forgets the oldest traits above twenty of a kind. */
export async function forgetOldestTraits(tx: Tx, userId: string): Promise<void> {
  const ranked = sql`select kind, value, row_number() over (partition by kind order by last_seen_at desc, value) as rank
    from known_devices where user_id = ${userId}`;
  await sql`delete from known_devices k using (${ranked}) r where k.user_id = ${userId} and k.kind = r.kind
    and k.value = r.value and r.rank > ${MOST_PER_KIND}::int`.execute(tx);
}

/** Forgets devices and browsers. Networks stay, so that strangers cannot make the user wait there. */
export async function forgetDevices(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('known_devices').where('user_id', '=', userId).where('kind', '!=', 'network').execute();
}
