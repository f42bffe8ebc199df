import type { Role } from '../../domain/accounts.ts';
import { casesPath } from '../cases/caseQueries.ts';
import type { IconName } from '../ui/icons.tsx';

export type NavItem = { readonly to: string; readonly label: string; readonly icon: IconName };

// spec 2.2
export const MAIN_NAV: Record<Role, readonly NavItem[]> = {
  Bud: [
    { to: '/bud/dashboard', label: 'Dashboard', icon: 'home' },
    { to: '/bud/place-order', label: 'Place Order', icon: 'plus' },
    { to: '/bud/orders', label: 'Orders', icon: 'shirt' },
    { to: '/bud/deliveries', label: 'Deliveries', icon: 'truck' },
  ],
  Scrub: [
    { to: '/scrub/dashboard', label: 'Dashboard', icon: 'home' },
    { to: '/scrub/jobs', label: 'Jobs', icon: 'shirt' },
    { to: '/scrub/deliveries', label: 'Deliveries', icon: 'truck' },
  ],
  Duber: [
    { to: '/duber/dashboard', label: 'Dashboard', icon: 'home' },
    { to: '/duber/deliveries', label: 'Deliveries', icon: 'truck' },
  ],
};

/** Only for those who have had a problem. */
export const problemsNavOf = (role: Role): NavItem => ({ to: casesPath(role), label: 'Problems', icon: 'alert' });

export const ACCOUNT_NAV: readonly NavItem[] = [
  { to: '/profile', label: 'Profile', icon: 'user' },
  { to: '/faq', label: 'FAQ', icon: 'help' },
];
