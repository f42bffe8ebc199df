import { type RawBuilder, sql } from 'kysely';
import { DEFAULT_IDENTITY, type Identity, type Logo, PRODUCT_NAME } from '../../domain/identity.ts';
import type { Config } from '../config/config.ts';
import { queryRow, type Tx } from '../db/database.ts';
import { settingSql } from './settings.sql.ts';

/** The identity at a time, as JSON; null until an operator has set one. Statements ask for it themselves. */
export const identitySql = (now: RawBuilder<unknown>) => settingSql('identity', now) as RawBuilder<Identity | null>;

/** Who the town is, with the addresses of the configuration. Mails and answers name it so. */
export type PublicTown = Omit<Identity, 'supportEmail'> & {
  readonly supportEmail: string;
  readonly publicUrl: string;
  /** Who mails are from. */
  readonly sender: string | { readonly name: string; readonly address: string };
};

export async function readPublicTown({
  db,
  now,
  config,
}: {
  readonly db: Tx;
  readonly now: () => Date;
  readonly config: Pick<Config, 'publicUrl' | 'supportEmail' | 'mailFrom'>;
}): Promise<PublicTown> {
  const row = await queryRow<{ identity: Identity | null }>(db, sql`select ${identitySql(sql`${now()}`)} as identity`);
  const identity = row?.identity ?? DEFAULT_IDENTITY;
  const { publicUrl, mailFrom } = config;
  const { name, supportEmail } = identity;
  // Like `Rubadub <no-reply@rubadub.test>`, or an address alone.
  const address = mailFrom.slice(mailFrom.lastIndexOf('<') + 1).replace('>', '');
  const sender = name === PRODUCT_NAME ? mailFrom : { name, address };
  return { ...identity, supportEmail: supportEmail ?? config.supportEmail, publicUrl, sender };
}

const newestLogo = (time: Date) => sql`from settings s where s.name = 'logo' and s.valid_from <= ${time}
  order by s.valid_from desc, s.id desc limit 1`;

/** The identity, and a version that changes with it and with the logo. It is read for every page, so the logo is not in it. */
export async function readShownIdentity(
  tx: Tx,
  time: Date,
): Promise<{ readonly identity: Identity; readonly version: string }> {
  const row = await queryRow<{ identity: Identity | null; logo: string | null }>(
    tx,
    sql`select ${identitySql(sql`${time}`)} as identity, (select s.id ${newestLogo(time)})::text as logo`,
  );
  const { identity, logo = null } = row ?? {};
  return {
    identity: identity ?? DEFAULT_IDENTITY,
    version: `${JSON.stringify(identity ?? null)} ${logo}`,
  };
}

/** The logo at a time; null for none. */
export async function readLogo(tx: Tx, time: Date): Promise<Logo | null> {
  const row = await queryRow<{ value: Logo | null }>(tx, sql`select s.value ${newestLogo(time)}`);
  return row?.value ?? null;
}
