import { connect } from 'node:net';
import { addAbortSignal } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import type { Transporter } from 'nodemailer';
import { parseEmail } from '../../domain/accounts.ts';
import { type CircuitBreaker, type CircuitTimes, createCircuitBreaker } from '../outgoing/circuitBreaker.ts';
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

/** So that nobody's “out of office” answers (RFC 3834, and Exchange's own header). */
const NO_ANSWERS = { 'auto-submitted': 'auto-generated', 'x-auto-response-suppress': 'All' };

const TIMEOUT_MS = 10_000;
// A mail that waits is not given up: it may have been sent. So the probe has as much time as a mail.
const CIRCUIT_TIMES: CircuitTimes = {
  slowMs: TIMEOUT_MS,
  probeMs: TIMEOUT_MS,
  quickProbeMs: TIMEOUT_MS,
  probeEveryMs: 5_000,
};

type MailConfig = { smtpUrl?: string; mailFrom: string };

/** A circuit breaker for the configured SMTP server, for all mailers. The probe waits for its greeting. */
export function createMailCircuit({ smtpUrl = '' }: MailConfig, times: Partial<CircuitTimes> = {}): CircuitBreaker {
  return createCircuitBreaker({
    ...CIRCUIT_TIMES,
    ...times,
    name: 'the mail server',
    probe: (signal) => waitForGreeting(smtpUrl, signal),
    isUnanswered: (error) => (error as { responseCode?: number }).responseCode === undefined,
  });
}

function waitForGreeting(smtpUrl: string, signal: AbortSignal): Promise<void> {
  const { protocol, hostname, port: givenPort } = new URL(smtpUrl);
  const host = hostname.replace(/^\[|\]$/g, '');
  // The defaults of nodemailer.
  const port = Number(givenPort) || (protocol === 'smtps:' ? 465 : 587);
  const isTls = protocol === 'smtps:' || port === 465;
  return new Promise((resolve, reject) => {
    // It sends nothing, so whom it speaks to does not matter.
    const socket = isTls ? connectTls({ host, port, rejectUnauthorized: false }) : connect({ host, port });
    addAbortSignal(signal, socket);
    socket.once('data', () => {
      resolve();
      socket.destroy();
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the mail server closed the connection')));
  });
}

/** Sends mails through the configured SMTP server. Connects when the first mail is sent. */
export function openMailer(config: MailConfig, circuit: CircuitBreaker = createMailCircuit(config)): Mailer {
  let transport: Promise<Transporter> | undefined;
  const connect = async () => {
    const { createTransport } = await import('nodemailer');
    const timeouts = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: 20_000 };
    return createTransport({ url: config.smtpUrl, pool: true, maxConnections: 2, ...timeouts } as never);
  };
  return {
    async send({ id, recipient, subject, text, html, headers = {} }) {
      transport ??= connect();
      // The address that the account was proven with, not one that a mail server may understand differently.
      const to = { name: '', address: parseEmail(recipient)?.canonical ?? recipient };
      // Every try has the same id, so that a mail server can recognize a repeat.
      const messageId = `<${id}@rubadub>`;
      const open = await transport;
      const mail = {
        from: config.mailFrom,
        to,
        subject,
        text,
        html,
        messageId,
        headers: { ...NO_ANSWERS, ...headers },
      };
      await circuit.run(() => open.sendMail(mail));
    },
    close() {
      circuit.stop();
      void transport?.then((open) => open.close());
    },
  };
}

/** Why a mail was not sent. An SMTP 5xx response is final: a retry would fail in the same way. */
export function describeSendError(error: unknown): { readonly why: string; readonly isFinal: boolean } {
  const { message, responseCode } = error as { message: string; responseCode?: number };
  return { why: message, isFinal: responseCode !== undefined && responseCode >= 500 };
}
