import { buffer } from 'node:stream/consumers';
import PostalMime from 'postal-mime';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import type { Inbox, Message } from './inbox.ts';

const MAX_MESSAGE_BYTES = 10 * 1024 * 1024;

/** Listens on loopback only; port 0 takes a free port. Accepts any user name and password. */
export async function openSmtpServer({ inbox, port, now }: { inbox: Inbox; port: number; now: () => Date }) {
  const server = new SMTPServer({
    // Clients that verify certificates would refuse a self-signed one.
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    authOptional: true,
    disableReverseLookup: true,
    // Servers keep connections open between mails; closing does not wait for them.
    closeTimeout: 500,
    size: MAX_MESSAGE_BYTES,
    rejectOversized: true,
    logger: false,
    onAuth: (auth, _session, done) => done(null, { user: auth.username ?? 'someone' }),
    onData(stream, session, done) {
      parseMessages(stream, session, now).then(
        (messages) => inbox.save(messages).then(() => done(), done),
        (error: Error) => done(error),
      );
    },
  });
  // A client that disconnects in the middle of a command must not crash the process.
  server.on('error', () => undefined);
  const taken = await listen(server, port);
  return {
    url: `smtp://127.0.0.1:${taken}`,
    close: () => new Promise<void>((done) => server.close(() => done())),
  };
}

async function parseMessages(
  stream: SMTPServerDataStream,
  session: SMTPServerSession,
  now: () => Date,
): Promise<Omit<Message, 'id'>[]> {
  const raw = await buffer(stream);
  if (stream.sizeExceeded) return [];
  const mail = await PostalMime.parse(raw);
  const unsubscribe = findUnsubscribeUrl(mail.headers);
  const sender = session.envelope.mailFrom ? session.envelope.mailFrom.address : '';
  return session.envelope.rcptTo.map(({ address }) => ({
    to: address,
    from: mail.from?.address || sender,
    subject: mail.subject ?? '',
    text: mail.text ?? '',
    html: mail.html ?? null,
    date: now().toISOString(),
    ...(mail.messageId ? { messageId: mail.messageId } : {}),
    ...(unsubscribe ? { unsubscribe } : {}),
  }));
}

// RFC 8058: mail programs show an unsubscribe button when both headers are present.
function findUnsubscribeUrl(headers: { key: string; value: string }[]): string | undefined {
  const read = (name: string) => headers.find(({ key }) => key === name)?.value ?? '';
  if (read('list-unsubscribe-post') !== 'List-Unsubscribe=One-Click') return undefined;
  return /<(https?:[^<>]+)>/.exec(read('list-unsubscribe'))?.[1];
}

function listen(server: SMTPServer, port: number): Promise<number> {
  return new Promise((done, fail) => {
    server.once('error', fail);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', fail);
      const address = server.server.address();
      done(typeof address === 'object' && address ? address.port : port);
    });
  });
}
