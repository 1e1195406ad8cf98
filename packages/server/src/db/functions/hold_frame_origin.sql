-- Whether the wallet frame's recorded origin is the one that a process serves, or none is recorded. It stays so until the transaction ends:
-- a start that wants another one waits (claim_frame_origin), and finds the client-mode wallet that the transaction made.
create or replace function hold_frame_origin(served text) returns boolean language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('frame_origin', 0));
  return not exists (select from frame_origin f where f.origin <> served);
end $$;
