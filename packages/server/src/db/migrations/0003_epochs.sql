-- phase: expand
-- Epochs of an installation: each restore of a backup begins another, so that rows and sessions from before it can be told apart.

create table epochs (
  epoch integer primary key check (epoch > 0),
  -- When the backup was taken that was restored; null in the first epoch.
  backup_taken_at timestamptz,
  started_at timestamptz not null default app_now()
);
insert into epochs (epoch) values (1);
