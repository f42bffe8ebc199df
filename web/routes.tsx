import { createHashRouter, type LoaderFunction, matchRoutes, type RouteObject } from 'react-router';
import type { Role } from '../domain/accounts.ts';
import { isPrefetched, readToken } from './api/client.ts';
import { orderQuery } from './api/queries.ts';
import { queryClient } from './api/queryClient.ts';
import { BUD_DASHBOARD_QUERY, SCRUB_DASHBOARD_QUERY } from './orders/queries.ts';
import { ProtectedRoute, SessionGate, SignedOutOnly, UnknownPathRedirect } from './session/SessionGate.tsx';
import { restoreSessionAtStart } from './session/session.ts';
import { ErrorPage } from './shell/ErrorPage.tsx';
import { lazyPart } from './ui/lazyPart.tsx';

// The first requests are sent before the scripts are loaded, so the answer is usually there already.
const MAX_WAIT_MS = 300;

type Query = Parameters<typeof queryClient.prefetchQuery>[0];

let isFirstScreenShown = false;

const waitAMoment = () => new Promise<void>((resolve) => setTimeout(resolve, MAX_WAIT_MS));

/** Waits a moment for the session, so that the first render is that of a signed-in user. */
async function waitForSession(): Promise<void> {
  if (readToken() !== undefined) await Promise.race([restoreSessionAtStart(), waitAMoment()]);
}

/** From here on, screens appear at once and load their data themselves. */
function endFirstScreen(): void {
  isFirstScreenShown = true;
}

/**
 * A loader of the router. The first screen waits a moment for its data, so that it appears complete: nothing moves when the
 * data arrives, and nothing is drawn twice.
 */
const loadOnFirstScreen =
  (queryOf: (id: string) => Query): LoaderFunction =>
  async ({ params, request }) => {
    // Only the screen whose data was requested before the scripts: another one may not be this user's.
    if (isFirstScreenShown || !isPrefetched(new URL(request.url).pathname)) return null;
    await Promise.race([queryClient.prefetchQuery(queryOf(params.orderId ?? '')), waitAMoment()]);
    return null;
  };

// Not needed on the landing page.
const LiveUpdates = lazyPart('Live updates', async () => (await import('./live/LiveUpdates.tsx')).LiveUpdates, {
  failure: 'toast',
});

const SIGNED_OUT_ROUTES: RouteObject[] = [
  { path: '/', lazy: async () => ({ Component: (await import('./pages/Landing.tsx')).Landing }) },
  { path: '/login', lazy: async () => ({ Component: (await import('./accounts/SignIn.tsx')).SignIn }) },
  { path: '/signup', lazy: async () => ({ Component: (await import('./accounts/SignUp.tsx')).SignUp }) },
];

const PUBLIC_ROUTES: RouteObject[] = [
  {
    path: '/auth/forgot-password',
    lazy: async () => ({ Component: (await import('./accounts/ForgotPassword.tsx')).ForgotPassword }),
  },
  {
    path: '/auth/reset-password',
    lazy: async () => ({ Component: (await import('./accounts/ResetPassword.tsx')).ResetPassword }),
  },
  {
    path: '/unsubscribe',
    lazy: async () => ({ Component: (await import('./notifications/Unsubscribe.tsx')).Unsubscribe }),
  },
  {
    path: '/other-time',
    lazy: async () => ({ Component: (await import('./orders/changes/OtherTimePage.tsx')).OtherTimePage }),
  },
  { path: '/b/:code', lazy: async () => ({ Component: (await import('./handovers/BagPage.tsx')).BagPage }) },
  { path: '/demo', lazy: async () => ({ Component: (await import('./demo/DemoPhones.tsx')).DemoPhones }) },
  { path: '/help', lazy: async () => ({ Component: (await import('./pages/Faq.tsx')).PublicFaq }) },
  { path: '/verify', lazy: async () => ({ Component: (await import('./earnings/VerifyPage.tsx')).VerifyPage }) },
  { path: '/terms', lazy: async () => ({ Component: (await import('./pages/Terms.tsx')).Terms }) },
  { path: '/privacy', lazy: async () => ({ Component: (await import('./pages/Privacy.tsx')).Privacy }) },
];

// A role's path alone is no page. These come before the role's routes, which would show an empty one.
const ROLE_PATH_ROUTES: RouteObject[] = ['/bud', '/scrub', '/duber'].map((path) => ({
  path,
  Component: UnknownPathRedirect,
}));

const BUD_ROUTES: RouteObject[] = [
  {
    path: 'dashboard',
    loader: loadOnFirstScreen(() => BUD_DASHBOARD_QUERY),
    lazy: async () => ({ Component: (await import('./orders/dashboard/BudDashboard.tsx')).BudDashboard }),
  },
  {
    path: 'orders/:orderId/receipt',
    lazy: async () => ({ Component: (await import('./orders/ReceiptPage.tsx')).ReceiptPage }),
  },
  {
    path: 'orders/:orderId/problem',
    lazy: async () => ({ Component: (await import('./cases/ReportPage.tsx')).ReportPage }),
  },
  {
    path: 'orders/:orderId/tags',
    lazy: async () => ({ Component: (await import('./handovers/BagTags.tsx')).BagTags }),
  },
  {
    path: 'place-order',
    lazy: async () => ({ Component: (await import('./orders/place/PlaceOrder.tsx')).PlaceOrder }),
  },
];

const SCRUB_ROUTES: RouteObject[] = [
  {
    path: 'dashboard',
    loader: loadOnFirstScreen(() => SCRUB_DASHBOARD_QUERY),
    lazy: async () => ({ Component: (await import('./orders/dashboard/ScrubDashboard.tsx')).ScrubDashboard }),
  },
  { path: 'week', lazy: async () => ({ Component: (await import('./weeks/WeekPage.tsx')).WeekPage }) },
];

const DUBER_ROUTES: RouteObject[] = [
  {
    path: 'dashboard',
    lazy: async () => ({ Component: (await import('./deliveries/dashboard/DuberDashboard.tsx')).DuberDashboard }),
  },
];

const ORDER_CONTENT = {
  Bud: async () => (await import('./orders/page/BudOrder.tsx')).BudOrder,
  Scrub: async () => (await import('./orders/page/JobContent.tsx')).JobContent,
};

/** A role's list of orders and page of one order. A Scrub calls them jobs. */
function orderRoutesOf(role: 'Bud' | 'Scrub', path: 'orders' | 'jobs'): RouteObject[] {
  return [
    {
      path,
      lazy: async () => {
        const { OrdersPage } = await import('./orders/OrdersPage.tsx');
        return { element: <OrdersPage role={role} /> };
      },
    },
    {
      path: `${path}/:orderId`,
      loader: loadOnFirstScreen(orderQuery),
      lazy: async () => {
        const [{ OrderPage }, Content] = await Promise.all([
          import('./orders/page/OrderPage.tsx'),
          ORDER_CONTENT[role](),
        ]);
        return { element: <OrderPage role={role} Content={Content} /> };
      },
    },
  ];
}

/** The earnings of a Scrub or a Duber, and the statement of each payout. */
function earningsRoutesOf(role: 'Scrub' | 'Duber'): RouteObject[] {
  return [
    {
      path: 'earnings',
      lazy: async () => {
        const { EarningsPage } = await import('./earnings/EarningsPage.tsx');
        return { element: <EarningsPage role={role} /> };
      },
    },
    {
      path: 'earnings/:payoutId',
      lazy: async () => {
        const { StatementPage } = await import('./earnings/StatementPage.tsx');
        return { element: <StatementPage role={role} /> };
      },
    },
  ];
}

function deliveryRoutesOf(role: Role): RouteObject[] {
  return [
    {
      path: 'deliveries',
      lazy: async () => {
        const { DeliveriesPage } = await import('./deliveries/DeliveriesPage.tsx');
        return { element: <DeliveriesPage role={role} /> };
      },
    },
    {
      path: 'deliveries/:deliveryId',
      lazy: async () => {
        const { DeliveryPage } = await import('./deliveries/page/DeliveryPage.tsx');
        return { element: <DeliveryPage role={role} /> };
      },
    },
  ];
}

/** What went wrong: a role's list of problems, and the page of one. */
function caseRoutesOf(role: Role): RouteObject[] {
  return [
    {
      path: 'problems',
      lazy: async () => {
        const { CasesPage } = await import('./cases/CasesPage.tsx');
        return { element: <CasesPage role={role} /> };
      },
    },
    {
      path: 'problems/:caseId',
      lazy: async () => {
        const { CasePage } = await import('./cases/CasePage.tsx');
        return { element: <CasePage role={role} /> };
      },
    },
  ];
}

const loadShell = async () => ({ Component: (await import('./shell/Shell.tsx')).Shell });

function createSignedInRoutes(): RouteObject[] {
  const createRoleRoutes = (role: Role, path: string, children: RouteObject[]): RouteObject => ({
    path,
    element: <ProtectedRoute role={role} />,
    children: [{ lazy: loadShell, children: [...children, ...caseRoutesOf(role)] }],
  });
  return [
    createRoleRoutes('Bud', '/bud', [...BUD_ROUTES, ...orderRoutesOf('Bud', 'orders'), ...deliveryRoutesOf('Bud')]),
    createRoleRoutes('Scrub', '/scrub', [
      ...SCRUB_ROUTES,
      ...orderRoutesOf('Scrub', 'jobs'),
      ...deliveryRoutesOf('Scrub'),
      ...earningsRoutesOf('Scrub'),
    ]),
    createRoleRoutes('Duber', '/duber', [...DUBER_ROUTES, ...deliveryRoutesOf('Duber'), ...earningsRoutesOf('Duber')]),
    {
      element: <ProtectedRoute />,
      children: [
        {
          lazy: loadShell,
          children: [
            { path: '/profile', lazy: async () => ({ Component: (await import('./accounts/Profile.tsx')).Profile }) },
            { path: '/faq', lazy: async () => ({ Component: (await import('./pages/Faq.tsx')).Faq }) },
          ],
        },
      ],
    },
  ];
}

/** The route table (spec 2.1). The console has a session of its own. */
const ROUTES: RouteObject[] = [
  {
    path: '/operator/*',
    ErrorBoundary: ErrorPage,
    lazy: async () => ({ Component: (await import('./operator/app/OperatorApp.tsx')).OperatorApp }),
  },
  {
    element: <SessionGate Background={LiveUpdates} />,
    ErrorBoundary: ErrorPage,
    children: [
      { Component: SignedOutOnly, children: SIGNED_OUT_ROUTES },
      ...PUBLIC_ROUTES,
      ...ROLE_PATH_ROUTES,
      ...createSignedInRoutes(),
      { path: '*', Component: UnknownPathRedirect },
    ],
  },
];

export const router = createHashRouter(ROUTES);

/** Resolves when the first screen can show: its code has loaded, or could not, and the user is known, if that is soon. */
export async function loadFirstScreen(): Promise<void> {
  const isRouted = new Promise<void>((resolve) => {
    if (router.state.initialized) resolve();
    else router.subscribe(({ initialized }) => initialized && resolve());
  });
  await Promise.all([isRouted, waitForSession()]);
  endFirstScreen();
}

/** Loads the screen behind a link when the pointer or the focus reaches it, before the click. */
export function prefetchRoute({ target }: Event): void {
  const link = target instanceof Element ? target.closest('a[href^="#/"]') : null;
  const [path] = link?.getAttribute('href')?.slice(1).split('?') ?? [];
  if (path === undefined) return;
  for (const { route } of matchRoutes(ROUTES, path) ?? []) {
    // A failure shows when the user follows the link.
    if (typeof route.lazy === 'function') route.lazy().catch(() => undefined);
  }
}
