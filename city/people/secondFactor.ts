import { codeAt } from '../../testing/operators.ts';
import { addPasskeyOf } from '../../testing/passkeys.ts';
import { PASSWORD } from '../../testing/testServer.ts';
import type { Operator } from './operator.ts';
import type { Outcome } from './phone.ts';

const PERIOD_MS = 30_000;

const periodOf = (at: number) => Math.floor(at / PERIOD_MS);

/** Adds a passkey, and signs in with it at once. */
export async function signInWithPasskey(operator: Operator): Promise<void> {
  const { phone, email, factor, session, report, name } = operator;
  const added = await withFreshFactor(operator, () =>
    phone.send('add a passkey', [], (api) => addPasskeyOf({ api }, `The laptop of ${name}`)),
  );
  if (!added.ok) return;
  factor.passkey = added.answer;
  const account = { email, password: PASSWORD };
  // What is lost on the way is asked for and signed once more: each answer of a passkey counts once.
  const signedIn = await phone.send('sign in with the passkey', [], async (api) => {
    const passkey = added.answer.use(await api.beginPasskeySignIn({ body: account }));
    return api.operatorSignIn({ body: { ...account, passkey } });
  });
  if (!signedIn.ok) return;
  const { authToken, session: opened } = signedIn.answer;
  if (opened.operator.email !== email)
    report('nobody reads what is not theirs', `${name} signed in and is ${opened.operator.email}`);
  session.token = authToken;
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

async function showFactor({ phone, factor }: Operator): Promise<boolean> {
  const { passkey, secret } = factor;
  if (passkey) {
    const shown = await phone.send('use the passkey again', [], async (api) =>
      api.enterPasskey({ body: { passkey: passkey.use(await api.beginPasskeyEntry({ body: {} })) } }),
    );
    return shown.ok;
  }
  const at = Date.now();
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
