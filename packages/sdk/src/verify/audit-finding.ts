/**
 * The weight of a finding: a `failure` proves a difference from the signed log, `unproven` says what could
 * not be checked for want of a checkpoint, proof or key, a `notice` is odd and was signed all the same.
 */
export type AuditSeverity = 'failure' | 'unproven' | 'notice'

/** Why an export, a checkpoint or a proof was not verified; the texts are in `auditFinding`. */
export type AuditFindingCode = keyof typeof kinds

/** One finding. Lines count from 1; `line` to `lastLine` locate the cause, if known. */
export type AuditFinding = {
  readonly code: AuditFindingCode
  readonly severity: AuditSeverity
  readonly message: string
  readonly line?: number
  readonly lastLine?: number
}

/** `failed` by at least one failure, else `unproven` by at least one thing that was not checked, else `verified`. */
export type AuditVerdict = 'verified' | 'unproven' | 'failed'

const kinds = {
  not_utf8: ['failure', 'The line is not UTF-8.'],
  not_json: ['failure', 'The line is not JSON: it was cut off or edited.'],
  not_canonical: ['failure', 'The line is not the canonical JSON that the platform writes: it was edited.'],
  not_an_event: ['failure', 'The line lacks a field of an audit event, or has one of another type.'],
  line_too_long: ['failure', 'The line is longer than any event.'],
  other_organization: ['failure', 'This belongs to another organization.'],
  duplicate_event: ['failure', 'An earlier event has the same id and time.'],
  line_after_checkpoint: ['failure', 'A line follows the checkpoint, which must be the last.'],
  time_went_back: ['notice', 'The event is older than the one before it.'],
  event_after_checkpoint: ['notice', 'The event is younger than the checkpoint that vouches for it.'],
  checkpoint_malformed: ['failure', 'This is not a checkpoint.'],
  checkpoint_contradiction: ['failure', 'The checkpoint contradicts its own note.'],
  unknown_key: ['failure', 'None of the given keys has signed the checkpoint.'],
  signature_invalid: ['failure', 'The signature of the checkpoint is forged: its text was changed.'],
  other_platform: ['failure', 'This belongs to another platform.'],
  root_mismatch: ['failure', 'The lines differ from the signed ones.'],
  lines_missing: ['failure', 'Lines are missing.'],
  lines_beyond: ['failure', 'The checkpoint does not vouch for these lines.'],
  split_view: ['failure', 'Two signed checkpoints give the same number of events different contents.'],
  history_rewritten: ['failure', 'The later log does not begin with the earlier one.'],
  proof_malformed: ['failure', 'This is not a proof for this checkpoint.'],
  proof_invalid: ['failure', 'The proof does not lead to the signed root.'],
  no_checkpoint: ['unproven', 'No checkpoint was given: the lines cannot be verified.'],
  no_proof: ['unproven', 'No proof was given that the later log begins with the earlier one.'],
  no_keys: ['unproven', 'No keys were given: the checkpoint is unverified.'],
} as const satisfies Record<string, readonly [AuditSeverity, string]>

/** A finding; `details` goes behind its general words. */
export function auditFinding(
  code: AuditFindingCode,
  { details = '', ...place }: { details?: string; line?: number; lastLine?: number } = {},
): AuditFinding {
  const [severity, message] = kinds[code]
  return { code, severity, message: details === '' ? message : `${message} ${details}`, ...place }
}

/** What findings come to. */
export function auditVerdict(severities: Iterable<AuditSeverity>): AuditVerdict {
  const all = new Set(severities)
  if (all.has('failure')) return 'failed'
  return all.has('unproven') ? 'unproven' : 'verified'
}
