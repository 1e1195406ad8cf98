-- The one clock of every limit and expiry. Development replaces it to move time for all processes at once.
create or replace function app_now() returns timestamptz language sql volatile parallel safe as 'select clock_timestamp()';
