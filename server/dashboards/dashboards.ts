import type { Deps } from '../context.ts';
import type { Handlers } from '../http/routes.ts';
import { showBudBoard, showDuberBoard, showScrubBoard } from './dashboards.sql.ts';

const startOfDay = (now: Date) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()));

export function dashboardHandlers({ now }: Deps): Pick<Handlers, 'budDashboard' | 'scrubDashboard' | 'duberDashboard'> {
  return {
    budDashboard: ({ caller }) => showBudBoard(caller.id, now()),
    scrubDashboard: ({ caller }) => showScrubBoard(caller.id, now(), startOfDay(now())),
    duberDashboard: ({ caller }) => showDuberBoard(caller.id, now()),
  };
}
