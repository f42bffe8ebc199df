import { setTimeout as sleep } from 'node:timers/promises';
import { codeAt } from '../../testing/operators.ts';
import { addPasskeyOf } from '../../testing/passkeys.ts';
import { PASSWORD } from '../../testing/testServer.ts';
import { isSessionOver, type Operator } from './operator.ts';
import type { Outcome } from './phone.ts';

const PERIOD_MS = 30_000;

const periodOf = (at: number) => Math.floor(at / PERIOD_MS);

/** Adds a passkey, and signs in with it at once. */
export async function signInWithPasskey(operator: Operator): Promise<void> {
  const { phone, factor, name } = operator;
  const added = await withFreshFactor(operator, () =>
    phone.send('add a passkey', [], (api) => addPasskeyOf({ api }, `The laptop of ${name}`)),
  );
  if (!added.ok) return;
  factor.passkey = added.answer;
  await signIn(operator);
}

/** Signs in again when the session has ended. Whether they are signed in. */
export async function staySignedIn(operator: Operator): Promise<boolean> {
  const { session, clock } = operator;
  if (isSessionOver(operator) && !(await signIn(operator))) return false;
  session.usedAt = clock.now();
  return true;
}

async function signIn(operator: Operator): Promise<boolean> {
  const { phone, email, factor, session, report, name } = operator;
  const { passkey } = factor;
  const account = { email, password: PASSWORD };
  // After a lost request, ask for a new challenge or wait for a new code: the server accepts each one once.
  const signedIn = await phone.send('sign in', [], async (api) => {
    const shown = passkey
      ? { passkey: passkey.use(await api.beginPasskeySignIn({ body: account })) }
      : { code: await waitForCode(operator) };
    return api.operatorSignIn({ body: { ...account, ...shown } });
  });
  if (!signedIn.ok) return false;
  const { authToken, session: opened } = signedIn.answer;
  if (opened.operator.email !== email)
    report('nobody reads what is not theirs', `${name} signed in and is ${opened.operator.email}`);
  session.token = authToken;
  return true;
}

/** A code of the app that was not used yet. */
async function waitForCode({ factor, clock }: Operator): Promise<string> {
  const now = () => clock.now().getTime();
  if (periodOf(now()) === periodOf(factor.usedAt)) await sleep(PERIOD_MS - (now() % PERIOD_MS));
  factor.usedAt = now();
  return codeAt(factor.secret, new Date(factor.usedAt));
}

/**
 * Repeats what was refused because the second factor is too old, after it was shown once more: with the passkey, or with a code
 * that was not used yet.
 */
export async function withFreshFactor<T>(operator: Operator, press: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
  const done = await press();
  if (done.ok || done.code !== 'codeTooOld') return done;
  return (await showFactor(operator)) ? press() : done;
}

async function showFactor({ phone, factor, clock }: Operator): Promise<boolean> {
  const { passkey, secret } = factor;
  if (passkey) {
    const shown = await phone.send('use the passkey again', [], async (api) =>
      api.enterPasskey({ body: { passkey: passkey.use(await api.beginPasskeyEntry({ body: {} })) } }),
    );
    return shown.ok;
  }
  const at = clock.now().getTime();
  if (periodOf(at) === periodOf(factor.usedAt)) return false;
  factor.usedAt = at;
  const code = codeAt(secret, new Date(at));
  let tries = 0;
  const shown = await phone.send('enter a code', [], async (api) => {
    tries += 1;
    // A code counts once: when its answer was lost, there is a new one later.
    if (tries === 1) await api.enterCode({ body: { code } });
  });
  return shown.ok;
}
