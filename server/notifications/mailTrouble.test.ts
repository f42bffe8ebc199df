import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { SMTPServer } from 'smtp-server';
import { v7 as newId } from 'uuid';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type NotificationHarness, openNotificationHarness } from '../../testing/notificationHarness.ts';
import { RULE_DATABASES } from '../../testing/testServer.ts';
import { queryRow, queryRows } from '../db/database.ts';
import { createMailCircuit, type MailCircuit, type Mailer, openMailer } from '../outgoing/mailer.ts';
import { findMailTrouble, listUnsentMessages, queueMail, resendMessages } from './outbox.sql.ts';

const START = Date.parse('2026-11-18T12:00:00Z');

type Step = 'AUTH' | 'MAIL FROM' | 'RCPT TO' | 'DATA';
type Refusal = { readonly step: Step; readonly code: number; readonly text: string };

/** A mail server that refuses at one step of SMTP, as \`refusal\` says. */
async function startRefusingMailServer() {
  const state: { refusal: Refusal | undefined } = { refusal: undefined };
  const problemAt = (step: Step): Error | null => {
    const { refusal } = state;
    return refusal?.step === step ? Object.assign(new Error(refusal.text), { responseCode: refusal.code }) : null;
  };
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: (_auth, _session, done) => {
      const problem = problemAt('AUTH');
      return problem ? done(problem) : done(null, { user: 'rubadub' });
    },
    onMailFrom: (_address, _session, done) => done(problemAt('MAIL FROM')),
    onRcptTo: (_address, _session, done) => done(problemAt('RCPT TO')),
    onData: (stream, _session, done) => {
      stream.resume();
      stream.on('end', () => done(problemAt('DATA')));
    },
  });
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  const url = `smtp://rubadub:secret@127.0.0.1:${port}`;
  return { state, url, close: () => new Promise<void>((done) => server.close(() => done())) };
}

describe.each(RULE_DATABASES)('trouble with the mail server on %s', (kind) => {
  let harness: NotificationHarness;
  let mailServer: Awaited<ReturnType<typeof startRefusingMailServer>>;
  let circuit: MailCircuit;
  let mailer: Mailer;
  let seconds = 0;
  beforeAll(async () => {
    harness = await openNotificationHarness(kind);
    mailServer = await startRefusingMailServer();
  });
  afterAll(async () => {
    await mailServer?.close();
    await harness?.close();
  });
  beforeEach(async () => {
    await queryRows(harness.context.db, sql`delete from notifications`);
    mailServer.state.refusal = undefined;
    wait(0);
    // New connections, which are not signed in yet.
    const config = { smtpUrl: mailServer.url };
    circuit = createMailCircuit(config);
    mailer = openMailer(config, circuit);
  });
  afterEach(() => mailer.close());

  const wait = (more: number) => {
    seconds += more;
    harness.setClock(new Date(START + seconds * 1000).toISOString());
  };
  const queue = async (expiresAt?: Date) => {
    const id = newId();
    const mail = { id, recipient: `${id}@rubadub.test`, subject: 'Your code', text: '123456', html: '<p>1</p>' };
    await queueMail(harness.context.db, { ...mail, ...(expiresAt ? { expiresAt } : {}) }, harness.context.now());
    return id;
  };
  const send = () => harness.send({ ...harness.transports, mailer }, ['account-mail']);
  const stateOf = (id: string) =>
    queryRow<{ state: string; tries: number; failure: string | null; has_text: boolean }>(
      harness.context.db,
      sql`select state, tries, failure, rendered_mail is not null as has_text from notifications where about = ${id}`,
    );

  const OURS: readonly Refusal[] = [
    { step: 'AUTH', code: 535, text: '5.7.8 Error: authentication failed' },
    { step: 'AUTH', code: 534, text: '5.7.9 Application-specific password required' },
    { step: 'MAIL FROM', code: 550, text: '5.7.1 the sender address is not verified' },
    { step: 'MAIL FROM', code: 553, text: '5.1.8 the domain of the sender does not exist' },
    { step: 'RCPT TO', code: 554, text: '5.7.1 Relay access denied' },
    { step: 'RCPT TO', code: 550, text: 'relay not permitted' },
    { step: 'RCPT TO', code: 550, text: '5.4.5 Daily user sending limit exceeded' },
    { step: 'DATA', code: 554, text: 'your quota for today is used up' },
    { step: 'DATA', code: 550, text: '5.7.26 this mail is unauthenticated' },
  ];
  test.each(OURS)('$step answered with $code $text is retried with growing waits, and sent later', async (refusal) => {
    mailServer.state.refusal = refusal;
    const id = await queue();
    for (const [tries, waitS] of [2, 4, 8].entries()) {
      expect(await send()).toBe(1);
      expect(await stateOf(id)).toMatchObject({ state: 'due', tries: tries + 1, has_text: true });
      wait(waitS - 1);
      expect(await send(), 'not before its time').toBe(0);
      wait(1);
    }
    expect((await stateOf(id))?.failure).toContain(refusal.text);
    expect(await findMailTrouble(harness.context.db, 10)).toMatchObject({
      count: 1,
      why: expect.stringContaining(refusal.text),
    });
    expect(circuit.isRefusing(), 'as readiness says').toBe(true);
    mailServer.state.refusal = undefined;
    expect(await send()).toBe(1);
    expect(await stateOf(id)).toMatchObject({ state: 'sent', failure: null, has_text: false });
    expect(await findMailTrouble(harness.context.db, 10)).toBeUndefined();
    expect(circuit.isRefusing()).toBe(false);
  });

  const THEIRS: readonly Refusal[] = [
    { step: 'RCPT TO', code: 550, text: '5.1.1 no such person here' },
    { step: 'RCPT TO', code: 550, text: 'no such person here' },
    { step: 'RCPT TO', code: 552, text: '5.2.2 the mailbox is full' },
    { step: 'RCPT TO', code: 556, text: '5.1.10 this domain takes no mail' },
    { step: 'DATA', code: 550, text: '5.1.1 no such person here' },
  ];
  test.each(THEIRS)('$step answered with $code $text is final, and no trouble of ours', async (refusal) => {
    mailServer.state.refusal = refusal;
    const id = await queue();
    expect(await send()).toBe(1);
    expect(await stateOf(id)).toMatchObject({ state: 'given-up', tries: 1, has_text: true });
    expect(await findMailTrouble(harness.context.db, 10)).toBeUndefined();
    expect(circuit.isRefusing()).toBe(false);
  });

  test('a recipient who is refused for now is retried, and is no trouble of ours', async () => {
    mailServer.state.refusal = { step: 'RCPT TO', code: 450, text: '4.2.0 greylisted, come back later' };
    const id = await queue();
    await send();
    expect(await stateOf(id)).toMatchObject({ state: 'due', tries: 1 });
    expect(await findMailTrouble(harness.context.db, 10)).toBeUndefined();
    expect(circuit.isRefusing()).toBe(false);
  });

  test('an operator sends again what was given up or waits long, but not what may be with a worker', async () => {
    const { db, now } = harness.context;
    mailServer.state.refusal = { step: 'RCPT TO', code: 550, text: '5.1.1 no such person here' };
    const givenUp = await queue();
    await send();
    mailServer.state.refusal = { step: 'MAIL FROM', code: 550, text: '5.7.1 the sender address is not verified' };
    const waits = await queue();
    for (let tries = 0; tries < 8; tries += 1) {
      await send();
      wait(2 ** (tries + 1));
    }
    await send();
    const expired = await queue(new Date(now().getTime() + 60_000));
    await send();
    const listed = (await listUnsentMessages(db, 10, now())).map(({ id, nextTryAt, canResend }) => [
      id.split(':').at(-1),
      nextTryAt !== null,
      canResend,
    ]);
    expect(listed.toSorted()).toEqual(
      [
        [givenUp, false, true],
        [waits, true, true],
        [expired, true, true],
      ].toSorted(),
    );
    mailServer.state.refusal = undefined;
    expect(await resendMessages(db, undefined, now()), 'the third one is tried again in seconds by itself').toBe(2);
    expect(await send()).toBe(2);
    expect((await stateOf(givenUp))?.state).toBe('sent');
    expect((await stateOf(waits))?.state).toBe('sent');
    wait(61);
    await send();
    expect(await stateOf(expired), 'its code has expired').toMatchObject({ state: 'dropped', has_text: false });
    expect(await listUnsentMessages(db, 10, now())).toEqual([]);
  });

  test('a mail waits for three days before it is given up, and keeps its text', async () => {
    const { db } = harness.context;
    mailServer.state.refusal = { step: 'AUTH', code: 535, text: '5.7.8 authentication failed' };
    const id = await queue();
    await queryRows(db, sql`update notifications set tries = 158`);
    await send();
    expect(await stateOf(id)).toMatchObject({ state: 'due', tries: 159 });
    wait(1_800);
    await send();
    expect(await stateOf(id)).toMatchObject({ state: 'given-up', tries: 160, has_text: true });
  });
});
