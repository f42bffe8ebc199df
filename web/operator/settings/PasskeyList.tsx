import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Passkey } from '../../../contract/operator/passkeys.ts';
import { MAX_PASSKEYS } from '../../../domain/operators.ts';
import { QueryError } from '../../ui/ErrorState.tsx';
import { SectionHeader } from '../../ui/SectionHeader.tsx';
import { LoadingRows } from '../LoadingRows.tsx';
import { canUsePasskeys } from '../passkeys.ts';
import sections from '../sections.module.css';
import { usePasskeys } from '../usePasskeys.ts';
import { useTownTime } from '../useTownDay.ts';
import { AddPasskeyDialog, RemovePasskeyDialog } from './PasskeyDialogs.tsx';
import styles from './SettingsPage.module.css';

/** What the operator can sign in with besides the authenticator app. */
export function PasskeyList() {
  const passkeys = usePasskeys();
  const { items = [], origin = null } = passkeys.data ?? {};
  const canAdd = canUsePasskeys() && origin === location.origin;
  const [isAdding, setAdding] = useState(false);
  return (
    <section className={sections.card}>
      <SectionHeader title="Passkeys">
        {canAdd && items.length < MAX_PASSKEYS && <Button onClick={() => setAdding(true)}>Add Passkey…</Button>}
      </SectionHeader>
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
      {isAdding && <AddPasskeyDialog onClose={() => setAdding(false)} />}
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
  const { name, site, createdAt, lastUsedAt } = passkey;
  const [isRemoving, setRemoving] = useState(false);
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
      <div className={styles.buttons}>
        <Button variant="default" onClick={() => setRemoving(true)}>
          Remove…
        </Button>
      </div>
      {isRemoving && <RemovePasskeyDialog passkey={passkey} onClose={() => setRemoving(false)} />}
    </li>
  );
}
