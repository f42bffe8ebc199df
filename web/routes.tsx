import { createHashRouter, matchRoutes, type RouteObject } from 'react-router';
import type { Role } from '../domain/accounts.ts';
import { ProtectedRoute, SessionGate, SignedOutOnly, UnknownPathRedirect } from './accounts/SessionGate.tsx';
import { Landing } from './pages/Landing.tsx';
import { ErrorPage } from './shell/ErrorPage.tsx';

/** Orders and deliveries are one screen for several roles: the role is theirs to vary by. */
const roleProp = <R extends Role>(name: R) => ({ role: name });

const SIGNED_OUT_ROUTES: RouteObject[] = [
  { path: '/', Component: Landing },
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
  { path: '/terms', lazy: async () => ({ Component: (await import('./pages/Terms.tsx')).Terms }) },
  { path: '/privacy', lazy: async () => ({ Component: (await import('./pages/Privacy.tsx')).Privacy }) },
];

const BUD_ROUTES: RouteObject[] = [
  { path: 'dashboard', lazy: async () => ({ Component: (await import('./orders/BudDashboard.tsx')).BudDashboard }) },
  { path: 'place-order', lazy: async () => ({ Component: (await import('./orders/PlaceOrder.tsx')).PlaceOrder }) },
];

const SCRUB_ROUTES: RouteObject[] = [
  {
    path: 'dashboard',
    lazy: async () => ({ Component: (await import('./orders/ScrubDashboard.tsx')).ScrubDashboard }),
  },
];

const DUBER_ROUTES: RouteObject[] = [
  {
    path: 'dashboard',
    lazy: async () => ({ Component: (await import('./deliveries/DuberDashboard.tsx')).DuberDashboard }),
  },
];

/** The list and the page of a role's orders, under the name that the role gives them. */
function orderRoutesOf(who: 'Bud' | 'Scrub', path: 'orders' | 'jobs'): RouteObject[] {
  return [
    {
      path,
      lazy: async () => {
        const { OrdersPage } = await import('./orders/OrdersPage.tsx');
        return { element: <OrdersPage {...roleProp(who)} /> };
      },
    },
    {
      path: `${path}/:orderId`,
      lazy: async () => {
        const { OrderPage } = await import('./orders/OrderPage.tsx');
        return { element: <OrderPage {...roleProp(who)} /> };
      },
    },
  ];
}

/** What a Scrub or a Duber earned, and each payout's statement. */
function earningsRoutesOf(who: 'Scrub' | 'Duber'): RouteObject[] {
  return [
    {
      path: 'earnings',
      lazy: async () => {
        const { EarningsPage } = await import('./earnings/EarningsPage.tsx');
        return { element: <EarningsPage {...roleProp(who)} /> };
      },
    },
    {
      path: 'earnings/:payoutId',
      lazy: async () => {
        const { StatementPage } = await import('./earnings/StatementPage.tsx');
        return { element: <StatementPage {...roleProp(who)} /> };
      },
    },
  ];
}

function deliveryRoutesOf(who: Role): RouteObject[] {
  return [
    {
      path: 'deliveries',
      lazy: async () => {
        const { DeliveriesPage } = await import('./deliveries/DeliveriesPage.tsx');
        return { element: <DeliveriesPage {...roleProp(who)} /> };
      },
    },
    {
      path: 'deliveries/:deliveryId',
      lazy: async () => {
        const { DeliveryPage } = await import('./deliveries/DeliveryPage.tsx');
        return { element: <DeliveryPage {...roleProp(who)} /> };
      },
    },
  ];
}

const loadShell = async () => ({ Component: (await import('./shell/Shell.tsx')).Shell });

function createSignedInRoutes(): RouteObject[] {
  const space = (name: Role, path: string, pages: RouteObject[]): RouteObject => ({
    path,
    element: <ProtectedRoute role={name} />,
    children: [{ lazy: loadShell, children: pages }],
  });
  return [
    space('Bud', '/bud', [...BUD_ROUTES, ...orderRoutesOf('Bud', 'orders'), ...deliveryRoutesOf('Bud')]),
    space('Scrub', '/scrub', [
      ...SCRUB_ROUTES,
      ...orderRoutesOf('Scrub', 'jobs'),
      ...deliveryRoutesOf('Scrub'),
      ...earningsRoutesOf('Scrub'),
    ]),
    space('Duber', '/duber', [...DUBER_ROUTES, ...deliveryRoutesOf('Duber'), ...earningsRoutesOf('Duber')]),
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

/** spec 2.1, the route table. */
const ROUTES: RouteObject[] = [
  {
    Component: SessionGate,
    ErrorBoundary: ErrorPage,
    HydrateFallback: () => null,
    children: [
      { Component: SignedOutOnly, children: SIGNED_OUT_ROUTES },
      ...PUBLIC_ROUTES,
      ...createSignedInRoutes(),
      { path: '*', Component: UnknownPathRedirect },
    ],
  },
];

export const router = createHashRouter(ROUTES);

/** Fetches the screen behind a link as soon as a pointer or the focus is on it: the click then finds it there. */
export function prefetchRoute({ target }: Event): void {
  const link = target instanceof Element ? target.closest('a[href^="#/"]') : null;
  const [path] = link?.getAttribute('href')?.slice(1).split('?') ?? [];
  if (path === undefined) return;
  for (const { route } of matchRoutes(ROUTES, path) ?? []) {
    // A failure shows when the link is followed; here it only means that nothing was gained.
    if (typeof route.lazy === 'function') route.lazy().catch(() => undefined);
  }
}
