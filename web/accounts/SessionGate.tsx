import { lazy, Suspense, useEffect, useState } from 'react';
import { Navigate, Outlet, useLocation, useNavigate } from 'react-router';
import type { Role } from '../../domain/accounts.ts';
import { homeOf } from '../../domain/accounts.ts';
import { readToken } from '../api.ts';
import { listenForExpiry } from '../queries.ts';
import { FullSpinner } from '../ui/FullSpinner.tsx';
import { Underway } from '../ui/NavigationProgress.tsx';
import { toast } from '../ui/toast.tsx';
import { destinationOf, expire, forgetPlace, leave, readSession, restoreSession, useSession } from './session.ts';

// Nobody who only looks at the landing page need load it.
const Live = lazy(async () => ({ default: (await import('../live/Live.tsx')).Live }));

const SIGNED_OUT_PATHS = [
  '/',
  '/login',
  '/signup',
  '/auth/forgot-password',
  '/auth/reset-password',
  '/unsubscribe',
  '/terms',
  '/privacy',
];
const isGuarded = (path: string) => !SIGNED_OUT_PATHS.includes(path);
const NETWORK_ERROR_MS = 10_000; // spec 9

// Whether the reason for standing outside was already given, so that the guard does not give another one.
let isReasonGiven = false;

function sayExpired(): void {
  isReasonGiven = true;
  window.alert('Session expired, login again');
}

function sayUnreachable(): void {
  isReasonGiven = true;
  toast.error('Network Error', { description: 'App backend service unreachable', duration: NETWORK_ERROR_MS });
}

/** Leaves a guarded screen on purpose, without the guard asking why. */
export function leaveQuietly(act: () => void): void {
  isReasonGiven = true;
  act();
}

/** The start of the app (spec 2.1): checks the session once; nothing is shown meanwhile, at '/' a spinner. */
export function SessionGate() {
  const location = useLocation();
  const navigate = useNavigate();
  const { state, user } = useSession();
  const [isChecking, setChecking] = useState(() => state === 'unknown' && readToken() !== undefined);
  const here = location.pathname + location.search;

  useEffect(() => {
    if (!isChecking) {
      if (readSession().state === 'unknown') leave();
      return;
    }
    restoreSession().then((result) => {
      if (result === 'expired') {
        if (isGuarded(location.pathname) || location.pathname === '/') sayExpired();
        if (isGuarded(location.pathname)) expire(here);
        else expire('/');
      }
      if (result === 'unreachable') {
        sayUnreachable();
        leave();
        if (location.pathname !== '/login') navigate('/', { replace: true });
      }
      setChecking(false);
    });
  }, []);

  useExpiry(here);
  if (isChecking && location.pathname !== '/login') return location.pathname === '/' ? <FullSpinner /> : null;
  if (state === 'unknown' && !isChecking) return null;
  return (
    <>
      <Underway />
      <Outlet />
      {user && (
        <Suspense fallback={null}>
          <Live key={user.id} user={user} />
        </Suspense>
      )}
    </>
  );
}

/** While someone is signed in, the first answer that says otherwise ends it for the whole app. */
function useExpiry(here: string): void {
  useEffect(
    () =>
      listenForExpiry(() => {
        if (readSession().state !== 'authenticated') return;
        isReasonGiven = true;
        expire(here);
        window.alert('Session expired, login again');
      }),
    [here],
  );
}

/** Signed-in screens: nobody goes to '/', another role to its own dashboard. */
export function Guard({ role }: { role?: Role }) {
  const { user } = useSession();
  useEffect(() => {
    if (user) forgetPlace();
  }, [user]);
  if (!user) return <TurnedAway />;
  if (role && user.role !== role) return <Navigate to={homeOf(user.role)} replace />;
  return <Outlet />;
}

function TurnedAway() {
  const navigate = useNavigate();
  useEffect(() => {
    if (!isReasonGiven) sayExpired();
    navigate('/', { replace: true });
  }, [navigate]);
  return null;
}

/** Screens for those who are not signed in; everyone else goes on to where they belong. */
export function SignedOutOnly() {
  const { user } = useSession();
  useEffect(() => {
    isReasonGiven = false;
  }, []);
  return user ? <Navigate to={destinationOf(user)} replace /> : <Outlet />;
}

/** An unknown path: home for the signed-in, the landing page for everyone else. */
export function Elsewhere() {
  const { user } = useSession();
  return <Navigate to={user ? homeOf(user.role) : '/'} replace />;
}
