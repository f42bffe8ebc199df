import { createOperatorClient, type OperatorClient } from '../../contract/operator/client.ts';
import { OPERATOR_SESSION_IDLE_S } from '../../domain/operators.ts';
import { runCommandLine } from '../../server/commands/runCommandLine.ts';
import { codeAt, tokenOf } from '../../testing/operators.ts';
import type { SoftwarePasskey } from '../../testing/passkeys.ts';
import type { Random } from '../../testing/random.ts';
import { PASSWORD } from '../../testing/testServer.ts';
import type { PromoTerms } from '../checks/prices.ts';
import type { CityClock } from './cityClock.ts';
import { createPhone, type Phone, type PhoneParts } from './phone.ts';
import type { PromoBoard } from './promoBoard.ts';
import type { TouchedBoard } from './touchedBoard.ts';

/** What an operator has besides their password. */
export type SecondFactor = {
  /** The secret of the authenticator app. */
  readonly secret: string;
  /** When the app has shown the code that was used last. */
  usedAt: number;
  passkey: SoftwarePasskey | undefined;
};

export type Operator = {
  readonly name: string;
  readonly email: string;
  /** From 1. */
  readonly number: number;
  readonly random: Random;
  readonly clock: CityClock;
  readonly phone: Phone<OperatorClient>;
  /** `usedAt`: when it was used last, by the servers' time. */
  readonly session: { token: string; usedAt: Date };
  readonly factor: SecondFactor;
  /** Whether they sign in with a passkey as soon as they can. */
  readonly wantsPasskey: boolean;
  /** The promo codes that they have asked for. */
  readonly made: Map<string, PromoTerms>;
  readonly board: PromoBoard;
  readonly touched: TouchedBoard;
  /** Whether the town offers windows. */
  readonly hasWindows: boolean;
  /** How often they have closed the town, and whether it is still paused by them. */
  readonly closed: { times: number; isPaused: boolean };
  count(what: string, by?: number): void;
  report(promise: string, what: string): void;
};

/** Invites people to the console on the command line, as the owner of an installation does. Returns the token of each link. */
export async function inviteOperators(emails: readonly string[], env: Record<string, string>): Promise<string[]> {
  const tokens: string[] = [];
  for (const email of emails) {
    const printed = await runCommandLine(['invite', email], env);
    tokens.push(tokenOf(printed.trim().split('\n').at(-1) ?? ''));
  }
  return tokens;
}

/** Whether the session has ended because nobody has used it for a while, as after hours that pass at once. */
export const isSessionOver = ({ session, clock }: Pick<Operator, 'session' | 'clock'>): boolean =>
  clock.now().getTime() - session.usedAt.getTime() > OPERATOR_SESSION_IDLE_S * 1_000;

type Invited = {
  readonly email: string;
  readonly token: string;
  readonly number: number;
  readonly clock: CityClock;
  readonly board: PromoBoard;
  readonly touched: TouchedBoard;
  /** Whether the town offers windows. */
  readonly hasWindows: boolean;
  count(what: string, by?: number): void;
};

/** Becomes an operator with the token of an invitation, an authenticator app and a password. */
export async function joinAsOperator({ token, ...invited }: Invited, parts: PhoneParts): Promise<Operator> {
  const { email, clock } = invited;
  const session = { token: '', usedAt: clock.now() };
  const connect = (send: typeof fetch) =>
    createOperatorClient({ host: '', token: () => session.token || undefined, send });
  const visitor = createPhone({ ...parts, badNetwork: 0, clumsiness: 0 }, connect);
  const body = { token };
  const invitation = await visitor.send('open the invitation', [], (api) => api.readInvitation({ body }));
  if (!invitation.ok) throw new Error(`${parts.owner} cannot open the invitation: ${invitation.message}`);
  const { setup, secret } = invitation.answer;
  const usedAt = clock.now().getTime();
  const code = codeAt(secret, new Date(usedAt));
  const account = { token, setup, email, fullname: parts.owner, password: PASSWORD, code };
  const joined = await visitor.send('become an operator', [], (api) => api.acceptInvitation({ body: account }));
  if (!joined.ok) throw new Error(`${parts.owner} cannot become an operator: ${joined.message}`);
  session.token = joined.answer.authToken;
  return {
    ...{ ...invited, name: parts.owner, session },
    random: parts.random,
    phone: createPhone({ ...parts, mayBeSignedOut: () => isSessionOver({ session, clock }) }, connect),
    factor: { secret, usedAt, passkey: undefined },
    // Every other one, so that a code of the app is used as well.
    wantsPasskey: invited.number % 2 === 1,
    made: new Map(),
    closed: { times: 0, isPaused: false },
    report: parts.log.report,
  };
}
