/**
 * A workflow is a table: each row says which action leads from which status to which, and who may take it.
 * The calls, the handlers and the buttons are made from the rows.
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

/** Says whether `actor` may take `action` on something that stands at `status`, and where it leads. */
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

/** The rows that `actor` can take from `status`, in the order of the table. */
export function findTransitions<R extends Transition<string, string, string>>(
  flow: readonly R[],
  status: string,
  actor: string,
): readonly R[] {
  return flow.filter((row) => row.from === status && row.by === actor);
}
