import { type RawBuilder, sql } from 'kysely';
import { POLICY_NAMES, type PolicyName, type PolicyValue, type Preset } from '../../domain/policies.ts';
import type { Tx } from '../db/database.ts';

/**
 * Whether a policy has a value at a time, other than the default. Statements read it themselves, so that all servers switch at
 * the same moment.
 */
const hasPolicy = <N extends PolicyName>(name: N, value: PolicyValue<N>, now: RawBuilder<unknown>) =>
  sql<boolean>`coalesce((select policy.value = ${sql.lit(value)} from policies policy
    where policy.name = ${sql.lit(name)} and policy.valid_from <= ${now}::timestamptz
    order by policy.valid_from desc, policy.id desc limit 1), false)`;

/** Whether people who have not accepted the work see rounded places and short names. */
export const isPrivacyCareful = (now: RawBuilder<unknown>): RawBuilder<boolean> => hasPolicy('privacy', 'careful', now);

/** Whether laundry changes hands only with a proof. */
export const isProofCareful = (now: RawBuilder<unknown>): RawBuilder<boolean> => hasPolicy('proof', 'careful', now);

/** Whether an order is started only once its laundry has arrived. */
export const isStartCareful = (now: RawBuilder<unknown>): RawBuilder<boolean> => hasPolicy('start', 'careful', now);

/** Whether orders that are placed now are weighed before the card is charged. */
export const isWeighingCareful = (now: RawBuilder<unknown>): RawBuilder<boolean> =>
  hasPolicy('weighing', 'careful', now);

/** Whether a statement that was built for one privacy policy is the right one. */
export const isPrivacy = (isCareful: boolean, now: RawBuilder<unknown>): RawBuilder<boolean> =>
  isCareful ? isPrivacyCareful(now) : sql`not ${isPrivacyCareful(now)}`;

/** Whether a silent Duber loses a delivery automatically. */
export const isSilenceCareful = (now: RawBuilder<unknown>): RawBuilder<boolean> => hasPolicy('silence', 'careful', now);

/** Whether workers need accepted documents to get work. */
export const isAdmissionCareful = (now: RawBuilder<unknown>): RawBuilder<boolean> =>
  hasPolicy('admission', 'careful', now);

/** From when documents will be required; null when that is not planned. Of two rows for the same time, the later one. */
export const asksDocumentsFrom = (now: RawBuilder<unknown>): RawBuilder<Date | null> =>
  sql<Date | null>`(select min(coming.valid_from) from (select distinct on (policy.valid_from) policy.valid_from, policy.value
      from policies policy where policy.name = 'admission' and policy.valid_from > ${now}::timestamptz
      order by policy.valid_from, policy.id desc) coming where coming.value = 'careful')`;

/** Since when documents are required without interruption; null when they are not. */
export const asksDocumentsSince = (now: RawBuilder<unknown>): RawBuilder<Date | null> =>
  sql<Date | null>`(select min(policy.valid_from) from policies policy
    where policy.name = 'admission' and policy.value = 'careful' and policy.valid_from <= ${now}::timestamptz
      and not exists (select from policies other where other.name = 'admission' and other.value <> 'careful'
        and other.valid_from <= ${now}::timestamptz and (other.valid_from, other.id) > (policy.valid_from, policy.id)))`;

/** Whether workers can send documents: they are required, or will be. */
export const takesDocuments = (now: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`(${isAdmissionCareful(now)} or ${asksDocumentsFrom(now)} is not null)`;

/** The value of a policy at a time, and who set it when; undefined without a row. */
export function readPolicy(tx: Tx, name: PolicyName, now: Date) {
  return tx
    .selectFrom('policies')
    .select(['value', 'valid_from as validFrom', 'set_by as setBy'])
    .where('name', '=', name)
    .where('valid_from', '<=', now)
    .orderBy('valid_from', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** The next value of a policy that was set for later. Of two for the same time, the later decision. */
export function findComingPolicy(tx: Tx, name: PolicyName, now: Date) {
  return tx
    .selectFrom('policies')
    .select(['value', 'valid_from as validFrom', 'set_by as setBy'])
    .where('name', '=', name)
    .where('valid_from', '>', now)
    .orderBy('valid_from')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Adds the row that sets a policy from a time on. Earlier rows stay as its history. */
export async function setPolicy<N extends PolicyName>(
  tx: Tx,
  { name, value, setBy }: { name: N; value: PolicyValue<N>; setBy: string },
  from: Date,
): Promise<void> {
  await tx.insertInto('policies').values({ name, value, valid_from: from, set_by: setBy }).execute();
}

/** Sets every policy to the value of a preset, from one instant on. */
export async function setPreset(tx: Tx, preset: Preset, setBy: string, from: Date): Promise<void> {
  const rows = POLICY_NAMES.map((name) => ({ name, value: preset, valid_from: from, set_by: setBy }));
  await tx.insertInto('policies').values(rows).execute();
}
