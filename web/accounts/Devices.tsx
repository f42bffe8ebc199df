import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { CallFailed } from '../../contract/callClient.ts';
import type { SignInSession } from '../../contract/sessions.ts';
import { api } from '../api/client.ts';
import { queryClient } from '../api/queryClient.ts';
import { useNow } from '../hooks/useNow.ts';
import { signOutOnPurpose } from '../session/signOutOnPurpose.ts';
import { ask } from '../ui/ask.ts';
import { Badge } from '../ui/Badge.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { QueryError } from '../ui/ErrorState.tsx';
import { errorMessageOf } from '../ui/errorMessage.ts';
import { Fold } from '../ui/Fold.tsx';
import { formatAgo } from '../ui/format.ts';
import items from '../ui/ItemList.module.css';
import { Icon } from '../ui/icons.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { toast } from '../ui/toast.tsx';
import styles from './Devices.module.css';

export const sessionsQuery = { queryKey: ['sessions'], queryFn: () => api.listSessions() };

/** Where the user is signed in. Each device can be signed out, for example after a phone is lost. */
export function Devices() {
  const query = useQuery(sessionsQuery);
  return (
    <section className="card" aria-labelledby="devices">
      <h2 id="devices">Devices</h2>
      <p className={`quiet ${styles.line}`}>
        These devices are signed in to your account. If you don’t recognize one, sign it out and change your password.
      </p>
      {query.data && <DeviceRows sessions={query.data.items} />}
      {!query.data && query.isError && <QueryError query={query} title="Unable To Get Your Devices" level={3} />}
      {!query.data && !query.isError && <Loading />}
    </section>
  );
}

function useEndSessions() {
  const refresh = () => queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
  const onError = (error: unknown) => {
    toast.error('Not Signed Out', { description: errorMessageOf(error, 'Something went wrong. Please try again.') });
  };
  const one = useMutation({
    mutationFn: ({ id }: SignInSession) => api.endSession({ params: { id } }).catch(ignoreNotFound),
    onSuccess: async (_, session) => {
      await refresh();
      toast.success('Signed Out', { description: nameOf(session) });
    },
    onError,
  });
  const others = useMutation({
    mutationFn: () => api.endOtherSessions(),
    onSuccess: async ({ ended }) => {
      await refresh();
      toast.success('Signed Out Everywhere Else', { description: ended === 1 ? '1 device' : `${ended} devices` });
    },
    onError,
  });
  return { one, others };
}

/** It has ended already, perhaps on the device itself. */
function ignoreNotFound(error: unknown): undefined {
  if (!(error instanceof CallFailed && error.statusCode === 404)) throw error;
}

function DeviceRows({ sessions }: { sessions: readonly SignInSession[] }) {
  const { one, others } = useEndSessions();
  const end = async (session: SignInSession) => {
    if (session.current) return void signOutOnPurpose();
    const title = `Sign out ${nameOf(session)}?`;
    if (await ask({ title, text: 'It will need to sign in again.', button: 'Sign Out' })) one.mutate(session);
  };
  const endOthers = async () => {
    const title = 'Sign out all other devices?';
    if (await ask({ title, text: 'They will need to sign in again.', button: 'Sign Out' })) others.mutate();
  };
  // The list always has this device, unless it was signed out a moment ago.
  if (sessions.length === 0) return <EmptyState drawing="phone" text="No devices are signed in." />;
  const rows = (shown: readonly SignInSession[]) => (
    <ul className={`${items.list} ${items.rows}`}>
      {shown.map((session) => (
        <DeviceRow
          key={session.id}
          session={session}
          isEnding={one.isPending && one.variables.id === session.id}
          onEnd={() => void end(session)}
        />
      ))}
    </ul>
  );
  const sorted = sessions.toSorted((a, b) => Number(b.current) - Number(a.current));
  const folded = sorted.slice(UNFOLDED);
  return (
    <>
      {rows(sorted.slice(0, UNFOLDED))}
      {folded.length > 0 && (
        <Fold title={folded.length === 1 ? '1 more device' : `${folded.length} more devices`} looks="row">
          {rows(folded)}
        </Fold>
      )}
      {sessions.length > 1 && (
        <Button className={styles.others} variant="outline" loading={others.isPending} onClick={() => void endOthers()}>
          Sign out everywhere else
        </Button>
      )}
    </>
  );
}

/** This device, and the one used last besides it. */
const UNFOLDED = 2;

const nameOf = ({ browser }: SignInSession) => browser ?? 'Unknown browser';
const isMobile = (browser: string | null) => /Android|iPhone|iPad/.test(browser ?? '');

type DeviceRowProps = { session: SignInSession; isEnding: boolean; onEnd: () => void };

function DeviceRow({ session, isEnding, onEnd }: DeviceRowProps) {
  const { browser, network, lastUsedAt, current } = session;
  const now = useNow(true);
  return (
    <li className={items.item}>
      <Icon name={isMobile(browser) ? 'mobile' : 'laptop'} />
      <div className={items.words}>
        <p className={`${items.label} ${styles.name}`}>
          {nameOf(session)}
          {current && <Badge color="completed">This device</Badge>}
        </p>
        <p className="quiet">
          {network === null ? 'Unknown network' : `Network ${network}`}
          <span className={styles.dot} aria-hidden="true">
            {' · '}
          </span>
          <span className={styles.when}>
            {current ? (
              'in use now'
            ) : (
              <>
                last used <time dateTime={lastUsedAt}>{formatAgo(lastUsedAt, now)}</time>
              </>
            )}
          </span>
        </p>
      </div>
      <Button variant="subtle" aria-label={`Sign out ${nameOf(session)}`} loading={isEnding} onClick={onEnd}>
        Sign out
      </Button>
    </li>
  );
}

function Loading() {
  return (
    <div className={items.list} aria-busy="true">
      {[0, 1].map((row) => (
        <Skeleton key={row} height={74} />
      ))}
    </div>
  );
}
