import { TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Passkey } from '../../../contract/operator/passkeys.ts';
import { MAX_PASSKEYS, PASSKEY_NAME_MAXIMUM } from '../../../domain/operators.ts';
import { QueryError } from '../../ui/ErrorState.tsx';
import { SectionHeader } from '../../ui/SectionHeader.tsx';
import { ActButton } from '../ActButton.tsx';
import { LoadingRows } from '../LoadingRows.tsx';
import { operatorApi } from '../operatorApi.ts';
import { addPasskey, canUsePasskeys } from '../passkeys.ts';
import sections from '../sections.module.css';
import { usePasskeys } from '../usePasskeys.ts';
import { useTownTime } from '../useTownDay.ts';
import styles from './SettingsPage.module.css';

/** What the operator can sign in with besides the authenticator app. */
export function PasskeyList() {
  const passkeys = usePasskeys();
  const { items = [], origin = null } = passkeys.data ?? {};
  const canAdd = canUsePasskeys() && origin === location.origin;
  return (
    <section className={sections.card}>
      <SectionHeader title="Passkeys">{canAdd && items.length < MAX_PASSKEYS && <AddPasskeyButton />}</SectionHeader>
      <p className="quiet">
        Sign in with a fingerprint, your face, a PIN or a security key instead of a code. The codes of your
        authenticator app go on working.
      </p>
      {passkeys.isPending && <LoadingRows label="passkeys" rows={1} isInCard />}
      {passkeys.isError && <QueryError query={passkeys} title="The passkeys did not load" />}
      {passkeys.data && !canAdd && <WhereTheyWork origin={origin} />}
      {items.length > 0 && (
        <ul className={styles.operators} aria-label="Passkeys">
          {items.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} />
          ))}
        </ul>
      )}
    </section>
  );
}

/** Why there is no button: the console is not open where its passkeys are. */
function WhereTheyWork({ origin }: { origin: string | null }) {
  if (origin === null) return <p>They need https and a name: set PUBLIC_URL to the address of the town.</p>;
  if (origin === location.origin) return <p>This browser has no passkeys.</p>;
  return (
    <p>
      They work where the console is open at <a href={`${origin}/#/operator/settings`}>{origin}</a>.
    </p>
  );
}

function PasskeyRow({ passkey }: { passkey: Passkey }) {
  const { id, name, site, createdAt, lastUsedAt } = passkey;
  const townTime = useTownTime();
  return (
    <li className={styles.operator}>
      <div>
        <p>
          <strong>{name}</strong>
        </p>
        <p className="quiet">
          Added {townTime(createdAt)}. {lastUsedAt === null ? 'Not used yet' : `Last used ${townTime(lastUsedAt)}`}
        </p>
        {site !== location.hostname && <p className="quiet">Works at {site} only</p>}
      </div>
      <div className="buttons">
        <ActButton
          label="Remove…"
          title={`Remove “${name}”?`}
          button="Remove the Passkey"
          done="Nobody signs in with it any more"
          isDestructive
          reasonLabel={null}
          run={() => operatorApi.removePasskey({ params: { id }, body: {} })}
        >
          <p>Who is signed in with it stays signed in. If somebody else has the device, sign out everywhere as well.</p>
        </ActButton>
      </div>
    </li>
  );
}

function AddPasskeyButton() {
  const [name, setName] = useState('');
  return (
    <ActButton
      label="Add Passkey…"
      variant="filled"
      title="Add a passkey"
      button="Add the Passkey"
      done="You can sign in with it now"
      reasonLabel={null}
      problems={name.trim() === '' ? { name: 'Give the passkey a name' } : undefined}
      onOpen={() => setName('')}
      run={async () => {
        await addPasskey(name);
        return {};
      }}
    >
      {(errors) => (
        <>
          <TextInput
            label="Name"
            placeholder="Work laptop"
            description="So that you know later which one it is."
            maxLength={PASSKEY_NAME_MAXIMUM}
            value={name}
            error={errors.name}
            data-autofocus
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <p>Your browser asks next where to keep it, and for a finger, your face or a PIN.</p>
        </>
      )}
    </ActButton>
  );
}
