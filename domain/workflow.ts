import { ROLES, type Role } from './accounts.ts';
import { findMissingNeed, type Need } from './needs.ts';

/**
 * Who takes steps: people with a role, an operator of the town, and the server itself. Nobody can sign up as one of the last
 * two, and their rows are neither calls nor buttons.
 */
export type Actor = Role | 'Operator' | 'System';

/**
 * A workflow is a table. Each row says who may take which action, and which status it leads from and to. The API calls,
 * their handlers and the buttons come from the rows of people.
 */
export type Transition<Action extends string, Status extends string, By extends string> = {
  readonly action: Action;
  readonly from: Status;
  readonly to: Status;
  readonly by: By;
  /** The System takes the row this long after its time began, in milliseconds: by default when the status became `from`. */
  readonly after?: number;
  /** The conditions of the row besides the status, in the order in which they are checked. */
  readonly needs?: readonly Need[];
  /** It starts the next attempt of a delivery, or the next round of an order. */
  readonly startsOver?: true;
};

/** The rows that differ only in the status that they lead from. */
export const fromEach = <const Status extends string, const Row extends object>(
  statuses: readonly Status[],
  row: Row,
) => statuses.map((from) => ({ ...row, from }));

export type ChosenRow<R> =
  | { ok: true; row: R }
  | { ok: false; why: 'wrong-role' | 'wrong-status' }
  | { ok: false; why: 'need'; need: Need };

/**
 * The row that `by` takes with `action` at `status`: the first whose needs are met. When none are, the need that is missing
 * in the row that comes closest says why.
 */
export function chooseRow<R extends Transition<string, string, string>, Facts>(
  rows: readonly R[],
  { action, status, by }: { readonly action: string; readonly status: string; readonly by: string },
  checks: Partial<Record<Need, (facts: Facts) => boolean>>,
  facts: Facts,
): ChosenRow<R> {
  const own = rows.filter((row) => row.action === action && row.by === by);
  if (own.length === 0) return { ok: false, why: 'wrong-role' };
  const checked = own
    .filter((row) => row.from === status)
    .map((row) => ({ row, need: findMissingNeed(row.needs, checks, facts) }));
  const free = checked.find(({ need }) => need === undefined);
  if (free) return { ok: true, row: free.row };
  const metBefore = ({ row, need }: (typeof checked)[number]) => (need && row.needs?.indexOf(need)) ?? 0;
  const need = checked.toSorted((a, b) => metBefore(b) - metBefore(a))[0]?.need;
  return need === undefined ? { ok: false, why: 'wrong-status' } : { ok: false, why: 'need', need };
}

/** The actions that `actor` can take at `status`, in the order of the table. */
export function findTransitions<R extends Transition<string, string, string>, By extends string>(
  flow: readonly R[],
  status: string,
  actor: By,
): readonly Extract<R, { by: By }>[] {
  return flow.filter((row): row is Extract<R, { by: By }> => row.from === status && row.by === actor);
}

/** The rows that people take. Only these become calls and buttons. */
export function rowsOfPeople<R extends { readonly by: Actor }>(
  flow: readonly R[],
): readonly Extract<R, { by: Role }>[] {
  return flow.filter((row): row is Extract<R, { by: Role }> => (ROLES as readonly string[]).includes(row.by));
}

/** The rows that operators take. They become acts of the console. */
export const rowsOfOperators = <R extends { readonly by: Actor }>(
  flow: readonly R[],
): readonly Extract<R, { by: 'Operator' }>[] =>
  flow.filter((row): row is Extract<R, { by: 'Operator' }> => row.by === 'Operator');

/** The rows that the server takes by itself when their time is over. */
export function rowsOfTimers<R extends { readonly by: Actor; readonly after?: number }>(
  flow: readonly R[],
): readonly Extract<R, { by: 'System'; after: number }>[] {
  return flow.filter(
    (row): row is Extract<R, { by: 'System'; after: number }> => row.by === 'System' && row.after !== undefined,
  );
}
