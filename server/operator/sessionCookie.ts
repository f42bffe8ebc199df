import type { FastifyRequest } from 'fastify';
import { OPERATOR_SESSION_MAX_AGE_S } from '../../domain/operators.ts';
import { isUserInitiated } from '../http/fetchMetadata.ts';
import { readBearerToken } from '../http/request.ts';
import { API_BASE } from '../http/routes.ts';

const NAME = 'rubadub-operator';

/**
 * The token of a request: of the Authorization header, or of the cookie that the console is signed in with. Fails with 401
 * without one. A browser sends the cookie by itself, so it counts only in a request from our own pages.
 */
export function readSessionToken(request: FastifyRequest): string {
  const token = isUserInitiated(request.headers) ? readCookie(request.headers.cookie) : undefined;
  return request.headers.authorization === undefined && token ? token : readBearerToken(request);
}

const readCookie = (header: string | undefined): string | undefined =>
  header
    ?.split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${NAME}=`))
    ?.slice(NAME.length + 1);

/** Keeps a token in a cookie that no script can read, and that other sites cannot make a browser send. An empty one ends it. */
export function renderSessionCookie(token: string, { publicUrl }: { readonly publicUrl: string }): string {
  const maxAgeS = token === '' ? 0 : OPERATOR_SESSION_MAX_AGE_S;
  const parts = [`${NAME}=${token}`, `Path=${API_BASE}/operator`, `Max-Age=${maxAgeS}`, 'HttpOnly', 'SameSite=Strict'];
  return [...parts, ...(publicUrl.startsWith('https:') ? ['Secure'] : [])].join('; ');
}
