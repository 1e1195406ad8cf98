-- Lists of runs read what they tell, not what the runs hold. Both columns are written when what they follow from is, and never else.
alter table agent_runs
  -- The conversation of a task, beside the message that it came with, which may be large.
  add column context_id text generated always as (metadata ->> 'context_id') stored,
  -- The beginning of a result whose JSON is long; null where it is not.
  add column result_beginning text generated always as (
    case when length(result::text) > 4096 then left(result::text, 4096) end) stored;

-- A name for a notification that tells nothing of how many there are; the same at each try.
alter table a2a_pushes add column jti uuid not null default gen_random_uuid();
