import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DAY_MS } from '../../domain/durations.ts';
import type { Config } from '../config/config.ts';
import { API_BASE } from './routes.ts';
import type { TownSource } from './townFiles.ts';

/** RFC 9116 wants less than a year. Each answer counts from now, because the address holds as long as the server runs. */
const SECURITY_TXT_DAYS = 180;
/** The screen that changes the password: a browser's password manager leads there. */
const CHANGE_PASSWORD = '/#/profile';

/** What robots, researchers and password managers look for at fixed addresses. */
export function serveWellKnown(
  app: FastifyInstance,
  {
    config,
    now,
    town,
  }: { config: Pick<Config, 'publicUrl' | 'supportEmail'>; now: () => Date; town?: TownSource | undefined },
): void {
  const sendText = (reply: FastifyReply, lines: readonly string[]) =>
    reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(`${lines.join('\n')}\n`);
  const serve = (
    url: string,
    handler: (request: FastifyRequest, reply: FastifyReply) => FastifyReply | Promise<FastifyReply>,
  ) => app.route({ method: ['GET', 'HEAD'], url, handler });
  // The pages behind the sign-in are in the hash, which robots do not ask for. The tags of bags lead to their owners.
  serve('/robots.txt', (_request, reply) =>
    sendText(reply, ['User-agent: *', `Disallow: ${API_BASE}/`, 'Disallow: /b/']),
  );
  serve('/.well-known/security.txt', async (_request, reply) => {
    const read = await town?.readIdentity().catch(() => undefined);
    return sendText(reply, [
      `Contact: mailto:${read?.identity.supportEmail ?? config.supportEmail}`,
      `Expires: ${new Date(now().getTime() + SECURITY_TXT_DAYS * DAY_MS).toISOString()}`,
      `Canonical: ${config.publicUrl}/.well-known/security.txt`,
      'Preferred-Languages: en',
    ]);
  });
  // did:web: where other programs find the key of work records.
  serve('/.well-known/did.json', (_request, reply) => reply.redirect(`${API_BASE}/work-record/issuer`));
  serve('/.well-known/change-password', (_request, reply) => reply.redirect(CHANGE_PASSWORD));
}

/** Whether a path is one that a program asks for, and no person has typed: a file, or a fixed address of the web. */
export const isForPrograms = (path: string): boolean =>
  path.startsWith('/.well-known/') || /\.[\w-]+$/.test(path.slice(path.lastIndexOf('/')));
