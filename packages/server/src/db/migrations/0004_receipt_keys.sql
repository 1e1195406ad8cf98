-- phase: expand
-- The attestation of each receipt key of the enclave, made when the key was made: what old receipts are verified by.

create table enclave_receipt_keys (
  kid text primary key check (kid ~ '^[A-Za-z0-9_-]{43}$'),
  -- As `GET /v1/attestation` answered it for this key: mode, document, ring_id, image, keys, manifest.
  attestation jsonb not null,
  attested_at timestamptz not null default app_now()
);
