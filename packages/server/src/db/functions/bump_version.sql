-- Counts the updates of a row. A trigger, because an update that forgets it would leave revoked keys in the caches of other processes.
create or replace function bump_version() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  return new;
end $$;

create or replace trigger bump_version before update on organizations for each row execute function bump_version();

create or replace trigger bump_version before update on api_keys for each row execute function bump_version();
