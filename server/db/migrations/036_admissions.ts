import { type Kysely, sql } from 'kysely';
import { lockTablesSql } from '../lockTables.sql.ts';

// What a town asks its workers for before they work, and what they have sent.
const TABLES = [
  `create table requirements (
    role text not null check (role in ('Scrub', 'Duber')),
    kind text not null check (kind in ('identity', 'licence', 'insurance', 'detergent-safety')),
    needed boolean not null,
    -- A document of this kind says until when it is valid, and counts so many days at most. Null: it is sent once.
    renew_days integer check (renew_days > 0),
    primary key (role, kind)
  )`,
  `insert into requirements (role, kind, needed, renew_days) values
    ('Duber', 'identity', true, null), ('Duber', 'licence', true, 1826), ('Duber', 'insurance', true, 366),
    ('Scrub', 'identity', true, null), ('Scrub', 'detergent-safety', true, 731)`,
  // Made when the town asks for documents: at the sign-up then, and later for those who were there before.
  `create table admissions (
    -- The worker.
    id uuid primary key references users,
    role text not null check (role in ('Scrub', 'Duber')),
    status text not null check (status in ('new', 'waiting', 'asked', 'active', 'lapsed', 'refused')),
    -- When the status began.
    since timestamptz not null,
    -- Who worked before the town asked works on until then.
    works_until timestamptz,
    -- Counts the steps: a timer of an earlier one is none.
    step integer not null default 0,
    decided_by uuid references operators,
    decided_at timestamptz
  )`,
  `create table documents (
    id uuid primary key,
    user_id uuid not null references admissions,
    kind text not null check (kind in ('identity', 'licence', 'insurance', 'detergent-safety')),
    file_id uuid not null references files,
    state text not null check (state in ('waiting', 'accepted', 'asked-again', 'refused', 'expired', 'replaced')),
    -- As the worker has read it on the document: 2027-05-31.
    expires_on text check (expires_on ~ '^\\d{4}-\\d\\d-\\d\\d$'),
    -- The last day on which it counts, once it is accepted. Null: for ever.
    last_day text check (last_day ~ '^\\d{4}-\\d\\d-\\d\\d$'),
    sent_at timestamptz not null,
    decided_by uuid references operators,
    decided_at timestamptz,
    -- What the worker reads when it was sent back.
    why text,
    -- When its picture is erased; null while it is kept, and once it is erased.
    erase_at timestamptz,
    constraint documents_decided check (state in ('waiting', 'replaced') or decided_at is not null)
  )`,
  `create unique index documents_one_open on documents (user_id, kind) where state in ('waiting', 'asked-again')`,
  `create unique index documents_one_accepted on documents (user_id, kind) where state = 'accepted'`,
  'create index documents_of_person on documents (user_id, sent_at)',
  `create index documents_waiting on documents (sent_at) where state = 'waiting'`,
  'create index documents_to_erase on documents (erase_at) where erase_at is not null',
  // How far the town has got with those who were there before it asked for documents, or no longer does.
  `create table admission_sweeps (
    one_row boolean primary key default true check (one_row),
    is_on boolean not null,
    last_user uuid,
    is_done boolean not null
  )`,
  'insert into admission_sweeps (is_on, is_done) values (false, true)',
];

// Every statement changes the catalog only, or indexes a table with few rows: `not valid` skips the scan.
const CHANGES = [
  `alter table holds
    -- Those of admission are the server's: they are lifted by admitting, and not by hand.
    add column of_admission boolean not null default false,
    alter column set_by drop not null,
    add constraint holds_set check (of_admission or set_by is not null) not valid`,
  'drop index holds_one_of_kind',
  `create unique index holds_one_of_kind on holds (user_id, kind)
    where lifted_at is null and suspension_id is null and not of_admission`,
  'create unique index holds_one_of_admission on holds (user_id) where lifted_at is null and of_admission',
  `alter table files
    drop constraint files_about_kind_check,
    add constraint files_about_kind_check check (about_kind in ('order', 'delivery', 'handover', 'case', 'weighing', 'document')) not valid`,
  'alter table timers drop constraint timers_subject_kind_check',
  `alter table timers add constraint timers_subject_kind_check
    check (subject_kind in ('order', 'delivery', 'case', 'approval', 'suspension', 'dispute', 'admission')) not valid`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(lockTablesSql(['users', 'files', 'timers', 'holds'])).execute(db);
  for (const statement of [...TABLES, ...CHANGES]) await sql.raw(statement).execute(db);
}
