import { createHmac } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { validate } from 'uuid';
import { NOTIFICATION_KINDS, type NotificationKind } from '../../domain/notifications.ts';
import { isSameDigest } from '../auth/secrets.ts';
import type { Context } from '../context.ts';
import { refuse } from '../http/refusals.ts';
import { API_BASE, refuseOtherMethods } from '../http/routes.ts';
import { saveChoice } from './devices.sql.ts';

/** What an unsubscribe link is good for: one person's mails of one kind. */
export type MailSubscription = { readonly userId: string; readonly kind: NotificationKind };

const ONE_CLICK_PATH = `${API_BASE}/unsubscribe/one-click`;

const signSubscription = (key: string, { userId, kind }: MailSubscription) =>
  createHmac('sha256', key).update(`unsubscribe\n${userId}\n${kind}`).digest();

/** The token of an unsubscribe link. It is good for ever: mails are kept, and the law knows no date for this. */
export function createUnsubscribeToken(key: string, leave: MailSubscription): string {
  return [leave.userId.replaceAll('-', ''), leave.kind, signSubscription(key, leave).toString('base64url')].join('.');
}

/** What a token was made for, or undefined when we did not make it. */
export function readUnsubscribeToken(key: string, token: string): MailSubscription | undefined {
  const [person = '', word = '', mac = '', ...rest] = token.split('.');
  const userId = person.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  const kind = NOTIFICATION_KINDS.find((one) => one === word);
  if (!kind || !validate(userId) || rest.length > 0) return undefined;
  return isSameDigest(signSubscription(key, { userId, kind }), Buffer.from(mac, 'base64url'))
    ? { userId, kind }
    : undefined;
}

/** The links of a mail: the page for people, and the header's for mail programs (RFC 8058). */
export function createUnsubscribeLinks(publicUrl: string, key: string, leave: MailSubscription) {
  const token = createUnsubscribeToken(key, leave);
  return {
    page: `${publicUrl}/#/unsubscribe?token=${token}`,
    headers: {
      'List-Unsubscribe': `<${publicUrl}${ONE_CLICK_PATH}?token=${token}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  };
}

/**
 * Takes what mail programs post when somebody presses their Unsubscribe button. Looking at the same link changes
 * nothing, because scanners look at every link of a mail: it leads to the page, which asks.
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
      // The form may come as application/x-www-form-urlencoded or as multipart/form-data.
      if (!/List-Unsubscribe\s*(?:=|"\s+)\s*One-Click/i.test(String(body ?? ''))) refuse('badUnsubscribeLink');
      const leave = readUnsubscribeToken(key, tokenOf(query)) ?? refuse('badUnsubscribeLink');
      await saveChoice(db, leave.userId, { kind: leave.kind, mail: false });
      return reply.code(200).send({});
    });
    refuseOtherMethods(scope, ONE_CLICK_PATH, new Set(['GET', 'POST']));
  });
}
