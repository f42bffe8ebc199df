import { type Kysely, sql } from 'kysely';

// New tables only.
const FILES = [
  // `sent` and `request_key` recognize a repeated request. Until `kept_at` the content is still on its way to where it is kept.
  `create table files (
    id uuid primary key,
    owner_id uuid not null references users,
    sha256 bytea not null,
    bytes integer not null check (bytes > 0),
    type text not null,
    width integer not null check (width > 0),
    height integer not null check (height > 0),
    about_kind text check (about_kind in ('order', 'delivery', 'handover', 'case')),
    about_id uuid,
    sent bytea not null,
    request_key bytea unique,
    at timestamptz not null,
    kept_at timestamptz,
    gone_at timestamptz,
    constraint files_about check ((about_kind is null) = (about_id is null))
  )`,
  'create index files_about_subject on files (about_kind, about_id) where about_id is not null',
  // What erasing looks for: those without a use first, then the others by age.
  'create index files_unused on files (at) where about_id is null',
  'create index files_to_erase on files (at) where about_id is not null and gone_at is null',
  // Beside the rows, so that reading and erasing rows does not touch the content.
  `create table file_contents (
    file_id uuid primary key references files on delete cascade,
    content bytea not null
  )`,
  // Photos are compressed already.
  'alter table file_contents alter column content set storage external',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of FILES) await sql.raw(statement).execute(db);
}
