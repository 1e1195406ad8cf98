-- Money follows the state: a change of an operation's reservation or cost changes its month by the same amount.
create or replace function move_sponsorship() returns trigger language plpgsql as $$
begin
  update sponsor_months m set
    reserved_micro = m.reserved_micro - old.held_micro + new.held_micro,
    settled_micro = m.settled_micro - coalesce(old.settled_micro, 0) + coalesce(new.settled_micro, 0)
  where m.wallet_id = new.wallet_id and m.month = new.month;
  if not found then raise exception 'The operation % has no month.', new.id; end if;
  return null;
end $$;

create or replace trigger move_sponsorship after update on user_operations for each row
  when (old.held_micro <> new.held_micro or old.settled_micro is distinct from new.settled_micro)
  execute function move_sponsorship();
