import type { Transporter } from 'nodemailer';
import type { Deps } from '../context.ts';
import { giveMailUp, markSent, takeDueMail, tryMailAgain } from './mail.sql.ts';
import type { Letter } from './templates.ts';

const LEASE_S = 60;
const TRIES = 20;
const LONGEST_WAIT_S = 1800;

/** Seconds until the next try after `tries` that failed, ever longer; undefined when it is to be given up. */
export function nextTryAfter(tries: number): number | undefined {
  return tries >= TRIES ? undefined : Math.min(LONGEST_WAIT_S, 2 ** tries);
}

/** Why a mail did not leave, and whether that is the mail server's word that it never will: a 5xx is. */
export function whyNotSent(error: unknown): { readonly why: string; readonly isFinal: boolean } {
  const { message, responseCode } = error as { message: string; responseCode?: number };
  return { why: message, isFinal: responseCode !== undefined && responseCode >= 500 };
}

export type OutgoingMail = Letter & {
  readonly id: string;
  readonly recipient: string;
  readonly headers?: Readonly<Record<string, string>>;
};

export type Post = {
  send(mail: OutgoingMail): Promise<void>;
  close(): void;
};

/** The way out for mails: the SMTP server of the configuration, reached when the first mail leaves. */
export function openPost(config: { smtpUrl?: string; mailFrom: string }): Post {
  let transport: Promise<Transporter> | undefined;
  const open = async () => {
    const { createTransport } = await import('nodemailer');
    const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };
    return createTransport({ url: config.smtpUrl, pool: true, maxConnections: 2, ...timeouts } as never);
  };
  return {
    async send({ id, recipient, subject, text, html, headers = {} }) {
      transport ??= open();
      const to = { name: '', address: recipient };
      // The same id on every try, so that a server that took it twice can tell.
      const messageId = `<${id}@rubadub>`;
      await (await transport).sendMail({ from: config.mailFrom, to, subject, text, html, messageId, headers });
    },
    close() {
      void transport?.then((open) => open.close());
    },
  };
}

/** Sends one mail that is due; false when there was none. A mail that will not leave is tried again, ever more slowly. */
export async function sendDueMail({ db, now, log }: Pick<Deps, 'db' | 'now' | 'log'>, post: Post): Promise<boolean> {
  const mail = await takeDueMail(db, now(), LEASE_S);
  if (!mail) return false;
  try {
    await post.send(mail);
    await markSent(db, mail.id, now());
  } catch (error) {
    const { why: reason, isFinal } = whyNotSent(error);
    const wait = isFinal ? undefined : nextTryAfter(mail.tries);
    if (wait === undefined) {
      log.error({ mail: mail.id, reason }, 'a mail was given up');
      await giveMailUp(db, mail.id, reason, now());
    } else {
      log.warn({ mail: mail.id, reason, wait }, 'a mail did not leave and will be tried again');
      await tryMailAgain(db, mail.id, new Date(now().getTime() + wait * 1000));
    }
  }
  return true;
}
