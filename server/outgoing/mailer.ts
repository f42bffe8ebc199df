import { connect } from 'node:net';
import { addAbortSignal } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import type { Transporter } from 'nodemailer';
import { parseEmail } from '../../domain/accounts.ts';
import { type CircuitBreaker, type CircuitTimes, createCircuitBreaker } from './circuitBreaker.ts';
import type { RenderedMail } from './renderMail.ts';

export type OutgoingMail = RenderedMail & {
  readonly from: string | { readonly name: string; readonly address: string };
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

type MailConfig = { smtpUrl?: string };

export type MailCircuit = CircuitBreaker & {
  /** Whether the mail server answers, but did not take the last mail for a reason that is not its recipient. */
  isRefusing(): boolean;
};

/** A circuit breaker for the configured SMTP server, for all mailers. The probe waits for its greeting. */
export function createMailCircuit({ smtpUrl = '' }: MailConfig, times: Partial<CircuitTimes> = {}): MailCircuit {
  const circuit = createCircuitBreaker({
    ...CIRCUIT_TIMES,
    ...times,
    name: 'the mail server',
    probe: (signal) => waitForGreeting(smtpUrl, signal),
    isUnanswered: (error) => (error as SendError).responseCode === undefined,
  });
  let isRefusing = false;
  return {
    ...circuit,
    isRefusing: () => isRefusing,
    async run(call) {
      try {
        const result = await circuit.run(call);
        isRefusing = false;
        return result;
      } catch (error) {
        const { responseCode } = error as SendError;
        if (responseCode !== undefined) isRefusing = !isAboutRecipient(error as SendError);
        throw error;
      }
    },
  };
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
export function openMailer(config: MailConfig, circuit: MailCircuit = createMailCircuit(config)): Mailer {
  let transport: Promise<Transporter> | undefined;
  const connect = async () => {
    const { createTransport } = await import('nodemailer');
    const timeouts = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: 20_000 };
    return createTransport({ url: config.smtpUrl, pool: true, maxConnections: 2, ...timeouts } as never);
  };
  return {
    async send({ from, id, recipient, subject, text, html, headers = {} }) {
      transport ??= connect();
      // The address that the account was proven with, not one that a mail server may understand differently.
      const to = { name: '', address: parseEmail(recipient)?.canonical ?? recipient };
      // Every try has the same id, so that a mail server can recognize a repeat.
      const messageId = `<${id}@rubadub>`;
      const open = await transport;
      const mail = {
        from,
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

/** What nodemailer adds to an error: the answer of the mail server, and the command that it answered. */
type SendError = {
  readonly message: string;
  readonly responseCode?: number;
  readonly response?: string;
  readonly command?: string;
};

/** Begins the reason of every failure that is not the recipient's, so that the console can tell them apart. */
export const MAIL_SERVER_FAILED = 'the mail server does not take our mail';

/** RFC 3463: bad addresses except the sender's own (5.1.7 and 5.1.8), and mailboxes that are disabled or full. */
const RECIPIENT_CODE_PATTERN = /^5\.(?:1\.(?:[0-6]|10)|2\.[0124])$/;
const ENHANCED_CODE_PATTERN = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/;
/** RFC 5321: the mailbox does not exist, is not here, or has a name that is not allowed. */
const RECIPIENT_REPLIES: readonly number[] = [550, 551, 553];
/** Old mail servers also answer 550 to a sender whom they do not know, without an enhanced code. */
const ABOUT_US_PATTERN = /relay|authenticat|quota|limit|sender|blocked|blacklist|blocklist|denied|spam|policy/i;

/** Whether the mail server refused the address of the recipient for good: a retry would fail in the same way. */
function isRefusedRecipient({ responseCode = 0, response = '', command }: SendError): boolean {
  if (responseCode < 500 || (command !== 'RCPT TO' && command !== 'DATA')) return false;
  const enhanced = ENHANCED_CODE_PATTERN.exec(response)?.[1];
  if (enhanced !== undefined) return RECIPIENT_CODE_PATTERN.test(enhanced);
  return command === 'RCPT TO' && RECIPIENT_REPLIES.includes(responseCode) && !ABOUT_US_PATTERN.test(response);
}

/** A recipient who is refused for now, as by greylisting, is no trouble of ours either. */
const isAboutRecipient = (error: SendError): boolean =>
  isRefusedRecipient(error) || (error.command === 'RCPT TO' && (error.responseCode ?? 500) < 500);

/** Why a mail was not sent. Only a refused recipient is final: everything else may be wrong on our side. */
export function describeSendError(error: unknown): { readonly why: string; readonly isFinal: boolean } {
  const failure = error as SendError;
  const why = isAboutRecipient(failure) ? failure.message : `${MAIL_SERVER_FAILED}: ${failure.message}`;
  return { why, isFinal: isRefusedRecipient(failure) };
}
