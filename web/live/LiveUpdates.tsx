import { lazy, Suspense, useEffect, useState } from 'react';
import { type NavigateFunction, useLocation, useNavigate } from 'react-router';
import type { User } from '../../contract/accounts.ts';
import { reloadIfUserChanged, updateUser } from '../accounts/session.ts';
import { api } from '../api.ts';
import { cachePosition, refetchPositions } from '../deliveries/position/usePosition.ts';
import { useOffline } from '../offline/useOffline.ts';
import { invalidateMatching, queryClient } from '../queryClient.ts';
import { toast } from '../ui/toast.tsx';
import { isLiveQuery } from './affectedQueries.ts';
import { handleDeliveryTaken } from './deliveryTaken.ts';
import { type EventToast, eventToastOf } from './eventToasts.ts';
import styles from './LiveUpdates.module.css';
import { refetchAffected } from './refetchAffected.ts';
import { subscribeToLiveEvents } from './sharedStream.ts';
import { playSound } from './sound.ts';
import { countUnseenEvent, useWaitingCount } from './useWaitingCount.ts';

// Nobody who only orders or washes need load it.
const DuberBackground = lazy(async () => ({
  default: (await import('../deliveries/DuberBackground.tsx')).DuberBackground,
}));

/** Longer than the blink of a server's restart. */
const RECONNECTING_DELAY_MS = 3_000;
const OFFLINE_PREPARATION_DELAY_MS = 2_000;
const TOAST_BATCH_MS = 120;
const MAX_TOASTS_PER_KIND = 2;

/** Keeps the screens of a signed-in person up to date with what the others do, on whatever page they are. */
export function LiveUpdates({ user }: { user: User }) {
  const isLost = useEventStream(user);
  useWaitingCount(user.role);
  useOfflinePreparation(user);
  const isOffline = useOffline();
  return (
    <>
      <div role="status" className={styles.place}>
        {isLost && !isOffline && <span className={styles.mark}>Reconnecting…</span>}
      </div>
      {user.role === 'Duber' && (
        <Suspense fallback={null}>
          <DuberBackground userId={user.id} />
        </Suspense>
      )}
    </>
  );
}

function useEventStream({ id, role }: User): boolean {
  const [isHeld, setHeld] = useState(true);
  const [isLost, setLost] = useState(false);
  const navigate = useNavigate();
  const path = useLocation().pathname;
  const here = useLatest({ navigate, path });

  useEffect(() => {
    const say = createToastBatcher((to) => here.current.navigate(to));
    let wasLost = false;
    const stop = subscribeToLiveEvents(id, {
      onEvent: (event, isLeader) => {
        if (event.entity === 'position') return cachePosition(event.id, event);
        countUnseenEvent();
        if (role === 'Duber' && event.entity === 'delivery' && event.status === 'Accepted')
          void handleDeliveryTaken(event, () => leaveDeliveryPage(here.current, event.id));
        else refetchAffected(event, role);
        const news = eventToastOf(event, role);
        if (news) say(news, isLeader);
      },
      onConnectedChange: (held) => {
        setHeld(held);
        // A stream that goes on where it left off tells no places of meanwhile.
        if (held && wasLost) refetchPositions();
        wasLost = !held;
      },
      onGap: () => void invalidateMatching(({ queryKey: key }) => isLiveQuery({ key, data: undefined })),
      // Asking says the same to the whole app, in the way that a session ends everywhere.
      onSessionExpired: () => void fetchSession().catch(() => undefined),
    });
    return stop;
  }, [id, role, here]);

  useEffect(() => {
    if (isHeld) return setLost(false);
    const timer = setTimeout(() => setLost(true), RECONNECTING_DELAY_MS);
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
      const { prepareOffline } = await import('../offline/prepareOffline.ts');
      if (!isOver) stop = prepareOffline(latest.current);
    };
    const timer = setTimeout(() => void begin().catch(() => undefined), OFFLINE_PREPARATION_DELAY_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
      stop?.();
    };
  }, [latest]);
  useEffect(() => {
    // Who is signed in was only remembered, perhaps, and may have been signed out elsewhere.
    const check = async () => {
      const { user: fresh } = await fetchSession();
      if (reloadIfUserChanged(latest.current.id, fresh)) updateUser(fresh);
    };
    const online = () => void check().catch(() => undefined);
    window.addEventListener('online', online);
    return () => window.removeEventListener('online', online);
  }, [latest]);
}

const fetchSession = () =>
  queryClient.fetchQuery({ queryKey: ['session'], queryFn: () => api.session(), staleTime: 0 });

function useLatest<T>(value: T): { current: T } {
  const [holder] = useState({ current: value });
  useEffect(() => {
    holder.current = value;
  });
  return holder;
}

type CurrentRoute = { readonly navigate: NavigateFunction; readonly path: string };

// The page of a delivery that somebody else has taken shows nothing that this Duber may see any more.
function leaveDeliveryPage({ navigate, path }: CurrentRoute, deliveryId: string): boolean {
  if (path !== `/duber/deliveries/${deliveryId}`) return false;
  navigate('/duber/dashboard', { replace: true });
  return true;
}

/** Says news as toasts; what comes in one go, after a time offline say, becomes one toast a kind. */
function createToastBatcher(go: (to: string) => void): (news: EventToast, isLeader: boolean) => void {
  let gathered: EventToast[] = [];
  const flush = () => {
    const kinds = Map.groupBy(gathered, (one) => one.title);
    gathered = [];
    for (const some of kinds.values()) {
      const [first] = some;
      if (!first) continue;
      if (some.length > MAX_TOASTS_PER_KIND) toast[first.kind](first.titleForMany(some.length));
      else for (const one of some) showEventToast(one, go);
    }
  };
  return (news, isLeader) => {
    if (gathered.length === 0) setTimeout(flush, TOAST_BATCH_MS);
    gathered.push(news);
    if (news.hasSound && isLeader) playSound();
  };
}

function showEventToast({ kind, title, description, to }: EventToast, go: (to: string) => void): void {
  toast[kind](title, { description, action: { label: 'View', onClick: () => go(to) } });
}
