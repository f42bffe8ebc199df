import { type OperationNode, type RawBuilder, RawNode, sql } from 'kysely';

/**
 * Lateral joins of one row whose columns an answer uses in several places. A statement keeps only the columns that it uses: PostgreSQL
 * visits every expression of a prepared statement at each run, also those that its plan does without.
 */
type SharedJoin = {
  readonly table: string;
  readonly columns: Readonly<Record<string, RawBuilder<unknown>>>;
  readonly write: (columns: RawBuilder<unknown>) => RawBuilder<unknown>;
};

const sharedJoins = new WeakMap<OperationNode, SharedJoin>();

/** A join that `write` makes around its columns. They must not use columns of such joins. */
export function joinShared(join: SharedJoin): RawBuilder<unknown> {
  const all = writeColumns(join, () => true);
  sharedJoins.set(all.toOperationNode(), join);
  return all;
}

function writeColumns({ columns, write }: SharedJoin, isUsed: (name: string) => boolean): RawBuilder<unknown> {
  const used = Object.entries(columns).filter(([name]) => isUsed(name));
  return used.length === 0 ? sql`` : write(sql.join(used.map(([name, column]) => sql`${column} as ${sql.id(name)}`)));
}

/** The same query, whose shared joins have only the columns that it uses. Joins without any are left out. */
export function withUsedColumns(query: RawBuilder<unknown>): RawBuilder<unknown> {
  const root = query.toOperationNode();
  const used = new Set<string>();
  findUsed(root, used, new Set());
  const pruned = prune(root, used, new Map());
  return sql`${{ toOperationNode: () => pruned }}`;
}

const keyOf = (table: string, name: string) => JSON.stringify([table, name]);

function findUsed(node: object, used: Set<string>, visited: Set<object>): void {
  if (visited.has(node) || sharedJoins.has(node as OperationNode)) return;
  visited.add(node);
  const [table, name, ...others] = identifiersOf(node);
  if (table !== undefined && name !== undefined && others.length === 0) used.add(keyOf(table, name));
  for (const inner of Object.values(node))
    if (typeof inner === 'object' && inner !== null) findUsed(inner, used, visited);
}

/** The names of a node that `sql.id` has made. */
function identifiersOf(node: object): string[] {
  if (!('kind' in node) || !RawNode.is(node as OperationNode)) return [];
  const { parameters } = node as RawNode;
  const names = parameters.map((parameter) =>
    parameter.kind === 'IdentifierNode' ? (parameter as { name?: string }).name : undefined,
  );
  return names.every((name) => name !== undefined) ? names : [];
}

function prune(node: OperationNode, used: ReadonlySet<string>, done: Map<OperationNode, OperationNode>): OperationNode {
  const known = done.get(node);
  if (known) return known;
  const join = sharedJoins.get(node);
  const pruned = join
    ? writeColumns(join, (name) => used.has(keyOf(join.table, name))).toOperationNode()
    : RawNode.is(node)
      ? RawNode.create(
          node.sqlFragments,
          node.parameters.map((parameter) => prune(parameter, used, done)),
        )
      : node;
  done.set(node, pruned);
  return pruned;
}
