/**
 * Takes tables for the rest of a migration's transaction. Waiting for them one after the other, while steps, payments and
 * lists use several of them in any order, could end in a deadlock. So it takes all at once, lets go of them after a moment,
 * and tries again, as long as `migrate` allows. Migration 019 is older than this function and keeps its copy. Released
 * migrations run these statements: they stay as they are.
 */
export const lockTablesSql = (tables: readonly string[]): string => `do $$
  declare
    give_up_at timestamptz := clock_timestamp()
      + coalesce(nullif(current_setting('rubadub.lock_wait', true), ''), '60s')::interval;
  begin
    loop
      begin
        perform set_config('lock_timeout', '300ms', true);
        lock table ${tables.join(', ')} in access exclusive mode;
        exit;
      exception when lock_not_available then
        if clock_timestamp() > give_up_at then raise; end if;
        perform pg_sleep(0.1);
      end;
    end loop;
    perform set_config('lock_timeout', '0', true);
  end $$`;
