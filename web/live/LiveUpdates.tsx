import { useEffect, useState } from 'react';
import { type NavigateFunction, useLocation, useNavigate } from 'react-router';
import type { User } from '../../contract/accounts.ts';
import type { ChangeEvent, StepEvent } from '../../contract/events.ts';
import type { Role } from '../../domain/accounts.ts';
import { api } from '../api/client.ts';
import { invalidateMatching, queryClient } from '../api/queryClient.ts';
import { isOwnOffer } from '../deliveries/ownDelivery.ts';
import { cachePosition, refetchPositions } from '../deliveries/position/usePosition.ts';
import { useOffline } from '../hooks/useOffline.ts';
import { reloadIfUserChanged, updateUser } from '../session/session.ts';
import { lazyPart } from '../ui/lazyPart.tsx';
import { toast } from '../ui/toast.tsx';
import { isAffected, isLiveQuery } from './affectedQueries.ts';
import { forgetLostDelivery, handleDeliveryTaken } from './deliveryTaken.ts';
import type { EventToast } from './eventToasts.ts';
import styles from './LiveUpdates.module.css';
import { isRepeated } from './repeatedStatus.ts';
import { subscribeToLiveEvents } from './sharedStream.ts';
import { playSound } from './sound.ts';
import { countUnseenEvent, useWaitingCount } from './useWaitingCount.ts';

// Only Dubers load it.
const DuberBackground = lazyPart(
  'Position sharing',
  async () => (await import('./DuberBackground.tsx')).DuberBackground,
  { failure: 'toast' },
);

/** Longer than a server restart. */
const RECONNECTING_DELAY_MS = 3_000;
const OFFLINE_PREPARATION_DELAY_MS = 2_000;
const TOAST_BATCH_MS = 120;
const MAX_TOASTS_PER_KIND = 2;

/** Keeps every screen of the signed-in user up to date with what other people do. */
export function LiveUpdates({ user }: { user: User }) {
  const isLost = useEventStream(user);
  useWaitingCount(user.role);
  useOfflinePreparation(user);
  const isOffline = useOffline();
  return (
    <>
      <div role="status" className={styles.region}>
        {isLost && !isOffline && <span className={styles.message}>Reconnecting…</span>}
      </div>
      {user.role === 'Duber' && <DuberBackground userId={user.id} />}
    </>
  );
}

const isNewOffer = ({ entity, status }: StepEvent) => entity === 'delivery' && status === 'Pending';

function useEventStream({ id, role }: User): boolean {
  const [isConnected, setConnected] = useState(true);
  const navigate = useNavigate();
  const path = useLocation().pathname;
  const route = useLatest({ navigate, path });

  useEffect(() => {
    const batchToast = createToastBatcher(route);
    // The texts of toasts load with the first event: no screen waits for them.
    const announce = async (event: StepEvent, isLeader: boolean) => {
      const { eventToastOf } = await import('./eventToasts.ts');
      const eventToast = eventToastOf(event, role);
      if (eventToast) batchToast(eventToast, isLeader);
    };
    let wasDisconnected = false;
    return subscribeToLiveEvents(id, {
      onEvent: (event, isLeader) => {
        if (event.entity === 'position') return cachePosition(event.id, event);
        if (event.entity === 'case') {
          updateUser({ hasCases: true });
          return refetchAffected(event, role);
        }
        // Asked before the screens forget whose it was.
        const isOwn = role === 'Duber' && isNewOffer(event) && isOwnOffer(event.id);
        const isNews = !isRepeated(event) && !isOwn;
        if (isOwn) forgetLostDelivery(event.id);
        countUnseenEvent();
        if (role === 'Duber' && event.entity === 'delivery' && event.status === 'Accepted')
          void handleDeliveryTaken(event, () => leaveDeliveryPage(route.current, event.id));
        else refetchAffected(event, role);
        if (isNews) void announce(event, isLeader).catch(() => undefined);
      },
      onConnectedChange: (connected) => {
        setConnected(connected);
        // A resumed stream does not repeat the positions of the meantime.
        if (connected && wasDisconnected) refetchPositions();
        wasDisconnected = !connected;
      },
      onGap: () => {
        void refreshUser(id).catch(() => undefined);
        void invalidateMatching(({ queryKey: key }) => isLiveQuery({ key, data: undefined }));
      },
      // The failing request ends the session in the whole app.
      onSessionExpired: () => void fetchSession().catch(() => undefined),
    });
  }, [id, role, route]);
  return useIsLost(isConnected);
}

function useIsLost(isConnected: boolean): boolean {
  const [isLost, setLost] = useState(false);
  useEffect(() => {
    if (isConnected) return setLost(false);
    const timer = setTimeout(() => setLost(true), RECONNECTING_DELAY_MS);
    return () => clearTimeout(timer);
  }, [isConnected]);
  return isLost;
}

/** Prepares for offline use after the page has loaded. */
function useOfflinePreparation(user: User): void {
  const latest = useLatest(user);
  useEffect(() => {
    let stop: (() => void) | undefined;
    let isUnmounted = false;
    const start = async () => {
      const { prepareOffline } = await import('./prepareOffline.ts');
      if (!isUnmounted) stop = prepareOffline(latest.current);
    };
    const timer = setTimeout(() => void start().catch(() => undefined), OFFLINE_PREPARATION_DELAY_MS);
    return () => {
      isUnmounted = true;
      clearTimeout(timer);
      stop?.();
    };
  }, [latest]);
  useEffect(() => {
    // Offline, the user may come from the cache. Their session may have ended elsewhere.
    const handleOnline = () => void refreshUser(latest.current.id).catch(() => undefined);
    window.addEventListener('online', handleOnline);
    return () => window.removeEventListener('online', handleOnline);
  }, [latest]);
}

const fetchSession = () =>
  queryClient.fetchQuery({ queryKey: ['session'], queryFn: () => api.session(), staleTime: 0 });

/** Asks the server for the user of this session again. */
async function refreshUser(userId: string): Promise<void> {
  const { user } = await fetchSession();
  if (reloadIfUserChanged(userId, user)) updateUser(user);
}

function useLatest<T>(value: T): { current: T } {
  const [ref] = useState({ current: value });
  useEffect(() => {
    ref.current = value;
  });
  return ref;
}

type CurrentRoute = { readonly navigate: NavigateFunction; readonly path: string };

// A Duber may no longer see a delivery that another Duber has taken.
function leaveDeliveryPage({ navigate, path }: CurrentRoute, deliveryId: string): boolean {
  if (path !== `/duber/deliveries/${deliveryId}`) return false;
  navigate('/duber/dashboard', { replace: true });
  return true;
}

/** Shows events as toasts. Many events of a kind at once, such as after a time offline, become one toast. */
function createToastBatcher(route: { current: CurrentRoute }): (eventToast: EventToast, isLeader: boolean) => void {
  let batch: EventToast[] = [];
  const flush = () => {
    const byTitle = Map.groupBy(batch, ({ title }) => title);
    batch = [];
    for (const group of byTitle.values()) {
      const [first] = group;
      if (!first) continue;
      if (group.length > MAX_TOASTS_PER_KIND) toast[first.kind](first.titleForMany(group.length));
      else for (const eventToast of group) showEventToast(eventToast, route.current);
    }
  };
  return (eventToast, isLeader) => {
    if (batch.length === 0) setTimeout(flush, TOAST_BATCH_MS);
    batch.push(eventToast);
    if (eventToast.hasSound && isLeader) playSound();
  };
}

/** On the page that the event is about, there is nowhere to go. */
function showEventToast({ kind, title, description, to }: EventToast, { path, navigate }: CurrentRoute): void {
  if (path === to) toast[kind](title, { description });
  else toast[kind](title, { description, action: { label: 'View', onClick: () => navigate(to) } });
}

const BATCH_MS = 250;
/** The card is charged a moment after the order is accepted. */
const CHARGE_DELAY_MS = 2_500;

let pendingEvents: ChangeEvent[] | undefined;

/** Refetches the queries that an event affects: the first event at once, those right after it in one batch. */
function refetchAffected(event: ChangeEvent, role: Role): void {
  if (role === 'Bud' && event.entity === 'order' && event.status === 'Accepted')
    setTimeout(() => invalidateAffected([event]), CHARGE_DELAY_MS);
  if (pendingEvents) {
    pendingEvents.push(event);
    return;
  }
  pendingEvents = [];
  invalidateAffected([event]);
  // Each refetch cancels the previous one, so without batching a burst of events would let none finish.
  setTimeout(() => {
    const rest = pendingEvents ?? [];
    pendingEvents = undefined;
    if (rest.length > 0) invalidateAffected(rest);
  }, BATCH_MS);
}

function invalidateAffected(events: readonly ChangeEvent[]): void {
  void invalidateMatching(({ queryKey: key, state: { data } }) =>
    events.some((event) => isAffected({ key, data }, event)),
  );
}
