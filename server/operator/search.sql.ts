import { type RawBuilder, sql } from 'kysely';
import { type Hit, MAX_HITS } from '../../contract/operator/search.ts';
import { beginsWith } from '../db/beginsWith.sql.ts';
import { orderNumber } from '../db/columns.sql.ts';
import { queryRows, type Tx } from '../db/database.ts';

// Raw SQL: each way to search is a branch with an index of its own, which the expressions and conditions must match word for
// word. The indexes are users_by_… and addresses_by_words.

/** The text in each form that it can have. */
export type SearchTerms = {
  /** As it was typed. */
  readonly text: string;
  readonly orderNumber: number | undefined;
  readonly caseNumber: number | undefined;
  /** Lower-case hex digits of the end of an id, or a whole id. */
  readonly idEnd: string | undefined;
  readonly id: string | undefined;
  readonly email: string | undefined;
  /** All digits of a phone, perhaps without those of its country. */
  readonly phone: string | undefined;
  /** House and street of an address, in lower case. */
  readonly street: string | undefined;
  readonly card: string | undefined;
  readonly squareId: string | undefined;
  readonly bagCode: string | undefined;
  /** A prefix query of the full-text search: 'mason:* & 12:*'. */
  readonly words: string | undefined;
};

type Match = Hit['by'];
/** One way to search: rows of (kind, id, by, words, rank), the best first. */
type Branch = RawBuilder<unknown>;

const hits = (
  kind: Hit['kind'],
  by: Match,
  { words, rank, from }: { words: RawBuilder<unknown>; rank: number; from: Branch },
) =>
  sql`(select ${sql.lit(kind)} as kind, found.id, ${sql.lit(by)} as by, ${words}::text as words, ${sql.lit(rank)} as rank
    from (${from}) found)`;

const MOST = sql.lit(MAX_HITS);
const MOST_COUNTRY_DIGITS = 3;
const reversed = (text: string) => [...text].toReversed().join('');
const NEWEST_ORDERS = sql`order by o.created_at desc limit ${MOST}`;

function branchesOf(terms: SearchTerms): Branch[] {
  const typed = sql`${terms.text}`;
  const branches: Branch[] = [];
  const add = (...args: Parameters<typeof hits>) => void branches.push(hits(...args));
  if (terms.orderNumber !== undefined)
    add('order', 'number', {
      words: typed,
      rank: 0,
      from: sql`select o.id from orders o where o.number = ${terms.orderNumber}::bigint`,
    });
  if (terms.caseNumber !== undefined)
    add('case', 'number', {
      words: typed,
      rank: 0,
      from: sql`select c.id from cases c where c.no = ${terms.caseNumber}::int`,
    });
  if (terms.bagCode !== undefined)
    add('order', 'bag', {
      words: sql`${terms.bagCode}`,
      rank: 1,
      from: sql`select b.order_id as id from bags b where b.code = ${terms.bagCode}`,
    });
  if (terms.squareId !== undefined)
    add('order', 'payment', {
      words: typed,
      rank: 1,
      from: sql`select p.order_id as id from payments p where p.square_id is not null and p.square_id = ${terms.squareId} limit ${MOST}`,
    });
  for (const [kind, table] of [
    ['order', 'orders'],
    ['delivery', 'deliveries'],
    ['person', 'users'],
  ] as const) {
    const from = sql`select t.id from ${sql.table(table)} t where `;
    if (terms.id !== undefined) add(kind, 'id', { words: typed, rank: 1, from: sql`${from} t.id = ${terms.id}::uuid` });
    else if (terms.idEnd !== undefined)
      add(kind, 'id', {
        words: typed,
        rank: 1,
        from: sql`${from} right(t.id::text, 8) = ${terms.idEnd} limit ${MOST}`,
      });
  }
  return [...branches, ...branchesOfPeople(terms), ...branchesOfCards(terms)];
}

function branchesOfPeople({ text, email, phone, street, words }: SearchTerms): Branch[] {
  const branches: Branch[] = [];
  const person = (by: Match, matched: RawBuilder<unknown>, rank: number, from: Branch) =>
    void branches.push(hits('person', by, { words: matched, rank, from }));
  if (email !== undefined)
    person('e-mail', sql`${text}`, 2, sql`select u.id from users u where u.email_key = ${email} limit ${MOST}`);
  if (phone !== undefined)
    person(
      'phone',
      sql`${text}`,
      3,
      sql`select u.id from users u where u.phone is not null
      and ${beginsWith(sql`reverse(u.phone)`, reversed(phone))}
      and length(u.phone) <= ${phone.length + 1 + MOST_COUNTRY_DIGITS} limit ${MOST}`,
    );
  if (street !== undefined)
    person(
      'address',
      sql`${text}`,
      4,
      sql`select distinct a.user_id as id from (select a.user_id from addresses a
      where to_tsvector('simple', a.address) @@ plainto_tsquery('simple', ${street})
        and lower(btrim(split_part(a.address, ',', 1))) = ${street} limit ${MOST}) a`,
    );
  if (words === undefined) return branches;
  const query = sql`${words}::tsquery`;
  person(
    'name',
    sql`(select u.fullname from users u where u.id = found.id)`,
    2,
    sql`select u.id from users u
    where to_tsvector('simple', u.fullname) @@ ${query} limit ${MOST}`,
  );
  return branches;
}

function branchesOfCards({ text, card }: SearchTerms): Branch[] {
  if (card === undefined) return [];
  const from = sql`select p.order_id as id from payments p where p.card_last4 is not null and p.card_last4 = ${card}
    order by p.created_at desc limit ${MOST}`;
  return [hits('order', 'card', { words: sql`${text}`, rank: 3, from })];
}

/** The newest orders of the people who were found: the caller on the phone asks about one of them. */
const ORDERS_OF_PEOPLE = sql`
  select 'order' as kind, o.id, 'person' as by, p.words, p.rank
  from (select f.id, min((select u.fullname from users u where u.id = f.id)) as words, min(f.rank) as rank from found f
      where f.kind = 'person' group by f.id order by min(f.rank), f.id limit 5) p
    cross join lateral (
      (select o.id, o.created_at from orders o where o.bud_id = p.id ${NEWEST_ORDERS})
      union all (select o.id, o.created_at from orders o where o.scrub_id = p.id ${NEWEST_ORDERS})
      order by created_at desc limit 2) o`;

/** The hits, best first, each subject once. */
export function findHits(tx: Tx, terms: SearchTerms): Promise<Hit[]> {
  const branches = branchesOf(terms);
  if (branches.length === 0) return Promise.resolve([]);
  return queryRows(
    tx,
    sql`with found as materialized (${sql.join(branches, sql` union all `)}),
      each as (select distinct on (f.kind, f.id) f.* from (select * from found union all ${ORDERS_OF_PEOPLE}) f
        order by f.kind, f.id, f.rank, f.by)
      select h.kind, h.id,
        case h.kind when 'order' then ${orderNumber} when 'case' then 'C-' || c.no
          when 'delivery' then (select ${orderNumber} from orders o where o.id = d.order_id) else u.fullname end as title,
        coalesce(o.status, c.status, d.status, u.role) as detail,
        coalesce(o.id, c.order_id, d.order_id) as "orderId", h.by, h.words
      from each h left join orders o on h.kind = 'order' and o.id = h.id
        left join cases c on h.kind = 'case' and c.id = h.id
        left join deliveries d on h.kind = 'delivery' and d.id = h.id
        left join users u on h.kind = 'person' and u.id = h.id
      where num_nonnulls(o.id, c.id, d.id, u.id) = 1
      order by h.rank, h.by = 'person', o.created_at desc nulls last, h.id limit ${MOST}`,
  );
}
