import { compactVerify, decodeProtectedHeader, errors, importJWK } from 'jose';
import { type RecordIssuer, WorkRecordCredential } from '../../contract/workRecords.ts';
import { WORK_RECORD_MAXIMUM, type WorkRecord } from '../../domain/workRecord.ts';

export type CheckedRecord =
  | { readonly is: 'genuine'; readonly record: WorkRecord; readonly signedAt: string }
  | { readonly is: 'of-another-town'; readonly page: string }
  | { readonly is: 'changed' | 'no-record' | 'not-checkable' };

/** Where an issuer checks its records, or undefined if the text is no name of an installation. */
function checkingPageOf(issuer: string): string | undefined {
  const host = /^did:web:([a-z0-9.-]+(?:%3A\d{1,5})?)$/i.exec(issuer)?.[1]?.replace('%3A', ':');
  return host && `${/^(localhost|127\.0\.0\.1)(:|$)/.test(host) ? 'http' : 'https'}://${host}/#/verify`;
}

/** Checks the signature of a record with the key of an installation. Nothing is sent. */
export async function checkRecord(text: string, issuer: RecordIssuer): Promise<CheckedRecord> {
  const token = text.trim();
  const keyName = keyNameOf(token);
  if (keyName === undefined) return { is: 'no-record' };
  const method = issuer.verificationMethod.find(({ id }) => id === keyName);
  if (!method) {
    const page = checkingPageOf(keyName.split('#')[0] ?? '');
    return page === undefined ? { is: 'no-record' } : { is: 'of-another-town', page };
  }
  const key = await importJWK(method.publicKeyJwk, 'EdDSA').catch(() => undefined);
  if (!key) return { is: 'not-checkable' };
  try {
    const { payload } = await compactVerify(token, key, { algorithms: ['EdDSA'] });
    const credential = WorkRecordCredential.safeParse(JSON.parse(new TextDecoder().decode(payload)));
    if (!credential.success || credential.data.issuer !== issuer.id) return { is: 'no-record' };
    return { is: 'genuine', record: credential.data.credentialSubject, signedAt: credential.data.validFrom };
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof SyntaxError) return { is: 'changed' };
    throw error;
  }
}

function keyNameOf(token: string): string | undefined {
  if (token.length > WORK_RECORD_MAXIMUM) return undefined;
  try {
    const { kid } = decodeProtectedHeader(token);
    // As the text says it, not as its type promises.
    return typeof kid === 'string' ? kid : undefined;
  } catch {
    return undefined;
  }
}
