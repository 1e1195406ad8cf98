-- What a call of a tool over MCP with an idempotency key has decided on, written down before it is done: whoever asks again after a
-- crash goes on with the very same. Each note is JSON as text (jsonb has no U+0000, and sellers' offers may).
create table agent_call_notes (
  session_id uuid not null references agent_sessions,
  attempt_key text not null,
  notes text[] not null,
  expires_at timestamptz not null,
  primary key (session_id, attempt_key)
);
create index agent_call_notes_expiry on agent_call_notes (expires_at);
