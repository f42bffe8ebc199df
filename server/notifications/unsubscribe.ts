import { createHmac } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { validate } from 'uuid';
import { NOTIFICATION_KINDS, type NotificationKind } from '../../domain/notifications.ts';
import { isSameDigest } from '../auth/secrets.ts';
import type { Context } from '../context.ts';
import { refuse } from '../http/refusals.ts';
import { API_BASE, refuseOtherMethods } from '../http/routes.ts';
import { saveChoice } from './devices.sql.ts';

/** What an unsubscribe link turns off: one person's mails of one kind. */
export type MailSubscription = { readonly userId: string; readonly kind: NotificationKind };

const ONE_CLICK_PATH = `${API_BASE}/unsubscribe/one-click`;

const signSubscription = (key: string, { userId, kind }: MailSubscription) =>
  createHmac('sha256', key).update(`unsubscribe\n${userId}\n${kind}`).digest();

/** The token of an unsubscribe link. It never expires: people keep mails, and the law sets no time limit. */
export function createUnsubscribeToken(key: string, subscription: MailSubscription): string {
  const signature = signSubscription(key, subscription).toString('base64url');
  return [subscription.userId.replaceAll('-', ''), subscription.kind, signature].join('.');
}

/** Verifies a token. Undefined when its signature is not valid. */
export function readUnsubscribeToken(key: string, token: string): MailSubscription | undefined {
  const [compactId = '', kindName = '', signature = '', ...rest] = token.split('.');
  const userId = compactId.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  const kind = NOTIFICATION_KINDS.find((one) => one === kindName);
  if (!kind || !validate(userId) || rest.length > 0) return undefined;
  return isSameDigest(signSubscription(key, { userId, kind }), Buffer.from(signature, 'base64url'))
    ? { userId, kind }
    : undefined;
}

/** The unsubscribe links of a mail: the page for people, and the headers for mail programs (RFC 8058). */
export function createUnsubscribeLinks(publicUrl: string, key: string, subscription: MailSubscription) {
  const token = createUnsubscribeToken(key, subscription);
  return {
    page: `${publicUrl}/#/unsubscribe?token=${token}`,
    headers: {
      'List-Unsubscribe': `<${publicUrl}${ONE_CLICK_PATH}?token=${token}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  };
}

/** Whether a form has the one field of RFC 8058. It may come as application/x-www-form-urlencoded or multipart/form-data. */
function isOneClickForm(form: string): boolean {
  if (new URLSearchParams(form.trim()).get('List-Unsubscribe') === 'One-Click') return true;
  // A part of a multipart form: headers with the name, an empty line, the value.
  const lines = form.split('\n').map((line) => line.trim());
  const header = lines.findIndex((line) => line.toLowerCase().includes('name="list-unsubscribe"'));
  return header !== -1 && lines[lines.indexOf('', header) + 1] === 'One-Click';
}

/**
 * Handles the POST of a mail program's Unsubscribe button. A GET of the same link changes nothing and redirects to the
 * page, because virus scanners open every link of a mail.
 */
export function serveOneClickUnsubscribe(app: FastifyInstance, { db }: Pick<Context, 'db'>, key: string): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: 4_096 }, (_request, body, done) =>
      done(null, body),
    );
    scope.addHook('onSend', async (_request, reply) => void reply.header('cache-control', 'no-store'));
    const tokenOf = (query: unknown) => {
      const { token } = (query ?? {}) as { token?: unknown };
      return typeof token === 'string' ? token : '';
    };
    scope.get(ONE_CLICK_PATH, async ({ query }, reply) =>
      reply.redirect(`/#/unsubscribe?token=${encodeURIComponent(tokenOf(query))}`, 303),
    );
    scope.post(ONE_CLICK_PATH, async ({ query, body }, reply) => {
      if (!isOneClickForm(String(body ?? ''))) refuse('badUnsubscribeLink');
      const { userId, kind } = readUnsubscribeToken(key, tokenOf(query)) ?? refuse('badUnsubscribeLink');
      await saveChoice(db, userId, { kind, mail: false });
      return reply.code(200).send({});
    });
    refuseOtherMethods(scope, ONE_CLICK_PATH, new Set(['GET', 'POST']));
  });
}
