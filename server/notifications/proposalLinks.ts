import { createHmac } from 'node:crypto';
import { validate } from 'uuid';
import { isSameDigest } from '../auth/secrets.ts';

const sign = (key: string, proposalId: string) => createHmac('sha256', key).update(`proposal\n${proposalId}`).digest();

/** The token of the link with which a Bud answers a proposal without a session. The proposal is answered once. */
export const createProposalToken = (key: string, proposalId: string): string =>
  `${proposalId}.${sign(key, proposalId).toString('base64url')}`;

/** The proposal of a token. Undefined when its signature is not valid. */
export function readProposalToken(key: string, token: string): string | undefined {
  const [id = '', signature = '', ...rest] = token.split('.');
  if (!validate(id) || rest.length > 0) return undefined;
  return isSameDigest(sign(key, id), Buffer.from(signature, 'base64url')) ? id : undefined;
}

/** The page in the app with the two answers. Opening it changes nothing: some mail programs open every link. */
export const pathOfProposal = (key: string, proposalId: string): string =>
  `/other-time?token=${createProposalToken(key, proposalId)}`;
