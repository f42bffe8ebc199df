import type { ReactNode } from 'react';
import type { Permission } from '../../../domain/operators.ts';
import type { IconName } from '../../ui/icons.tsx';
import { ApprovalsPage } from '../approvals/ApprovalsPage.tsx';
import { AuditPage } from '../audit/AuditPage.tsx';
import { TownCasePage } from '../cases/TownCasePage.tsx';
import { TownCasesPage } from '../cases/TownCasesPage.tsx';
import { ChargebackPage } from '../disputes/ChargebackPage.tsx';
import { ChargebacksPage } from '../disputes/ChargebacksPage.tsx';
import { HoursPage } from '../hours/HoursPage.tsx';
import { MessagesPage } from '../messages/MessagesPage.tsx';
import { MoneyPage } from '../money/MoneyPage.tsx';
import { OrderPage } from '../orders/OrderPage.tsx';
import { OrdersPage } from '../orders/OrdersPage.tsx';
import { PeoplePage } from '../people/PeoplePage.tsx';
import { PersonPage } from '../people/PersonPage.tsx';
import { PricesPage } from '../prices/PricesPage.tsx';
import { PromoPage } from '../promos/PromoPage.tsx';
import { ReconciledDayPage } from '../reconciliation/ReconciledDayPage.tsx';
import { ReconciliationPage } from '../reconciliation/ReconciliationPage.tsx';
import { SettingsPage } from '../settings/SettingsPage.tsx';
import { TodayPage } from '../today/TodayPage.tsx';

/** A page of the console with a link in its navigation. The first one that the operator may open is the start. */
export type Screen = {
  /** Below /operator. */
  readonly path: string;
  readonly label: string;
  readonly icon: IconName;
  /** The right that it takes; without one every operator may open it. */
  readonly permission?: Permission;
  readonly element: ReactNode;
};

export const SCREENS: readonly Screen[] = [
  { path: 'today', label: 'Today', icon: 'home', permission: 'see', element: <TodayPage /> },
  { path: 'orders', label: 'Orders', icon: 'shirt', permission: 'see', element: <OrdersPage /> },
  { path: 'people', label: 'People', icon: 'user', permission: 'see', element: <PeoplePage /> },
  { path: 'cases', label: 'Cases', icon: 'help', permission: 'see', element: <TownCasesPage /> },
  { path: 'money', label: 'Money', icon: 'money', permission: 'money', element: <MoneyPage /> },
  { path: 'chargebacks', label: 'Chargebacks', icon: 'alert', permission: 'money', element: <ChargebacksPage /> },
  { path: 'prices', label: 'Prices', icon: 'card', permission: 'see', element: <PricesPage /> },
  { path: 'hours', label: 'Hours', icon: 'clock', permission: 'see', element: <HoursPage /> },
  { path: 'messages', label: 'Messages', icon: 'mail', permission: 'messages', element: <MessagesPage /> },
  { path: 'approvals', label: 'Approvals', icon: 'check', element: <ApprovalsPage /> },
  { path: 'audit', label: 'Audit', icon: 'list', permission: 'admin', element: <AuditPage /> },
  { path: 'settings', label: 'Settings', icon: 'edit', element: <SettingsPage /> },
];

/** Pages that a link on another page leads to. */
export const DETAIL_SCREENS: readonly Pick<Screen, 'path' | 'permission' | 'element'>[] = [
  { path: 'cases/:caseId', permission: 'see', element: <TownCasePage /> },
  { path: 'orders/:id', permission: 'see', element: <OrderPage /> },
  { path: 'people/:id', permission: 'see', element: <PersonPage /> },
  { path: 'promos/:promoId', permission: 'see', element: <PromoPage /> },
  { path: 'reconciliation', permission: 'money', element: <ReconciliationPage /> },
  { path: 'reconciliation/:day', permission: 'money', element: <ReconciledDayPage /> },
  { path: 'chargebacks/:disputeId', permission: 'money', element: <ChargebackPage /> },
];
