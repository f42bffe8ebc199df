import { expect } from '@playwright/test';
import type { ProductServer } from './productServer.ts';

type Mail = { readonly subject: string; readonly text: string };

async function fetchMails({ url }: ProductServer, to: string): Promise<readonly Mail[]> {
  const answer = await fetch(`${url}/sandbox/mail/messages?to=${encodeURIComponent(to)}`);
  return (await answer.json()) as Mail[];
}

/** The newest mail to an address whose subject holds `about`, as soon as it is there. */
async function waitForMail(house: ProductServer, to: string, about: string): Promise<Mail> {
  let found: Mail | undefined;
  await expect
    .poll(
      async () => {
        found = (await fetchMails(house, to)).find((mail) => mail.subject.includes(about));
        return found?.subject;
      },
      { message: `a mail to ${to} about ${about}`, intervals: [100] },
    )
    .toContain(about);
  if (!found) throw new Error(`no mail to ${to}`);
  return found;
}

/** The six digits of the sign-up mail. */
export async function readSignUpCode(house: ProductServer, to: string): Promise<string> {
  const { text } = await waitForMail(house, to, 'sign-up code');
  const codes = text.match(/\d{6}/g) ?? [];
  expect(codes, 'the code is the only six digits in the mail').toHaveLength(1);
  return codes[0] ?? '';
}

/** The address in the mail that sets a new password. */
export async function readResetLink(house: ProductServer, to: string): Promise<string> {
  const { text } = await waitForMail(house, to, 'new Rubadub password');
  const link = text.match(/http\S+\/#\/auth\/reset-password\?token=\S+/)?.[0];
  if (!link) throw new Error(`no link in: ${text}`);
  return link;
}

/** The address in the newest mail that leads to the end of mails of its kind. */
export async function readUnsubscribeLink(house: ProductServer, to: string, about = ''): Promise<string> {
  const { text } = await waitForMail(house, to, about);
  const link = text.match(/http\S+\/#\/unsubscribe\?token=\S+/)?.[0];
  if (!link) throw new Error(`no link in: ${text}`);
  return link;
}
