import { type ComponentType, useEffect, useLayoutEffect, useState } from 'react';
import { Navigate, Outlet, useLocation, useNavigate } from 'react-router';
import type { User } from '../../contract/accounts.ts';
import type { Role } from '../../domain/accounts.ts';
import { homePathOf } from '../../domain/accounts.ts';
import { readToken } from '../api/client.ts';
import { useConfig } from '../api/config.ts';
import { readSession } from '../api/currentSession.ts';
import { subscribeToSessionExpiry } from '../api/queryClient.ts';
import { FullSpinner } from '../ui/FullSpinner.tsx';
import { NavigationProgress } from '../ui/NavigationProgress.tsx';
import { toast } from '../ui/toast.tsx';
import { isProtectedPath } from './publicPaths.ts';
import {
  clearReturnPath,
  clearSession,
  expireSession,
  getSignInRedirect,
  restoreSession,
  restoreSessionAtStart,
  useSession,
} from './session.ts';

const NETWORK_ERROR_TOAST_MS = 10_000; // spec 9

// Whether the user already knows why they are signed out, so that the guard shows no second alert.
let isSignOutExplained = false;

function notifySessionExpired(): void {
  isSignOutExplained = true;
  window.alert('Session expired, login again');
}

function notifyUnreachable(): void {
  isSignOutExplained = true;
  toast.error('Network Error', { description: 'App backend service unreachable', duration: NETWORK_ERROR_TOAST_MS });
}

/** Leaves a guarded screen on purpose, without an alert from the guard. */
export function leaveWithoutAlert(act: () => void): void {
  isSignOutExplained = true;
  act();
}

type SessionGateProps = {
  /** What runs beside every screen of a signed-in user. */
  Background: ComponentType<{ user: User }>;
};

/** The start of the app (spec 2.1): checks the session once. Until it is known it shows nothing, or a spinner at '/'. */
export function SessionGate({ Background }: SessionGateProps) {
  const location = useLocation();
  const navigate = useNavigate();
  const { state, user } = useSession();
  const [isChecking, setChecking] = useState(() => state === 'unknown' && readToken() !== undefined);
  const [isDemoAwaited, setDemoAwaited] = useState(false);
  const here = location.pathname + location.search;
  const leaveUnknown = () => {
    clearSession();
    if (location.pathname !== '/login') navigate('/', { replace: true });
  };
  const restoreAfterDemo = async () => {
    if (readSession().state !== 'authenticated' && (await restoreSession()) === 'expired') expireSession(here);
    setDemoAwaited(false);
  };

  // Before the first paint, which would be empty.
  useLayoutEffect(() => {
    if (!isChecking && readSession().state === 'unknown') clearSession();
  }, []);
  useEffect(() => {
    if (!isChecking) return;
    restoreSessionAtStart().then((result) => {
      if (result === 'expired') {
        if (isProtectedPath(location.pathname) || location.pathname === '/') notifySessionExpired();
        expireSession(here);
      }
      if (result === 'unreachable') {
        notifyUnreachable();
        leaveUnknown();
      }
      if (result === 'preparing') {
        isSignOutExplained = true;
        setDemoAwaited(true);
        leaveUnknown();
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
      {isDemoAwaited && <WhenDemoReady act={restoreAfterDemo} />}
      {user && <Background key={user.id} user={user} />}
    </>
  );
}

/** Checks the session again as soon as the server has its demo. */
function WhenDemoReady({ act }: { act: () => Promise<void> }) {
  const config = useConfig();
  const isReady = config !== undefined && !config.isDemoPreparing;
  useEffect(() => {
    if (isReady) void act();
  }, [isReady]);
  return null;
}

/** While a user is signed in, the first 401 signs them out of the whole app, silently where no session is needed. */
function useSessionExpiry(here: string): void {
  useEffect(
    () =>
      subscribeToSessionExpiry(() => {
        if (readSession().state !== 'authenticated') return;
        const isAlertNeeded = isProtectedPath(here);
        isSignOutExplained = isAlertNeeded;
        expireSession(here);
        if (isAlertNeeded) window.alert('Session expired, login again');
      }),
    [here],
  );
}

/** Signed-in screens: redirects to '/' without a user, and to the own dashboard for another role. */
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

/** Screens for signed-out visitors; signed-in users are redirected. */
export function SignedOutOnly() {
  const { user } = useSession();
  useEffect(() => {
    isSignOutExplained = false;
  }, []);
  return user ? <Navigate to={getSignInRedirect(user)} replace /> : <Outlet />;
}

/** An unknown path: the dashboard when signed in, otherwise the landing page. */
export function UnknownPathRedirect() {
  const { user } = useSession();
  return <Navigate to={user ? homePathOf(user.role) : '/'} replace />;
}
