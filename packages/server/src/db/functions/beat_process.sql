-- Says that a process is alive, and those of `siblings` that have said so themselves before: processes of its host that it beats for.
-- `beaten` are those that it wrote. Frees what others held: those that are `gone` from their host's process table, and those of other
-- hosts that were silent for longer than `silence`, as far as this one was heard all that time itself (otherwise it was the database that
-- was away). On its own host the process table decides, since a living process may be silent on a busy machine. `others` are the other processes
-- of the host as `{id, pid, started}`, `due` the workers that have something to do.
create or replace function beat_process(process uuid, process_host text, process_pid integer, process_started text, gone uuid[], silence interval,
  siblings uuid[])
returns table (others jsonb, beaten jsonb, due jsonb) language plpgsql as $$
declare
  at_now timestamptz := clock_timestamp();
  is_steady boolean;
  dead uuid[];
begin
  insert into processes as p (id, host, pid, started) values (process, process_host, process_pid, process_started)
    on conflict on constraint processes_pkey do update set seen_at = at_now,
      steady_since = case when p.seen_at < at_now - silence * 0.8 then at_now else p.steady_since end
    returning p.steady_since <= at_now - silence into is_steady;
  -- A sibling that is locked beats for itself.
  with free as materialized (
    select p.id from processes p where p.id = any(siblings) and p.host = process_host order by p.id for update skip locked),
  written as (
    update processes p set seen_at = at_now,
      steady_since = case when p.seen_at < at_now - silence * 0.8 then at_now else p.steady_since end
      from free where p.id = free.id returning p.id)
  select jsonb_agg(w.id) into beaten from (select process as id union all select w.id from written w) w;
  -- Whoever locks a row first frees what its process held.
  with lost as materialized (
    select p.id from processes p
    where p.id <> process and (p.id = any(gone) or (is_steady and p.host <> process_host and p.seen_at < at_now - silence))
    order by p.id for update skip locked),
  removed as (delete from processes p using lost where p.id = lost.id returning p.id)
  select coalesce(array_agg(r.id), '{}') into dead from removed r;
  perform release_leases(dead);
  select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'pid', p.pid, 'started', p.started)), '[]') into others
    from processes p where p.host = process_host and p.id <> process;
  due := to_jsonb(due_work());
  return next;
end $$;
