import { lazy, Suspense, useEffect, useState } from 'react';
import { type NavigateFunction, useLocation, useNavigate } from 'react-router';
import type { User } from '../../contract/accounts.ts';
import { reloadUnless, setUser } from '../accounts/session.ts';
import { api } from '../api.ts';
import { refetchPositions, showPosition } from '../deliveries/position/usePosition.ts';
import { useOffline } from '../offline/useOffline.ts';
import { askAnew, queries } from '../queries.ts';
import { toast } from '../ui/toast.tsx';
import { isLive } from './affectedQueries.ts';
import { settleTaken } from './deliveryTaken.ts';
import { type News, newsOf } from './eventToasts.ts';
import styles from './Live.module.css';
import { refetchTouched } from './refetchAffected.ts';
import { follow } from './sharedStream.ts';
import { playSound } from './sound.ts';
import { countUnseen, useWaiting } from './useWaitingCount.ts';

// Nobody who only orders or washes need load it.
const OnTheRoad = lazy(async () => ({ default: (await import('../deliveries/DuberBackground.tsx')).OnTheRoad }));

/** Longer than the blink of a server's restart. */
const SAY_LOST_AFTER_MS = 3_000;
const PREPARE_AFTER_MS = 2_000;
const GATHER_MS = 120;
const TOASTS_AT_ONCE = 2;

/** Keeps the screens of a signed-in person up to date with what the others do, on whatever page they are. */
export function Live({ user }: { user: User }) {
  const isLost = useFollowing(user);
  useWaiting(user.role);
  useOfflinePreparation(user);
  const isOffline = useOffline();
  return (
    <>
      <div role="status" className={styles.place}>
        {isLost && !isOffline && <span className={styles.mark}>Reconnecting…</span>}
      </div>
      {user.role === 'Duber' && (
        <Suspense fallback={null}>
          <OnTheRoad userId={user.id} />
        </Suspense>
      )}
    </>
  );
}

function useFollowing({ id, role }: User): boolean {
  const [isHeld, setHeld] = useState(true);
  const [isLost, setLost] = useState(false);
  const navigate = useNavigate();
  const path = useLocation().pathname;
  const here = useLatest({ navigate, path });

  useEffect(() => {
    const say = gatherNews((to) => here.current.navigate(to));
    let wasLost = false;
    const stop = follow(id, {
      onEvent: (event, isLeader) => {
        if (event.entity === 'position') return showPosition(event.id, event);
        countUnseen();
        if (role === 'Duber' && event.entity === 'delivery' && event.status === 'Accepted')
          void settleTaken(event, () => leavePage(here.current, event.id));
        else refetchTouched(event, role);
        const news = newsOf(event, role);
        if (news) say(news, isLeader);
      },
      onHeld: (held) => {
        setHeld(held);
        // A stream that goes on where it left off tells no places of meanwhile.
        if (held && wasLost) refetchPositions();
        wasLost = !held;
      },
      onGap: () => void askAnew(({ queryKey: key }) => isLive({ key, data: undefined })),
      // Asking says the same to the whole app, in the way that a session ends everywhere.
      onExpired: () => void askWho().catch(() => undefined),
    });
    return stop;
  }, [id, role, here]);

  useEffect(() => {
    if (isHeld) return setLost(false);
    const timer = setTimeout(() => setLost(true), SAY_LOST_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isHeld]);
  return isLost;
}

/** Once the page has nothing better to do: what is needed to open without a network. */
function useOfflinePreparation(user: User): void {
  const latest = useLatest(user);
  useEffect(() => {
    let stop: (() => void) | undefined;
    let isOver = false;
    const begin = async () => {
      const { prepareForOffline } = await import('../offline/prepareOffline.ts');
      if (!isOver) stop = prepareForOffline(latest.current);
    };
    const timer = setTimeout(() => void begin().catch(() => undefined), PREPARE_AFTER_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
      stop?.();
    };
  }, [latest]);
  useEffect(() => {
    // Who is signed in was only remembered, perhaps, and may have been signed out elsewhere.
    const check = async () => {
      const { user: fresh } = await askWho();
      if (reloadUnless(latest.current.id, fresh)) setUser(fresh);
    };
    const online = () => void check().catch(() => undefined);
    window.addEventListener('online', online);
    return () => window.removeEventListener('online', online);
  }, [latest]);
}

const askWho = () => queries.fetchQuery({ queryKey: ['session'], queryFn: () => api.session(), staleTime: 0 });

function useLatest<T>(value: T): { current: T } {
  const [holder] = useState({ current: value });
  useEffect(() => {
    holder.current = value;
  });
  return holder;
}

type Here = { readonly navigate: NavigateFunction; readonly path: string };

// The page of a delivery that somebody else has taken shows nothing that this Duber may see any more.
function leavePage({ navigate, path }: Here, deliveryId: string): boolean {
  if (path !== `/duber/deliveries/${deliveryId}`) return false;
  navigate('/duber/dashboard', { replace: true });
  return true;
}

/** Says news as toasts; what comes in one go, after a time offline say, becomes one toast a kind. */
function gatherNews(go: (to: string) => void): (news: News, isLeader: boolean) => void {
  let gathered: News[] = [];
  const flush = () => {
    const kinds = Map.groupBy(gathered, (one) => one.title);
    gathered = [];
    for (const some of kinds.values()) {
      const [first] = some;
      if (!first) continue;
      if (some.length > TOASTS_AT_ONCE) toast[first.kind](first.many(some.length));
      else for (const one of some) show(one, go);
    }
  };
  return (news, isLeader) => {
    if (gathered.length === 0) setTimeout(flush, GATHER_MS);
    gathered.push(news);
    if (news.isHeard && isLeader) playSound();
  };
}

function show({ kind, title, description, to }: News, go: (to: string) => void): void {
  toast[kind](title, { description, action: { label: 'View', onClick: () => go(to) } });
}
