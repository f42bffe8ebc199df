import type { Context } from '../context.ts';
import type { Handlers } from '../http/routes.ts';
import { readBudDashboardJson, readDuberDashboardJson, readScrubDashboardJson } from './dashboards.sql.ts';

const startOfDay = (now: Date) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()));

export function dashboardHandlers({
  now,
}: Context): Pick<Handlers, 'budDashboard' | 'scrubDashboard' | 'duberDashboard'> {
  return {
    budDashboard: ({ caller }) => readBudDashboardJson(caller.id, now()),
    scrubDashboard: ({ caller }) => readScrubDashboardJson(caller.id, now(), startOfDay(now())),
    duberDashboard: ({ caller }) => readDuberDashboardJson(caller.id, now()),
  };
}
