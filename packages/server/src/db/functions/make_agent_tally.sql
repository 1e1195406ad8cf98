-- A session has its tally from the start: the row is the lock of its budget.
create or replace function make_agent_tally() returns trigger language plpgsql as $$
begin
  insert into agent_tallies (owner) values (new.id);
  return null;
end $$;

create or replace trigger make_agent_tally after insert on agent_sessions for each row execute function make_agent_tally();
