import type { Transporter } from 'nodemailer';
import { parseEmail } from '../../domain/accounts.ts';
import type { RenderedMail } from './renderMail.ts';

export type OutgoingMail = RenderedMail & {
  readonly id: string;
  readonly recipient: string;
  readonly headers?: Readonly<Record<string, string>>;
};

export type Mailer = {
  send(mail: OutgoingMail): Promise<void>;
  close(): void;
};

/** Sends mails through the configured SMTP server. Connects when the first mail is sent. */
export function openMailer(config: { smtpUrl?: string; mailFrom: string }): Mailer {
  let transport: Promise<Transporter> | undefined;
  const connect = async () => {
    const { createTransport } = await import('nodemailer');
    const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };
    return createTransport({ url: config.smtpUrl, pool: true, maxConnections: 2, ...timeouts } as never);
  };
  return {
    async send({ id, recipient, subject, text, html, headers = {} }) {
      transport ??= connect();
      // The address that the account was proven with, not one that a mail server may understand differently.
      const to = { name: '', address: parseEmail(recipient)?.canonical ?? recipient };
      // Every try has the same id, so that a mail server can recognize a repeat.
      const messageId = `<${id}@rubadub>`;
      await (await transport).sendMail({ from: config.mailFrom, to, subject, text, html, messageId, headers });
    },
    close() {
      void transport?.then((open) => open.close());
    },
  };
}

/** Why a mail was not sent. An SMTP 5xx response is final: a retry would fail in the same way. */
export function describeSendError(error: unknown): { readonly why: string; readonly isFinal: boolean } {
  const { message, responseCode } = error as { message: string; responseCode?: number };
  return { why: message, isFinal: responseCode !== undefined && responseCode >= 500 };
}
