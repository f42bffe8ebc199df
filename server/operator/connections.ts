import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { ConnectionTest, TownConnection } from '../../contract/operator/setUp.ts';
import { CONNECTION_VARIABLES, CONNECTIONS, type Connection, type ConnectionUse } from '../../domain/setUp.ts';
import type { Config } from '../config/config.ts';
import { type FileStorage, FileStorageError } from '../files/s3.ts';
import { renderAccountMail } from '../notifications/accountMails.ts';
import type { ConsoleContext, SignedInOperator } from '../operatorContext.ts';
import { openMailer } from '../outgoing/mailer.ts';
import { CardNetworkUnavailableError } from '../payments/card/cards.ts';
import { readPublicTown } from '../town/identity.sql.ts';

/** No test takes longer. */
const TIMEOUT_MS = 8_000;

/** Every third party: whether it is real, and which of its variables are set. */
export const listConnections = (config: Config): TownConnection[] =>
  CONNECTIONS.map((name) => ({
    name,
    use: useOf(name, config),
    variables: CONNECTION_VARIABLES[name].map((variable) => ({
      name: variable,
      isSet: config.variables.includes(variable),
    })),
  }));

function useOf(name: Connection, { sandbox, variables, routingUrl, s3 }: Config): ConnectionUse {
  const isStandIn = { card: sandbox.square, mail: sandbox.mail, search: sandbox.places, map: sandbox.map };
  if (name === 'files') return s3 ? 'real' : 'none';
  if (name !== 'routing') return isStandIn[name] ? 'stand-in' : 'real';
  if (routingUrl === undefined) return 'none';
  return variables.includes('ROUTING_URL') ? 'real' : 'stand-in';
}

type Trying = {
  readonly context: ConsoleContext;
  readonly operator: SignedInOperator;
  readonly storage: FileStorage | undefined;
};

/** Tries a connection as the product uses it, with the keys that it has. Says what works, or what to do. */
export async function tryConnection(name: Connection, trying: Trying): Promise<ConnectionTest> {
  const end = new AbortController();
  const late = sleep(TIMEOUT_MS, undefined, { signal: end.signal, ref: false }).then(
    () => failed(`There was no answer within ${TIMEOUT_MS / 1000} seconds. ${CHECK_ADDRESS[name]}`),
    () => failed('The test was ended'),
  );
  const tried = TESTS[name]({ ...trying, signal: AbortSignal.any([end.signal, AbortSignal.timeout(TIMEOUT_MS)]) });
  return Promise.race([tried, late]).finally(() => end.abort());
}

const works = (words: string): ConnectionTest => ({ isWorking: true, words });
const failed = (words: string): ConnectionTest => ({ isWorking: false, words });

const CHECK_ADDRESS: Readonly<Record<Connection, string>> = {
  card: 'Check that this machine can reach the card network, and try again.',
  mail: 'Check the host and the port in SMTP_URL, and that this machine may send mail.',
  search: 'Check that this machine can reach the address search, and try again.',
  map: 'Check MAP_STYLE_URL: it is the address of a map style, which browsers open too.',
  routing: 'Check ROUTING_URL: it is the address of an OSRM server, without /route.',
  files: 'Check S3_URL: it is the address of the bucket.',
};

type Test = (trying: Trying & { readonly signal: AbortSignal }) => Promise<ConnectionTest>;

const TESTS: Readonly<Record<Connection, Test>> = {
  card: async ({ context: { cards } }) => {
    try {
      const access = await cards.checkAccess();
      if (access.kind === 'closed') return failed(wordsOfRefusal(access.statusCode, access.words));
      const { location, currency, takesCards } = access;
      if (currency !== null && currency !== 'USD')
        return failed(
          `The location “${location}” takes ${currency}, and prices are in US dollars. Choose another one.`,
        );
      if (!takesCards) return failed(`The location “${location}” does not take cards yet. Activate it at Square.`);
      return works(`The card network accepts the keys, for “${location}”. Nothing was charged.`);
    } catch (error) {
      if (error instanceof CardNetworkUnavailableError)
        return failed(`The card network does not answer. ${CHECK_ADDRESS.card}`);
      throw error;
    }
  },
  mail: async ({ context, operator }) => {
    const { config } = context;
    const town = await readPublicTown(context);
    const { email, fullname } = operator.session;
    const mailer = openMailer(config);
    const mail = renderAccountMail(
      {
        subject: 'The mail of your town works',
        greeting: `Hello ${fullname},`,
        lines: ['You have asked for this mail in the set-up of your town.'],
      },
      town,
    );
    try {
      await mailer.send({ id: randomUUID(), from: town.sender, recipient: email, ...mail });
    } catch (error) {
      return failed(wordsOfMailError(error as MailError));
    } finally {
      mailer.close();
    }
    if (config.sandbox.mail) return works(`The stand-in has the mail: ${config.publicUrl}/sandbox/mail`);
    return works(`A mail is on its way to ${email}. If it does not arrive, look into the spam folder.`);
  },
  search: async ({ context: { config }, signal }) => {
    const { baseUrl = '', token = '' } = config.mapbox ?? {};
    const query = new URLSearchParams({
      q: 'Main Street',
      access_token: token,
      session_token: randomUUID(),
      limit: '1',
    });
    const answer = await read(`${baseUrl}/search/searchbox/v1/suggest?${query}`, config, signal);
    if (answer === undefined) return failed(`The address search does not answer. ${CHECK_ADDRESS.search}`);
    if (z.object({ suggestions: z.array(z.unknown()) }).safeParse(answer.body).success)
      return works('The address search finds addresses.');
    return failed(
      `The address search answered ${answer.status}. Check MAPBOX_TOKEN, and that it allows ${config.publicUrl}.`,
    );
  },
  map: async ({ context: { config }, signal }) => {
    const answer = await read(config.mapStyleUrl ?? '', config, signal);
    if (answer === undefined) return failed(`The map does not answer. ${CHECK_ADDRESS.map}`);
    const style = z.object({ version: z.literal(8), layers: z.array(z.unknown()) }).safeParse(answer.body);
    if (style.success) return works(`The map has a style with ${style.data.layers.length} layers.`);
    return failed(
      `MAP_STYLE_URL answered ${answer.status} without a map style. Check the address, and that its key allows ${config.publicUrl}.`,
    );
  },
  routing: async ({ context: { config }, signal }) => {
    const { routingUrl } = config;
    if (routingUrl === undefined)
      return works('Without ROUTING_URL routes are straight lines. Everything else works without it.');
    const answer = await read(`${routingUrl}/route/v1/driving/0,0;0.01,0.01?overview=false`, config, signal);
    if (answer === undefined) return failed(`The router does not answer. ${CHECK_ADDRESS.routing}`);
    // A router without streets at these places is a router, too.
    const known = z.object({ code: z.enum(['Ok', 'NoSegment', 'NoRoute']) }).safeParse(answer.body);
    if (known.success) return works('The router answers.');
    return failed(`ROUTING_URL answered ${answer.status}, and not as an OSRM server. ${CHECK_ADDRESS.routing}`);
  },
  files: async ({ storage }) => {
    if (!storage) return works('Photos are kept in the database, and in its backups. S3_URL moves them to a bucket.');
    const [id, content] = [`test-${randomUUID()}`, Buffer.from('a test of the set-up')];
    try {
      await storage.put(id, content);
      const stored = await storage.get(id);
      await storage.delete(id);
      if (stored?.equals(content)) return works('The bucket stores, returns and deletes files.');
      return failed('The bucket did not return what was stored. Check that no other program cleans it up.');
    } catch (error) {
      if (error instanceof FileStorageError)
        return failed(`${capitalized(error.message)}. Check S3_URL, S3_REGION and the keys.`);
      throw error;
    }
  },
};

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function wordsOfRefusal(statusCode: number, words: string): string {
  if (statusCode === 401 || statusCode === 403)
    return `The card network does not accept SQUARE_ACCESS_TOKEN (${words}). Copy it again, and take token and application id both from production or both from the sandbox.`;
  if (statusCode === 404)
    return `The card network does not know SQUARE_LOCATION_ID (${words}). Copy the id of a location of the same account.`;
  return `The card network answered ${statusCode}: ${words}. ${CHECK_ADDRESS.card}`;
}

/** What nodemailer adds to an error. */
type MailError = { readonly code?: string; readonly responseCode?: number; readonly response?: string };

function wordsOfMailError({ code, responseCode, response = '' }: MailError): string {
  if (code === 'EAUTH') return 'The mail server does not accept the user and password in SMTP_URL. Check both.';
  if (responseCode !== undefined)
    return `The mail server answered “${response.slice(0, 200)}”. Check that it lets you send from the address in MAIL_FROM.`;
  return `The mail server does not answer. ${CHECK_ADDRESS.mail}`;
}

const MAX_ANSWER_LENGTH = 5_000_000;

/** Reads JSON like a browser of the town: keys may be limited to its address. Undefined without an answer. */
async function read(
  url: string,
  { publicUrl }: Config,
  signal: AbortSignal,
): Promise<{ status: number; body: unknown } | undefined> {
  try {
    const response = await fetch(url, { signal, headers: { referer: `${publicUrl}/`, accept: 'application/json' } });
    const text = await response.text();
    return { status: response.status, body: parseJson(text.slice(0, MAX_ANSWER_LENGTH)) };
  } catch {
    return undefined;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
