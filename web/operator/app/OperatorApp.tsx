import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Navigate, Route, Routes } from 'react-router';
import { OPERATOR_SESSION_IDLE_S, type Permission } from '../../../domain/operators.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { FullSpinner } from '../../ui/FullSpinner.tsx';
import { operatorQueryClient, setExpiryListener } from '../operatorQueries.ts';
import {
  endIdleSession,
  expireOperatorSession,
  restoreOperatorSession,
  useOperatorSession,
} from '../operatorSession.ts';
import { JoinPage } from '../session/JoinPage.tsx';
import { OperatorSignIn } from '../session/OperatorSignIn.tsx';
import { StopPage } from '../session/StopPage.tsx';
import { useTown } from '../townQuery.ts';
import { OperatorShell } from './OperatorShell.tsx';
import { DETAIL_SCREENS, SCREENS, type Screen, SET_UP_PATH } from './screens.tsx';

const IDLE_CHECK_MS = 30_000;
const INPUTS = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const;

setExpiryListener(expireOperatorSession);

/** The console, at /operator: its own session, its own data, and none of it in the files of the other pages. */
export function OperatorApp() {
  useEffect(() => void restoreOperatorSession(), []);
  useIdleEnd();
  return (
    <QueryClientProvider client={operatorQueryClient}>
      <Routes>
        <Route path="join" element={<JoinPage />} />
        <Route path="stop" element={<StopPage />} />
        <Route path="*" element={<SignedInScreens />} />
      </Routes>
    </QueryClientProvider>
  );
}

/** Pages that read again and again keep the session alive: it ends when nobody has touched the page for half an hour. */
function useIdleEnd(): void {
  useEffect(() => {
    let touchedAt = Date.now();
    const touch = () => {
      touchedAt = Date.now();
    };
    const timer = setInterval(() => {
      if (Date.now() - touchedAt > OPERATOR_SESSION_IDLE_S * 1000) endIdleSession();
    }, IDLE_CHECK_MS);
    for (const kind of INPUTS) window.addEventListener(kind, touch, { passive: true });
    return () => {
      clearInterval(timer);
      for (const kind of INPUTS) window.removeEventListener(kind, touch);
    };
  }, []);
}

const SET_UP_RIGHTS = ['see', 'prices', 'admin'] as const;

/** The set-up while a town has none and no order, for whoever may answer it, and the first page otherwise. */
function FirstScreen({ screens: [first], caps }: { screens: readonly Screen[]; caps: readonly Permission[] }) {
  const town = useTown();
  const maySetUp = SET_UP_RIGHTS.every((right) => caps.includes(right));
  if (maySetUp && town.isPending) return <FullSpinner />;
  const path = maySetUp && town.data?.needsSetUp ? SET_UP_PATH : first?.path;
  return <Navigate to={`/operator/${path}`} replace />;
}

function SignedInScreens() {
  const state = useOperatorSession();
  if (state.state === 'unknown') return <FullSpinner />;
  if (state.state === 'unreachable')
    return (
      <ErrorState
        title="The console cannot be reached"
        text="Nothing is lost."
        error={state.error}
        level={1}
        onRetry={() => void restoreOperatorSession()}
      />
    );
  if (state.state === 'signed-out') return <OperatorSignIn hasExpired={state.hasExpired} />;
  const { caps } = state.session.operator;
  const mayOpen = ({ permission }: { permission?: (typeof caps)[number] }) =>
    permission === undefined || caps.includes(permission);
  const screens = SCREENS.filter(mayOpen);
  return (
    <Routes>
      <Route element={<OperatorShell screens={screens} session={state.session} />}>
        {[...screens, ...DETAIL_SCREENS.filter(mayOpen)].map(({ path, element }) => (
          <Route key={path} path={path} element={element} />
        ))}
        <Route path="*" element={<FirstScreen screens={screens} caps={caps} />} />
      </Route>
    </Routes>
  );
}
