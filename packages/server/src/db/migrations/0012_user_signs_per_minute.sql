-- phase: expand
-- An organization's own rate of its users' signatures, which only an operator of the installation sets.

alter table organizations
  -- Signatures a minute and user; null: the documented rate.
  add column user_signs_per_minute integer check (user_signs_per_minute between 12 and 6000);
