import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { ALL_FIELDS } from '../../contract/answerFields.ts';
import { Order } from '../../contract/orders.ts';
import type { BudId } from '../../domain/accounts.ts';
import { readBudDashboardJson, readScrubDashboardJson } from '../dashboards/dashboards.sql.ts';
import type { Handlers } from '../http/routes.ts';
import { columnsOf } from './columns.sql.ts';
import { dollars, type Json, object, quoted, raw, text, time } from './json.sql.ts';
import { prepareList } from './lists.sql.ts';
import { prepare, queryBuilder } from './prepared.ts';
import { type JsonSelect, prepareJsonQuery } from './query.sql.ts';

// Each `@ts-expect-error` is a mistake that must not compile: without the error under it, `tsc` fails.

const order = columnsOf('orders', 'o');
const id = 'bud' as BudId;
const now = new Date();

test('the query of one call does not fit another', () => {
  const right: ReturnType<Handlers['budDashboard']> = readBudDashboardJson(ALL_FIELDS, id, now);
  // @ts-expect-error the answer of another dashboard
  const swapped: ReturnType<Handlers['budDashboard']> = readScrubDashboardJson(ALL_FIELDS, id as never, now, now);
  expect([right.isQuick, swapped.isQuick]).toEqual([true, true]);
});

test('JSON needs every property, of the right type', () => {
  type Item = { id: string; instructions: string | null; price: number; createdAt: string };
  const properties = {
    id: quoted(order('id')),
    instructions: text(order('instructions')),
    price: dollars(order('total_price')),
    createdAt: time(order('created_at')),
  };
  const right: Json<Item> = object(properties);
  const { price: _left, ...incomplete } = properties;
  // @ts-expect-error a property is missing
  const missing: Json<Item> = object(incomplete);
  // @ts-expect-error text where the answer has a number
  const wrong: Json<Item> = object({ ...properties, price: text(order('instructions')) });
  // @ts-expect-error null where the answer has text
  const nullable: Json<{ instructions: string }> = object({ instructions: text(order('instructions')) });
  // @ts-expect-error SQL without a type
  const untyped: Json<Item> = object({ ...properties, price: raw(sql`o.total_price`) });
  const select: JsonSelect<Item> = { json: right, from: sql`orders o` };
  // @ts-expect-error a statement whose JSON has another type than the call's answer
  const other = prepareJsonQuery<[], { name: string }>(() => select);
  expect([missing, wrong, nullable, untyped, other]).toHaveLength(5);
});

test('a column must exist, and must have a text that needs no escaping to be quoted', () => {
  // @ts-expect-error there is no such column
  const misspelled = order('totalprice');
  // @ts-expect-error a number is not quoted
  const number = quoted(order('total_price'));
  // @ts-expect-error null cannot be quoted
  const nullable = quoted(order('instructions'));
  expect([misspelled, number, nullable]).toHaveLength(3);
});

test('a list has a column for each field that the contract filters, sorts or sums by', () => {
  const LIST = { filters: { id: 'id' }, sorts: ['createdAt'], sums: ['price'], item: Order } as const;
  const definition = {
    list: LIST,
    table: 'orders',
    alias: 'o',
    scope: () => sql`true`,
    columns: { id: order('id'), createdAt: order('created_at'), price: order('total_price') },
    joins: () => sql``,
    isPrivacy: () => sql<boolean>`true`,
    properties: () => ({ id: quoted(order('id')) }),
    sums: { price: { tally: 'total_price', toJson: dollars } },
    tallies: 'order_tallies',
    screenFields: [['id']],
  };
  type Prepare = typeof prepareList<{ role: 'Bud'; id: BudId }, typeof LIST, { id: string }>;
  const prepareTestList: Prepare = prepareList;
  const { createdAt, price, ...columns } = definition.columns;
  const lists = [
    prepareTestList(definition),
    // @ts-expect-error the filter has no column
    prepareTestList({ ...definition, columns: { createdAt, price } }),
    // @ts-expect-error the sort has no column
    prepareTestList({ ...definition, columns: { ...columns, price } }),
    // @ts-expect-error the sum is missing
    prepareTestList({ ...definition, sums: {} }),
  ];
  expect(lists).toHaveLength(4);
});

test('a prepared statement can be written with the query builder, which checks its rows', async () => {
  const byIdOrEmail = (email: string) =>
    prepare<[id: string], { email: string }>((user) =>
      queryBuilder
        .selectFrom('users')
        .select('email')
        .where((where) => where.or([where('id', '=', user), where('id', '>', user), where('email', '=', email)])),
    );
  // @ts-expect-error the rows have no such column
  const wrong = prepare<[], { phone: string }>(() => queryBuilder.selectFrom('users').select('email'));
  const sent: unknown[] = [];
  const executor = {
    executeQuery: async (query: object) => {
      sent.push(query);
      return { rows: [] };
    },
  };
  await byIdOrEmail('ada@example.org').all(executor, 'u1');
  expect(sent).toMatchObject([
    {
      sql: 'select "email" from "users" where ("id" = $1 or "id" > $1 or "email" = $2)',
      parameters: ['u1', 'ada@example.org'],
    },
  ]);
  expect(wrong).toBeDefined();
});
