/**
 * A workflow is a table. Each row says who may take which action, and which status it leads from and to. The API calls,
 * their handlers and the buttons come from the rows.
 */
export type Transition<Action extends string, Status extends string, Actor extends string> = {
  readonly action: Action;
  readonly from: Status;
  readonly to: Status;
  readonly by: Actor;
};

export type TransitionResult<Status extends string> =
  | { ok: true; to: Status }
  | { ok: false; why: 'wrong-role' | 'wrong-status' };

/** Whether `actor` may take `action` at `status`, and the status that it leads to. */
export function checkTransition<Action extends string, Status extends string, Actor extends string>(
  flow: readonly Transition<Action, Status, Actor>[],
  action: Action,
  status: Status,
  actor: string,
): TransitionResult<Status> {
  const rows = flow.filter((row) => row.action === action);
  if (!rows.some((row) => row.by === actor)) return { ok: false, why: 'wrong-role' };
  const row = rows.find((candidate) => candidate.from === status);
  return row ? { ok: true, to: row.to } : { ok: false, why: 'wrong-status' };
}

/** The actions that `actor` can take at `status`, in the order of the table. */
export function findTransitions<R extends Transition<string, string, string>>(
  flow: readonly R[],
  status: string,
  actor: string,
): readonly R[] {
  return flow.filter((row) => row.from === status && row.by === actor);
}
