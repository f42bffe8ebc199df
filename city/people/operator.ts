import { createOperatorClient, type OperatorClient } from '../../contract/operator/client.ts';
import { runOperatorLine } from '../../server/commands/operatorLine.ts';
import { codeAt, tokenOf } from '../../testing/operators.ts';
import type { Random } from '../../testing/random.ts';
import { PASSWORD } from '../../testing/testServer.ts';
import type { CityClock } from './cityClock.ts';
import { chooseAct, pick } from './person.ts';
import { createPhone, type Phone, type PhoneParts } from './phone.ts';

export type Operator = {
  readonly name: string;
  readonly random: Random;
  readonly clock: CityClock;
  readonly phone: Phone<OperatorClient>;
};

/** Invites people to the console on the command line, as the owner of an installation does. Returns the token of each link. */
export async function inviteOperators(emails: readonly string[], env: Record<string, string>): Promise<string[]> {
  const tokens: string[] = [];
  for (const email of emails) {
    const printed = await runOperatorLine(['invite', email], env);
    tokens.push(tokenOf(printed.trim().split('\n').at(-1) ?? ''));
  }
  return tokens;
}

/** Becomes an operator with the token of an invitation, an authenticator app and a password. */
export async function joinAsOperator(
  { email, token, clock }: { readonly email: string; readonly token: string; readonly clock: CityClock },
  parts: PhoneParts,
): Promise<Operator> {
  let session: string | undefined;
  const connect = (send: typeof fetch) => createOperatorClient({ host: '', token: () => session, send });
  const visitor = createPhone({ ...parts, badNetwork: 0, clumsiness: 0 }, connect);
  const body = { token };
  const invitation = await visitor.send('open the invitation', [], (api) => api.readInvitation({ body }));
  if (!invitation.ok) throw new Error(`${parts.owner} cannot open the invitation: ${invitation.message}`);
  const { setup, secret } = invitation.answer;
  const account = { token, setup, email, fullname: parts.owner, password: PASSWORD, code: codeAt(secret, new Date()) };
  const joined = await visitor.send('become an operator', [], (api) => api.acceptInvitation({ body: account }));
  if (!joined.ok) throw new Error(`${parts.owner} cannot become an operator: ${joined.message}`);
  session = joined.answer.authToken;
  return { name: parts.owner, random: parts.random, clock, phone: createPhone(parts, connect) };
}

/** An operator reads Today and handles one of its rows. */
export async function actAsOperator(operator: Operator): Promise<void> {
  const { phone, random } = operator;
  const today = await phone.read('Today', [], (api) => api.readToday());
  if (!today) return;
  const stopped = pick(random, today.stopped.items);
  const open = pick(random, today.cases.items);
  await chooseAct(
    random,
    [
      ...(stopped ? [{ weight: 3, run: () => offerAgain(operator, stopped.deliveryId) }] : []),
      ...(open ? [{ weight: 3, run: () => decideCase(operator, open.id) }] : []),
    ],
    0.5,
  );
}

const offerAgain = ({ phone }: Operator, id: string) =>
  phone.press('offer a delivery again', [id], (api, idempotencyKey) =>
    api['delivery-re-offer']({
      params: { id },
      body: { why: 'asked', reason: 'They have telephoned' },
      idempotencyKey,
    }),
  );

/** Gives half of what was asked for, or closes what needs no decision. */
async function decideCase({ phone, random }: Operator, id: string): Promise<void> {
  const params = { id };
  const one = await phone.read('a case', [id], (api) => api.readTownCase({ params }));
  if (one?.status !== 'with-town') return;
  const about = one.orderId === null ? [id] : [id, one.orderId];
  const words = 'We have looked at the photos.';
  const reason = 'Seen on the photos';
  if (one.items.length === 0) {
    await phone.press(`close ${one.no}`, about, (api, idempotencyKey) =>
      api.closeCase({ params, body: { words, reason }, idempotencyKey }),
    );
    return;
  }
  const most = Math.min(one.caps.garment, one.left ?? 0, one.limit);
  const liable = pick(random, ['scrub', 'platform'] as const) ?? 'platform';
  const items = one.items.map(({ n, asked }) => {
    const amount = Math.floor((Math.min(asked / 2, most) / one.items.length) * 100) / 100;
    return { n, amount, liable };
  });
  await phone.press(`decide ${one.no}`, about, (api, idempotencyKey) =>
    api.decideCase({ params, body: { items, words, reason }, idempotencyKey }),
  );
}
