import type { FastifyInstance } from 'fastify';
import { type Inbox, openInbox } from './mail/inbox.ts';
import { showInbox } from './mail/pages.ts';
import { serveSmtp } from './mail/smtp.ts';
import { type PageLink, sendPage } from './page.ts';

const LONGEST_LIST = 500;

export type MailStandIn = {
  smtpUrl: string;
  routes(app: FastifyInstance): Promise<void>;
  close(): Promise<void>;
};

type MailOptions = { dataDir: string; smtpPort: number; nav: () => PageLink[]; now: () => Date };

export async function openMail({ dataDir, smtpPort, nav, now }: MailOptions): Promise<MailStandIn> {
  const inbox = await openInbox(dataDir);
  const smtp = await serveSmtp({ inbox, port: smtpPort, now }).catch(async (error: unknown) => {
    await inbox.close();
    throw error;
  });
  return {
    smtpUrl: smtp.url,
    routes: async (app) => serveInbox(app, inbox, nav),
    async close() {
      await smtp.close();
      await inbox.close();
    },
  };
}

function serveInbox(app: FastifyInstance, inbox: Inbox, nav: () => PageLink[]): void {
  app.get<{ Querystring: { to?: string } }>('/sandbox/mail/messages', async ({ query }, reply) => {
    reply.header('cache-control', 'no-store');
    return inbox.list({ to: readAddress(query.to), limit: LONGEST_LIST });
  });

  app.get<{ Querystring: { to?: string } }>('/sandbox/mail', async ({ query }, reply) => {
    const to = readAddress(query.to) ?? '';
    const messages = inbox.list({ to, limit: LONGEST_LIST });
    return sendPage(reply, showInbox({ messages, open: messages[0], reading: false, to, nav: nav() }));
  });

  app.get<{ Params: { id: string }; Querystring: { to?: string } }>('/sandbox/mail/:id', async (request, reply) => {
    const open = inbox.find(request.params.id);
    if (!open) return reply.code(404).send({ statusCode: 404, error: 'Not Found', message: 'No such message' });
    const to = readAddress(request.query.to) ?? '';
    const messages = inbox.list({ to, limit: LONGEST_LIST });
    return sendPage(reply, showInbox({ messages, open, reading: true, to, nav: nav() }));
  });
}

// A repeated query parameter arrives as a list; the first one counts.
function readAddress(to: unknown): string | undefined {
  const first = Array.isArray(to) ? to[0] : to;
  return typeof first === 'string' ? first.trim() : undefined;
}
