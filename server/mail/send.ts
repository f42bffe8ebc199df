import type { Transporter } from 'nodemailer';
import type { Context } from '../context.ts';
import { giveUpMail, markMailSent, rescheduleMail, takeDueMail } from './mail.sql.ts';
import type { RenderedMail } from './templates.ts';

const LEASE_S = 60;
const MAX_TRIES = 20;
const LONGEST_WAIT_S = 1800;

/** Seconds until the next try after `tries` that failed, ever longer; undefined when it is to be given up. */
export function retryDelayS(tries: number): number | undefined {
  return tries >= MAX_TRIES ? undefined : Math.min(LONGEST_WAIT_S, 2 ** tries);
}

/** Why a mail did not leave, and whether that is the mail server's word that it never will: a 5xx is. */
export function describeSendError(error: unknown): { readonly why: string; readonly isFinal: boolean } {
  const { message, responseCode } = error as { message: string; responseCode?: number };
  return { why: message, isFinal: responseCode !== undefined && responseCode >= 500 };
}

export type OutgoingMail = RenderedMail & {
  readonly id: string;
  readonly recipient: string;
  readonly headers?: Readonly<Record<string, string>>;
};

export type Mailer = {
  send(mail: OutgoingMail): Promise<void>;
  close(): void;
};

/** The way out for mails: the SMTP server of the configuration, reached when the first mail leaves. */
export function openMailer(config: { smtpUrl?: string; mailFrom: string }): Mailer {
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
export async function sendDueMail(
  { db, now, log }: Pick<Context, 'db' | 'now' | 'log'>,
  post: Mailer,
): Promise<boolean> {
  const mail = await takeDueMail(db, now(), LEASE_S);
  if (!mail) return false;
  try {
    await post.send(mail);
    await markMailSent(db, mail.id, now());
  } catch (error) {
    const { why: reason, isFinal } = describeSendError(error);
    const wait = isFinal ? undefined : retryDelayS(mail.tries);
    if (wait === undefined) {
      log.error({ mail: mail.id, reason }, 'a mail was given up');
      await giveUpMail(db, mail.id, reason, now());
    } else {
      log.warn({ mail: mail.id, reason, wait }, 'a mail did not leave and will be tried again');
      await rescheduleMail(db, mail.id, new Date(now().getTime() + wait * 1000));
    }
  }
  return true;
}
