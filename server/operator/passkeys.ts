import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import type { MadePasskey, PasskeyCreation, PasskeyRequest, UsedPasskey } from '../../contract/operator/passkeys.ts';
import { PASSKEY_CHALLENGE_S } from '../../domain/operators.ts';
import { type Config, isLoopback } from '../config/config.ts';
import type { Log } from '../log.ts';
import type { ConsoleContext } from '../operatorContext.ts';
import { readPublicTown } from '../town/identity.sql.ts';
import { reportCopiedPasskey } from './passkeyReports.ts';
import {
  advanceCounter,
  consumeChallenge,
  findPasskey,
  insertChallenge,
  listStoredPasskeys,
  type NewPasskey,
  type PasskeyPurpose,
  type StoredPasskey,
} from './passkeys.sql.ts';

/** Where passkeys work: `id` is the name that authenticators know, `origin` is where the console is open. */
export type PasskeySite = { readonly id: string; readonly origin: string };

/**
 * From PUBLIC_URL. Browsers give passkeys to pages of https and of this machine only, and to names, not to addresses: a console at
 * 127.0.0.1 has them at localhost. Undefined when there is no such place.
 */
export function passkeySiteOf({ publicUrl }: Pick<Config, 'publicUrl'>): PasskeySite | undefined {
  const { protocol, hostname, port } = new URL(publicUrl);
  if (isLoopback(hostname)) return { id: 'localhost', origin: `${protocol}//localhost${port && `:${port}`}` };
  const isAddress = hostname.startsWith('[') || isIP(hostname) !== 0;
  return protocol === 'https:' && !isAddress ? { id: hostname, origin: publicUrl } : undefined;
}

const CHALLENGE_BYTES = 32;
const TIMEOUT_MS = PASSKEY_CHALLENGE_S * 1000;
/** EdDSA, ES256 and RS256: every server can check these, whichever Node it runs. */
const ALGORITHMS = [-8, -7, -257];

type PasskeyContext = Pick<ConsoleContext, 'db' | 'now' | 'config'>;

async function createChallenge(
  { db, now }: PasskeyContext,
  operatorId: string,
  purpose: PasskeyPurpose,
): Promise<string> {
  const challenge = randomBytes(CHALLENGE_BYTES).toString('base64url');
  await insertChallenge(db, { challenge, operatorId, purpose }, new Date(now().getTime() + TIMEOUT_MS));
  return challenge;
}

const describe = ({ credentialId, transports }: StoredPasskey) => ({
  ...{ id: credentialId, type: 'public-key' as const, transports },
});

/** The passkeys of an operator that work where the console is open now. */
export async function listUsablePasskeys({ db, config }: PasskeyContext, operatorId: string): Promise<StoredPasskey[]> {
  const site = passkeySiteOf(config);
  return (await listStoredPasskeys(db, operatorId)).filter((passkey) => passkey.site === site?.id);
}

/** What a browser needs to use a passkey. Undefined when the operator has none here. */
export async function requestPasskey(
  context: PasskeyContext,
  operatorId: string,
  purpose: 'sign-in' | 'step-up',
): Promise<PasskeyRequest | undefined> {
  const passkeys = await listUsablePasskeys(context, operatorId);
  const [first] = passkeys;
  if (!first) return undefined;
  return {
    challenge: await createChallenge(context, operatorId, purpose),
    rpId: first.site,
    timeout: TIMEOUT_MS,
    allowCredentials: passkeys.map(describe),
    userVerification: 'required',
  };
}

type Owner = { readonly id: string; readonly fullname: string; readonly email: string };

/** What a browser needs to make a passkey, on a device that has none of `known`. */
export async function requestNewPasskey(
  context: PasskeyContext,
  { id, fullname, email }: Owner,
  { site, known }: { site: PasskeySite; known: readonly StoredPasskey[] },
): Promise<PasskeyCreation> {
  return {
    challenge: await createChallenge(context, id, 'add'),
    rp: { id: site.id, name: `${(await readPublicTown(context)).name} Console` },
    user: {
      id: Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url'),
      name: email,
      displayName: fullname,
    },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ alg, type: 'public-key' })),
    timeout: TIMEOUT_MS,
    attestation: 'none',
    excludeCredentials: known.map(describe),
    authenticatorSelection: { residentKey: 'preferred', requireResidentKey: false, userVerification: 'required' },
  };
}

/** The challenge that an answer of a browser says it is for. Undefined when there is none in it. */
function challengeOf(clientDataJson: string): string | undefined {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJson, 'base64url').toString('utf8')) as {
      challenge?: unknown;
    };
    return typeof challenge === 'string' ? challenge : undefined;
  } catch {
    return undefined;
  }
}

/** Takes the challenge of an answer before anything in it is checked: an answer is tried once. */
async function consumeChallengeOf(
  { db, now }: PasskeyContext,
  clientDataJson: string,
  about: { operatorId: string; purpose: PasskeyPurpose },
): Promise<string | undefined> {
  const challenge = challengeOf(clientDataJson);
  if (challenge === undefined) return undefined;
  return (await consumeChallenge(db, { challenge, ...about }, now())) ? challenge : undefined;
}

// Few installations use passkeys, and the library takes 27 MB: it is loaded with the first one.
const loadLibrary = () => import('@simplewebauthn/server');

/** The library throws at what is wrong, with words for the log. */
async function orUndefined<T>(log: Log, check: () => Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await check();
  } catch (error) {
    log.warn({ reason: (error as Error).message.slice(0, 200) }, 'a passkey was not accepted');
    return undefined;
  }
}

/**
 * An attestation without the certificates of the device's maker. Nobody has asked for them, and the library would download what
 * they name.
 */
async function dropCertificates(attestationObject: string): Promise<string> {
  const { decodeAttestationObject, isoBase64URL, isoCBOR } = await import('@simplewebauthn/server/helpers');
  const authData = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject)).get('authData');
  const kept = { fmt: 'none', attStmt: new Map(), authData };
  return isoBase64URL.fromBuffer(isoCBOR.encode(new Map(Object.entries(kept))));
}

type CheckedPasskey = Pick<NewPasskey, 'credentialId' | 'publicKey' | 'counter' | 'transports' | 'site'>;

/** Checks a passkey that a browser has made. Undefined for one that was not made here, now and for this operator. */
export async function checkNewPasskey(
  context: PasskeyContext & { readonly log: Log },
  { operatorId, site, made }: { operatorId: string; site: PasskeySite; made: MadePasskey },
): Promise<CheckedPasskey | undefined> {
  const { id, rawId, type, response } = made;
  const expectedChallenge = await consumeChallengeOf(context, response.clientDataJSON, { operatorId, purpose: 'add' });
  if (expectedChallenge === undefined) return undefined;
  const { verifyRegistrationResponse } = await loadLibrary();
  const { clientDataJSON, transports = [] } = response;
  return orUndefined(context.log, async () => {
    const attestationObject = await dropCertificates(response.attestationObject);
    const { registrationInfo } = await verifyRegistrationResponse({
      response: { id, rawId, type, response: { clientDataJSON, attestationObject }, clientExtensionResults: {} },
      expectedChallenge,
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (registrationInfo === undefined) return undefined;
    const { credential } = registrationInfo;
    const { id: credentialId, publicKey, counter } = credential;
    return { credentialId, publicKey, counter, transports, site: site.id };
  });
}

/** Whether the operator has used one of their passkeys here and now. It counts once, and tells the town of a copied one. */
export async function consumePasskey(
  context: ConsoleContext,
  { operatorId, purpose, used }: { operatorId: string; purpose: 'sign-in' | 'step-up'; used: UsedPasskey },
): Promise<boolean> {
  const { db, now, log } = context;
  const expectedChallenge = await consumeChallengeOf(context, used.response.clientDataJSON, { operatorId, purpose });
  const site = passkeySiteOf(context.config);
  if (expectedChallenge === undefined || !site) return false;
  const passkey = await findPasskey(db, { operatorId, credentialId: used.id, site: site.id });
  if (!passkey) return false;
  const { verifyAuthenticationResponse } = await loadLibrary();
  const counter = await orUndefined(log, async () => {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...used, clientExtensionResults: {} },
      expectedChallenge,
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      requireUserVerification: true,
      // The library compares counters before it checks the signature. Ours is compared after it: only the key itself can raise an alarm.
      credential: { id: passkey.credentialId, publicKey: new Uint8Array(passkey.publicKey), counter: 0 },
    });
    return verified ? authenticationInfo.newCounter : undefined;
  });
  if (counter === undefined) return false;
  if (await advanceCounter(db, passkey.id, counter, now())) return true;
  await reportCopiedPasskey(context, operatorId, passkey.id);
  return false;
}
