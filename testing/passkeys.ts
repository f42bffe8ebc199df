import { generateKeyPairSync, hash, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { MadePasskey, PasskeyCreation, PasskeyRequest, UsedPasskey } from '../contract/operator/passkeys.ts';
import type { TestOperator } from './operators.ts';

// An authenticator and a browser in software, as WebAuthn describes them: https://www.w3.org/TR/webauthn-3/.

/** What a browser or an authenticator says instead of the truth. */
export type Lies = {
  readonly origin?: string;
  readonly site?: string;
  readonly challenge?: string;
  /** The type in the client data: 'webauthn.create' or 'webauthn.get'. */
  readonly type?: string;
  readonly counter?: number;
  readonly credentialId?: string;
  /** Nobody has touched it, or nobody has shown their finger, face or PIN. */
  readonly isAbsent?: boolean;
  readonly isUnverified?: boolean;
};

/** A passkey in an authenticator. */
export type SoftwarePasskey = {
  /** What the browser answers when it is made. */
  readonly made: MadePasskey;
  /** What the browser answers when it is used. Each use counts. */
  readonly use: (request: PasskeyRequest, lies?: Lies) => UsedPasskey;
};

const FLAGS = { present: 0x01, verified: 0x04, hasKey: 0x40 };
const AAGUID = Buffer.alloc(16);

const sha256 = (data: string | Buffer) => hash('sha256', data, 'buffer');
const base64url = (data: Buffer) => data.toString('base64url');

/**
 * Makes a passkey as a browser does that has the console open at `origin`. `counts` is whether its counter goes up, `format`
 * that of what the maker of the device says about it.
 */
export function makePasskey(
  creation: PasskeyCreation,
  origin: string,
  { counts = true, format = 'none', ...lies }: Lies & { readonly counts?: boolean; readonly format?: string } = {},
): SoftwarePasskey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = lies.credentialId ?? base64url(randomBytes(32));
  const site = creation.rp.id;
  let counter = 0;
  const clientData = clientDataOf({ type: 'webauthn.create', challenge: creation.challenge, origin, ...lies });
  const rawId = Buffer.from(id, 'base64url');
  const length = Buffer.alloc(2);
  length.writeUInt16BE(rawId.length);
  const key = Buffer.concat([AAGUID, length, rawId, encodePublicKey(publicKey)]);
  const authData = Buffer.concat([authenticatorDataOf({ site, counter, ...lies }, FLAGS.hasKey), key]);
  const attestation = new Map<string, CborValue>([
    ['fmt', format],
    ['attStmt', new Map<string, CborValue>(format === 'none' ? [] : [['sig', randomBytes(70)]])],
    ['authData', authData],
  ]);
  const response = {
    clientDataJSON: base64url(clientData),
    attestationObject: base64url(encodeCbor(attestation)),
    transports: ['internal'],
  };
  return {
    made: { id, rawId: id, type: 'public-key', response },
    use: (request, useLies = {}) => {
      if (counts) counter += 1;
      const data = clientDataOf({ type: 'webauthn.get', challenge: request.challenge, origin, ...useLies });
      const authenticatorData = authenticatorDataOf({ site, counter, ...useLies }, 0);
      const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(data)]), privateKey);
      const usedId = useLies.credentialId ?? id;
      return {
        ...{ id: usedId, rawId: usedId, type: 'public-key' },
        response: {
          clientDataJSON: base64url(data),
          authenticatorData: base64url(authenticatorData),
          signature: base64url(signature),
        },
      };
    },
  };
}

type ClientData = { readonly type: string; readonly challenge: string; readonly origin: string };

const clientDataOf = ({ type, challenge, origin }: ClientData): Buffer =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));

function authenticatorDataOf(
  { site, counter, isAbsent, isUnverified }: Lies & { readonly site: string; readonly counter: number },
  flags: number,
): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  const said = flags | (isAbsent ? 0 : FLAGS.present) | (isUnverified ? 0 : FLAGS.verified);
  return Buffer.concat([sha256(site), Buffer.from([said]), count]);
}

/** A key of P-256 as COSE writes it. */
function encodePublicKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  const [KTY, ALG, CURVE, X, Y] = [1, 3, -1, -2, -3];
  const [EC2, ES256, P256] = [2, -7, 1];
  return encodeCbor(
    new Map<number, CborValue>([
      ...([[KTY, EC2], [ALG, ES256], [CURVE, P256]] as const), // biome-ignore format: pairs
      [X, Buffer.from(x, 'base64url')],
      [Y, Buffer.from(y, 'base64url')],
    ]),
  );
}

type CborValue = number | string | Buffer | ReadonlyMap<number | string, CborValue>;

const CBOR = { positive: 0, negative: 1, bytes: 2, text: 3, map: 5 };

/** The few kinds of CBOR that WebAuthn needs: https://www.rfc-editor.org/rfc/rfc8949. */
function encodeCbor(value: CborValue): Buffer {
  if (typeof value === 'number')
    return value >= 0 ? cborHead(CBOR.positive, value) : cborHead(CBOR.negative, -1 - value);
  if (typeof value === 'string')
    return Buffer.concat([cborHead(CBOR.text, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([cborHead(CBOR.bytes, value.length), value]);
  const entries = [...(value as ReadonlyMap<number | string, CborValue>)].flat().map(encodeCbor);
  return Buffer.concat([cborHead(CBOR.map, entries.length / 2), ...entries]);
}

function cborHead(kind: number, size: number): Buffer {
  if (size < 24) return Buffer.from([(kind << 5) | size]);
  return size < 256 ? Buffer.from([(kind << 5) | 24, size]) : Buffer.from([(kind << 5) | 25, size >> 8, size & 255]);
}

/** Gives an operator a passkey, as the settings of the console do. */
export async function addPasskeyOf(
  { api }: Pick<TestOperator, 'api'>,
  name = 'A laptop',
  options: Parameters<typeof makePasskey>[2] = {},
): Promise<SoftwarePasskey & { readonly id: string }> {
  const { origin } = await api.listPasskeys();
  if (origin === null) throw new Error('passkeys do not work here');
  const passkey = makePasskey(await api.beginPasskey({ body: {} }), origin, options);
  const { id } = await api.addPasskey({ body: { name, passkey: passkey.made } });
  return { ...passkey, id };
}
