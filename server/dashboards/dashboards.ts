import { toDollars } from '../../domain/payments.ts';
import type { Context } from '../context.ts';
import type { Handlers } from '../http/routes.ts';
import { readBudDashboardJson, readDuberDashboardJson, readScrubDashboardJson } from './dashboards.sql.ts';
import { readSpending } from './tallies.sql.ts';

const startOfDay = (now: Date) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()));

type DashboardCalls = Pick<Handlers, 'budDashboard' | 'scrubDashboard' | 'duberDashboard' | 'totalSpending'>;

export function dashboardHandlers({ db, now }: Context): DashboardCalls {
  return {
    budDashboard: ({ caller, query }) => readBudDashboardJson(query.fields, caller.id, now()),
    scrubDashboard: ({ caller, query }) => readScrubDashboardJson(query.fields, caller.id, now(), startOfDay(now())),
    duberDashboard: ({ caller, query }) => readDuberDashboardJson(query.fields, caller.id, now(), query.pendingLimit),
    totalSpending: async ({ caller }) => ({ totalSpending: toDollars(await readSpending(db, caller.id)) }),
  };
}
