import type { FastifyInstance } from 'fastify';
import { type Inbox, openInbox } from './mail/inbox.ts';
import { renderInboxPage } from './mail/inboxPage.ts';
import { openSmtpServer } from './mail/smtp.ts';
import { type PageLink, sendPage } from './page.ts';

const MAX_LISTED = 500;

export type MailStandIn = {
  smtpUrl: string;
  registerRoutes(app: FastifyInstance): Promise<void>;
  close(): Promise<void>;
};

type MailOptions = { dataDir: string; smtpPort: number; nav: () => PageLink[]; now: () => Date };

export async function openMailStandIn({ dataDir, smtpPort, nav, now }: MailOptions): Promise<MailStandIn> {
  const inbox = await openInbox(dataDir);
  const smtp = await openSmtpServer({ inbox, port: smtpPort, now }).catch(async (error: unknown) => {
    await inbox.close();
    throw error;
  });
  return {
    smtpUrl: smtp.url,
    registerRoutes: async (app) => serveInbox(app, inbox, nav),
    async close() {
      await smtp.close();
      await inbox.close();
    },
  };
}

function serveInbox(app: FastifyInstance, inbox: Inbox, nav: () => PageLink[]): void {
  app.get<{ Querystring: { to?: string } }>('/sandbox/mail/messages', async ({ query }, reply) => {
    reply.header('cache-control', 'no-store');
    return inbox.list({ to: readAddress(query.to), limit: MAX_LISTED });
  });

  app.get<{ Querystring: { to?: string } }>('/sandbox/mail/count', async ({ query }, reply) => {
    reply.header('cache-control', 'no-store');
    return { count: inbox.list({ to: readAddress(query.to), limit: MAX_LISTED }).length };
  });

  app.get<{ Querystring: { to?: string } }>('/sandbox/mail', async ({ query }, reply) => {
    const to = readAddress(query.to) ?? '';
    const messages = inbox.list({ to, limit: MAX_LISTED });
    return sendPage(reply, renderInboxPage({ messages, selected: messages[0], isMessagePage: false, to, nav: nav() }));
  });

  app.get<{ Params: { id: string }; Querystring: { to?: string } }>('/sandbox/mail/:id', async (request, reply) => {
    const open = inbox.find(request.params.id);
    if (!open) return reply.code(404).send({ statusCode: 404, error: 'Not Found', message: 'No such message' });
    const to = readAddress(request.query.to) ?? '';
    const messages = inbox.list({ to, limit: MAX_LISTED });
    return sendPage(reply, renderInboxPage({ messages, selected: open, isMessagePage: true, to, nav: nav() }));
  });
}

// A repeated query parameter arrives as a list; the first one counts.
function readAddress(to: unknown): string | undefined {
  const first = Array.isArray(to) ? to[0] : to;
  return typeof first === 'string' ? first.trim() : undefined;
}
