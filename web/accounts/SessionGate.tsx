import { lazy, Suspense, useEffect, useState } from 'react';
import { Navigate, Outlet, useLocation, useNavigate } from 'react-router';
import type { Role } from '../../domain/accounts.ts';
import { homePathOf } from '../../domain/accounts.ts';
import { readToken } from '../api.ts';
import { subscribeToSessionExpiry } from '../queryClient.ts';
import { FullSpinner } from '../ui/FullSpinner.tsx';
import { NavigationProgress } from '../ui/NavigationProgress.tsx';
import { toast } from '../ui/toast.tsx';
import {
  clearReturnPath,
  clearSession,
  expireSession,
  getSignInRedirect,
  readSession,
  restoreSession,
  useSession,
} from './session.ts';

// Nobody who only looks at the landing page need load it.
const LiveUpdates = lazy(async () => ({ default: (await import('../live/LiveUpdates.tsx')).LiveUpdates }));

const PUBLIC_PATHS = [
  '/',
  '/login',
  '/signup',
  '/auth/forgot-password',
  '/auth/reset-password',
  '/unsubscribe',
  '/terms',
  '/privacy',
];
const isProtectedPath = (path: string) => !PUBLIC_PATHS.includes(path);
const NETWORK_ERROR_TOAST_MS = 10_000; // spec 9

// Whether the reason for standing outside was already given, so that the guard does not give another one.
let isSignOutExplained = false;

function notifySessionExpired(): void {
  isSignOutExplained = true;
  window.alert('Session expired, login again');
}

function notifyUnreachable(): void {
  isSignOutExplained = true;
  toast.error('Network Error', { description: 'App backend service unreachable', duration: NETWORK_ERROR_TOAST_MS });
}

/** Leaves a guarded screen on purpose, without the guard asking why. */
export function leaveWithoutAlert(act: () => void): void {
  isSignOutExplained = true;
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
      if (readSession().state === 'unknown') clearSession();
      return;
    }
    restoreSession().then((result) => {
      if (result === 'expired') {
        if (isProtectedPath(location.pathname) || location.pathname === '/') notifySessionExpired();
        if (isProtectedPath(location.pathname)) expireSession(here);
        else expireSession('/');
      }
      if (result === 'unreachable') {
        notifyUnreachable();
        clearSession();
        if (location.pathname !== '/login') navigate('/', { replace: true });
      }
      setChecking(false);
    });
  }, []);

  useSessionExpiry(here);
  if (isChecking && location.pathname !== '/login') return location.pathname === '/' ? <FullSpinner /> : null;
  if (state === 'unknown' && !isChecking) return null;
  return (
    <>
      <NavigationProgress />
      <Outlet />
      {user && (
        <Suspense fallback={null}>
          <LiveUpdates key={user.id} user={user} />
        </Suspense>
      )}
    </>
  );
}

/** While someone is signed in, the first answer that says otherwise ends it for the whole app. */
function useSessionExpiry(here: string): void {
  useEffect(
    () =>
      subscribeToSessionExpiry(() => {
        if (readSession().state !== 'authenticated') return;
        isSignOutExplained = true;
        expireSession(here);
        window.alert('Session expired, login again');
      }),
    [here],
  );
}

/** Signed-in screens: nobody goes to '/', another role to its own dashboard. */
export function ProtectedRoute({ role }: { role?: Role }) {
  const { user } = useSession();
  useEffect(() => {
    if (user) clearReturnPath();
  }, [user]);
  if (!user) return <SignedOutRedirect />;
  if (role && user.role !== role) return <Navigate to={homePathOf(user.role)} replace />;
  return <Outlet />;
}

function SignedOutRedirect() {
  const navigate = useNavigate();
  useEffect(() => {
    if (!isSignOutExplained) notifySessionExpired();
    navigate('/', { replace: true });
  }, [navigate]);
  return null;
}

/** Screens for those who are not signed in; everyone else goes on to where they belong. */
export function SignedOutOnly() {
  const { user } = useSession();
  useEffect(() => {
    isSignOutExplained = false;
  }, []);
  return user ? <Navigate to={getSignInRedirect(user)} replace /> : <Outlet />;
}

/** An unknown path: home for the signed-in, the landing page for everyone else. */
export function UnknownPathRedirect() {
  const { user } = useSession();
  return <Navigate to={user ? homePathOf(user.role) : '/'} replace />;
}
