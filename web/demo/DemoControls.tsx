import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { DEMO_PACE_PATH, DEMO_PACES, type DemoPace } from '../../contract/demo.ts';
import type { DemoAccount } from '../../contract/payments.ts';
import { homePathOf, type Role } from '../../domain/accounts.ts';
import { queryClient } from '../api/queryClient.ts';
import { switchUser } from '../session/session.ts';
import { readStored, useStored, writeStored } from '../storage/stores.ts';
import { errorMessageOf } from '../ui/errorMessage.ts';
import { Icon } from '../ui/icons.tsx';
import { toast } from '../ui/toast.tsx';
import styles from './DemoControls.module.css';

const TRY_FIRST: Record<Role | 'Town', string> = {
  Bud: 'Place an order, or follow one that is on its way.',
  Scrub: 'Accept a job, or finish one that you have started.',
  Duber: 'Accept a delivery nearby, then take it step by step.',
  Town: 'See what waits for an operator today.',
};

const INBOX_LOOK_MS = 15_000;

type DemoControlsProps = {
  readonly shown: Role | 'Town';
  readonly accounts: readonly DemoAccount[];
  readonly hasTown: boolean;
  readonly hasInbox: boolean;
  readonly isLive: boolean;
};

export function DemoControls({ shown, accounts, hasTown, hasInbox, isLive }: DemoControlsProps) {
  const navigate = useNavigate();
  const [isBusy, setBusy] = useState(false);
  const become = async ({ role, email, password }: DemoAccount) => {
    if (isBusy) return;
    setBusy(true);
    try {
      if (role !== shown) await switchUser({ email, password });
      await navigate(homePathOf(role));
    } catch (error) {
      const description = errorMessageOf(error, 'The server does not answer.');
      toast.error('You are still the same person', { description });
    }
    setBusy(false);
  };
  const account = accounts.find(({ role }) => role === shown);
  return (
    <aside className={styles.bar} aria-label="The demo">
      <span className={styles.you}>You are</span>
      <div className={styles.people}>
        {accounts.map((one) => (
          <button
            key={one.role}
            type="button"
            className={styles.person}
            aria-current={one.role === shown}
            aria-disabled={isBusy}
            onClick={() => void become(one)}
          >
            {one.role}
          </button>
        ))}
        {hasTown && (
          <button
            type="button"
            className={styles.person}
            aria-current={shown === 'Town'}
            onClick={() => void navigate('/operator')}
          >
            Town
          </button>
        )}
      </div>
      <span className={styles.hint}>{TRY_FIRST[shown]}</span>
      {hasInbox && account && <InboxLink email={account.email} />}
      {isLive && <PaceButton />}
    </aside>
  );
}

/** The mails that came since the visitor looked last. */
function InboxLink({ email }: { email: string }) {
  const key = `rubadub-demo-inbox-${email}`;
  const path = `/sandbox/mail/count?to=${encodeURIComponent(email)}`;
  const { data: count } = useQuery({
    queryKey: ['demo', 'inbox', email],
    queryFn: async () => {
      const answer = await readJson<{ count: number }>(await fetch(path));
      // Before the first look nothing is new.
      if (readStored(key) === null) writeStored(key, String(answer.count));
      return answer.count;
    },
    refetchInterval: INBOX_LOOK_MS,
  });
  const seen = Number(useStored(key) ?? count ?? 0);
  const fresh = Math.max(0, (count ?? 0) - seen);
  return (
    <a
      className={styles.tool}
      href={`/sandbox/mail?to=${encodeURIComponent(email)}`}
      target="_blank"
      rel="noreferrer"
      aria-label={fresh > 0 ? `Inbox, ${fresh} new` : 'Inbox'}
      onClick={() => count !== undefined && writeStored(key, String(count))}
    >
      <Icon name="mail" size={20} />
      <span className={styles.wideOnly}>Inbox</span>
      {fresh > 0 && <span className={styles.fresh}>{fresh}</span>}
    </a>
  );
}

const PACE_QUERY = {
  queryKey: ['demo', 'pace'],
  queryFn: async () => (await readJson<{ pace: DemoPace }>(await fetch(DEMO_PACE_PATH))).pace,
};

/** How fast the neighbours act. Each press takes the next speed. */
function PaceButton() {
  const { data: pace } = useQuery(PACE_QUERY);
  const setPace = useMutation({
    mutationFn: async (next: DemoPace) =>
      readJson(
        await fetch(DEMO_PACE_PATH, {
          method: 'PUT',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ pace: next }),
        }),
      ),
    onSuccess: (_answer, next) => queryClient.setQueryData(PACE_QUERY.queryKey, next),
  });
  if (pace === undefined) return null;
  const next = DEMO_PACES[(DEMO_PACES.indexOf(pace) + 1) % DEMO_PACES.length] ?? DEMO_PACES[0];
  return (
    <button
      type="button"
      className={styles.tool}
      aria-label={`Speed of the neighbours: ${pace} times. Change to ${next} times`}
      onClick={() => setPace.mutate(next)}
    >
      <span className={styles.wideOnly}>Speed</span> {pace}×
    </button>
  );
}

async function readJson<T>(response: Response): Promise<T> {
  if (!response.ok) throw new Error(`The demo answered ${response.status}`);
  return (await response.json()) as T;
}
