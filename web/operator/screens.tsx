import type { ReactNode } from 'react';
import type { Cap } from '../../domain/operators.ts';
import type { IconName } from '../ui/icons.tsx';
import { ApprovalsPage } from './approvals/ApprovalsPage.tsx';
import { AuditPage } from './audit/AuditPage.tsx';
import { TownCasePage } from './cases/TownCasePage.tsx';
import { TownCasesPage } from './cases/TownCasesPage.tsx';
import { ChargebackPage } from './disputes/ChargebackPage.tsx';
import { ChargebacksPage } from './disputes/ChargebacksPage.tsx';
import { MessagesPage } from './messages/MessagesPage.tsx';
import { PricesPage } from './prices/PricesPage.tsx';
import { SettingsPage } from './settings/SettingsPage.tsx';

/** A page of the console with a link in its navigation. The first one that the operator may open is the start. */
export type Screen = {
  /** Below /operator. */
  readonly path: string;
  readonly label: string;
  readonly icon: IconName;
  /** The right that it takes; without one every operator may open it. */
  readonly cap?: Cap;
  readonly element: ReactNode;
};

export const SCREENS: readonly Screen[] = [
  { path: 'cases', label: 'Cases', icon: 'help', cap: 'see', element: <TownCasesPage /> },
  { path: 'messages', label: 'Messages', icon: 'mail', cap: 'messages', element: <MessagesPage /> },
  { path: 'prices', label: 'Prices', icon: 'card', cap: 'see', element: <PricesPage /> },
  { path: 'chargebacks', label: 'Chargebacks', icon: 'card', cap: 'money', element: <ChargebacksPage /> },
  { path: 'approvals', label: 'Approvals', icon: 'check', element: <ApprovalsPage /> },
  { path: 'audit', label: 'Audit', icon: 'list', cap: 'admin', element: <AuditPage /> },
  { path: 'settings', label: 'Settings', icon: 'edit', element: <SettingsPage /> },
];

/** Pages that a link on another page leads to. */
export const DETAIL_SCREENS: readonly Pick<Screen, 'path' | 'cap' | 'element'>[] = [
  { path: 'cases/:caseId', cap: 'see', element: <TownCasePage /> },
  { path: 'chargebacks/:disputeId', cap: 'money', element: <ChargebackPage /> },
];
