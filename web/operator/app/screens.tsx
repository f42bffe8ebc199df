import type { ReactNode } from 'react';
import type { Permission } from '../../../domain/operators.ts';
import type { IconName } from '../../ui/icons.tsx';
import { ApprovalsPage } from '../approvals/ApprovalsPage.tsx';
import { AuditPage } from '../audit/AuditPage.tsx';
import { TownCasePage } from '../cases/TownCasePage.tsx';
import { TownCasesPage } from '../cases/TownCasesPage.tsx';
import { ChargebackPage } from '../disputes/ChargebackPage.tsx';
import { ChargebacksPage } from '../disputes/ChargebacksPage.tsx';
import { FiguresPage } from '../figures/FiguresPage.tsx';
import { HoursPage } from '../hours/HoursPage.tsx';
import { MessagesPage } from '../messages/MessagesPage.tsx';
import { LedgerPage } from '../money/LedgerPage.tsx';
import { MoneyPage } from '../money/MoneyPage.tsx';
import { PayoutsPage } from '../money/PayoutsPage.tsx';
import { OrderPage } from '../orders/OrderPage.tsx';
import { OrdersPage } from '../orders/OrdersPage.tsx';
import { PeoplePage } from '../people/PeoplePage.tsx';
import { PersonPage } from '../people/PersonPage.tsx';
import { PricesPage } from '../prices/PricesPage.tsx';
import { RulesPage } from '../prices/RulesPage.tsx';
import { PromoPage } from '../promos/PromoPage.tsx';
import { ReconciledDayPage } from '../reconciliation/ReconciledDayPage.tsx';
import { ReconciliationPage } from '../reconciliation/ReconciliationPage.tsx';
import { SettingsPage } from '../settings/SettingsPage.tsx';
import { SetUpPage } from '../setUp/SetUpPage.tsx';
import { TodayPage } from '../today/TodayPage.tsx';
import { NewZonePage, ZonePage } from '../zones/ZonePage.tsx';
import { ZonesPage } from '../zones/ZonesPage.tsx';

/** The groups of the navigation, in its order. Pages without a group stand above them. */
export const GROUPS = ['Work', 'Money', 'Town', 'Control'] as const;

/** A page of the console with a link in its navigation. The first one that the operator may open is the start. */
export type Screen = {
  /** Below /operator. */
  readonly path: string;
  readonly label: string;
  readonly icon: IconName;
  readonly group?: (typeof GROUPS)[number];
  /** Whether the bar of phones has it. */
  readonly isInBar?: true;
  /** The right that it takes; without one every operator may open it. */
  readonly permission?: Permission;
  readonly element: ReactNode;
};

const work = { group: 'Work', permission: 'see' } as const;
const money = { group: 'Money', permission: 'money' } as const;
const town = { group: 'Town', permission: 'see' } as const;
const control = { group: 'Control' } as const;

export const SCREENS: readonly Screen[] = [
  { path: 'today', label: 'Today', icon: 'home', permission: 'see', isInBar: true, element: <TodayPage /> },
  { ...work, path: 'orders', label: 'Orders', icon: 'shirt', isInBar: true, element: <OrdersPage /> },
  { ...work, path: 'people', label: 'People', icon: 'user', element: <PeoplePage /> },
  { ...work, path: 'cases', label: 'Cases', icon: 'help', isInBar: true, element: <TownCasesPage /> },
  { ...work, path: 'figures', label: 'Figures', icon: 'chart', element: <FiguresPage /> },
  { ...money, path: 'money', label: 'Overview', icon: 'money', element: <MoneyPage /> },
  { ...money, path: 'payouts', label: 'Payouts', icon: 'arrow', element: <PayoutsPage /> },
  { ...money, path: 'chargebacks', label: 'Chargebacks', icon: 'alert', element: <ChargebacksPage /> },
  { ...money, path: 'reconciliation', label: 'Reconciliation', icon: 'refresh', element: <ReconciliationPage /> },
  { ...money, path: 'ledger', label: 'Ledger', icon: 'list', element: <LedgerPage /> },
  { ...town, path: 'prices', label: 'Prices & promos', icon: 'card', element: <PricesPage /> },
  { ...town, path: 'zones', label: 'Zones', icon: 'pin', element: <ZonesPage /> },
  { ...town, path: 'hours', label: 'Hours', icon: 'clock', element: <HoursPage /> },
  { ...town, path: 'rules', label: 'Rules', icon: 'info', element: <RulesPage /> },
  {
    ...{ ...town, permission: 'messages' },
    ...{ path: 'messages', label: 'Announcements', icon: 'mail', element: <MessagesPage /> },
  },
  { ...control, path: 'approvals', label: 'Approvals', icon: 'check', element: <ApprovalsPage /> },
  { ...control, path: 'audit', label: 'Audit', icon: 'eye', permission: 'admin', element: <AuditPage /> },
  { ...control, path: 'settings', label: 'Operators & settings', icon: 'edit', element: <SettingsPage /> },
];

export const SET_UP_PATH = 'set-up';

/** Pages that a link on another page leads to. */
export const DETAIL_SCREENS: readonly Pick<Screen, 'path' | 'permission' | 'element'>[] = [
  { path: 'cases/:caseId', permission: 'see', element: <TownCasePage /> },
  { path: 'orders/:id', permission: 'see', element: <OrderPage /> },
  { path: 'people/:id', permission: 'see', element: <PersonPage /> },
  { path: SET_UP_PATH, permission: 'admin', element: <SetUpPage /> },
  { path: 'zones/new', permission: 'prices', element: <NewZonePage /> },
  { path: 'zones/:id', permission: 'see', element: <ZonePage /> },
  { path: 'promos/:promoId', permission: 'see', element: <PromoPage /> },
  { path: 'reconciliation/:day', permission: 'money', element: <ReconciledDayPage /> },
  { path: 'chargebacks/:disputeId', permission: 'money', element: <ChargebackPage /> },
];
