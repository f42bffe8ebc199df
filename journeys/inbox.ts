import { expect } from '@playwright/test';
import type { ProductServer } from './productServer.ts';

type Mail = { readonly subject: string; readonly text: string };

async function fetchMails({ url }: ProductServer, to: string): Promise<readonly Mail[]> {
  const response = await fetch(`${url}/sandbox/mail/messages?to=${encodeURIComponent(to)}`);
  return (await response.json()) as Mail[];
}

/** Waits for a mail to an address whose subject contains `subject`. Returns the newest one. */
async function waitForMail(server: ProductServer, to: string, subject: string): Promise<Mail> {
  let mail: Mail | undefined;
  await expect
    .poll(
      async () => {
        mail = (await fetchMails(server, to)).find((candidate) => candidate.subject.includes(subject));
        return mail?.subject;
      },
      { message: `a mail to ${to} about ${subject}`, intervals: [100] },
    )
    .toContain(subject);
  if (!mail) throw new Error(`no mail to ${to}`);
  return mail;
}

/** Returns the six digits of the sign-up mail. */
export const readSignUpCode = (server: ProductServer, to: string) => readCode(server, to, 'sign-up code');

/** Returns the six digits of the mail about a change of the e-mail address. */
export const readEmailChangeCode = (server: ProductServer, to: string) => readCode(server, to, 'Your code');

async function readCode(server: ProductServer, to: string, subject: string): Promise<string> {
  const { text } = await waitForMail(server, to, subject);
  const codes = text.match(/\d{6}/g) ?? [];
  expect(codes, 'the code is the only six digits in the mail').toHaveLength(1);
  return codes[0] ?? '';
}

/** Returns the link of the password reset mail. */
export async function readResetLink(server: ProductServer, to: string): Promise<string> {
  const { text } = await waitForMail(server, to, 'new Rubadub password');
  const link = text.match(/http\S+\/#\/auth\/reset-password\?token=\S+/)?.[0];
  if (!link) throw new Error(`no link in: ${text}`);
  return link;
}

/** Returns the unsubscribe link of the newest mail. */
export async function readUnsubscribeLink(server: ProductServer, to: string, subject = ''): Promise<string> {
  const { text } = await waitForMail(server, to, subject);
  const link = text.match(/http\S+\/#\/unsubscribe\?token=\S+/)?.[0];
  if (!link) throw new Error(`no link in: ${text}`);
  return link;
}
