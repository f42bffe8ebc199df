import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { CompactSign } from 'jose';
import type { RecordIssuer } from '../../../contract/workRecords.ts';
import { mondayBefore } from '../../../domain/ledger.ts';
import { toDollars } from '../../../domain/payments.ts';
import { WORK_RECORD_MEDIA_TYPE, WORK_RECORD_TYPES, type WorkRecord } from '../../../domain/workRecord.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import { insertKeyIfMissing, type KeyRow, readKey } from '../../db/keys.sql.ts';
import type { Handlers } from '../../http/routes.ts';
import { sumEarnedAndPaid } from './earnings.sql.ts';
import { earnedByWeek, earnerOf } from './earnings.ts';
import { readRecordRow } from './workRecord.sql.ts';

/** The name of the key within the DID document. */
const KEY_FRAGMENT = '#work-records';

/** The name of an installation as an issuer: the address of its key, as did:web writes addresses. */
function issuerOf(publicUrl: string): string {
  const { host } = new URL(publicUrl);
  return `did:web:${host.replace(':', '%3A')}`;
}

type RecordCaller = Parameters<typeof earnerOf>[0];

export const workRecordHandlers = ({
  db,
  now,
  config,
}: Context): Pick<Handlers, 'readWorkRecord' | 'readRecordIssuer'> => ({
  readWorkRecord: async ({ caller }) => {
    const issuer = issuerOf(config.publicUrl);
    const record = await readRecord(db, caller, now());
    const key = await loadKey(db, now());
    const credential = {
      '@context': ['https://www.w3.org/ns/credentials/v2', { '@vocab': `${config.publicUrl}/#/verify/` }],
      type: WORK_RECORD_TYPES,
      issuer,
      validFrom: now().toISOString(),
      credentialSubject: { id: `urn:uuid:${caller.id}`, ...record },
    };
    const signed = await new CompactSign(new TextEncoder().encode(JSON.stringify(credential)))
      .setProtectedHeader({ alg: 'EdDSA', typ: WORK_RECORD_MEDIA_TYPE, cty: 'vc', kid: `${issuer}${KEY_FRAGMENT}` })
      .sign(createPrivateKey(key.secret));
    return { credential: signed };
  },
  readRecordIssuer: async () => issuerDocument(issuerOf(config.publicUrl), await loadKey(db, now())),
});

async function readRecord(db: Tx, caller: RecordCaller, at: Date): Promise<WorkRecord> {
  const { ratingSum, ratingCount, ...row } = await readRecordRow(db, caller);
  const earner = earnerOf(caller);
  const { earned } = await sumEarnedAndPaid(db, earner);
  const weeks = await earnedByWeek(db, earner, mondayBefore(at));
  return {
    ...row,
    role: caller.role,
    ratings: {
      count: ratingCount,
      average: ratingCount === 0 ? null : Math.round((ratingSum / ratingCount) * 10) / 10,
    },
    earned: toDollars(earned),
    weeks: weeks.filter((week) => week.earned !== 0),
  };
}

/** The key that records are signed with. The first use creates it, and it never changes: old records would count no more. */
async function loadKey(db: Tx, at: Date): Promise<KeyRow> {
  return (await readKey(db, 'record')) ?? (await insertKeyIfMissing(db, 'record', generateKey(), at));
}

function generateKey(): KeyRow {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return {
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    secret: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function issuerDocument(issuer: string, { publicKey }: KeyRow): RecordIssuer {
  const id = `${issuer}${KEY_FRAGMENT}`;
  const { kty = '', crv = '', x = '' } = createPublicKey(publicKey ?? '').export({ format: 'jwk' });
  return {
    '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/jwk/v1'],
    id: issuer,
    verificationMethod: [{ id, type: 'JsonWebKey', controller: issuer, publicKeyJwk: { kty, crv, x } }],
    assertionMethod: [id],
  };
}
