import * as z from 'zod'
import { actorTypes, auditEventTypes } from './events.ts'
import { Base64, GivenTimestamp, Id, Timestamp, VisibleAscii } from './formats.ts'
import { page } from './wallet-list.ts'

/** The id of what an event is about; empty where it is about none. */
const IdOrNone = z.union([Id, z.literal('')])

/** A security-relevant action. */
export const AuditEvent = z
  .strictObject({
    id: Id,
    timestamp: Timestamp,
    organization_id: Id,
    user_identity_id: IdOrNone,
    wallet_id: IdOrNone,
    actor_type: z.enum(actorTypes),
    actor_id: z.string(),
    event_type: z.enum(auditEventTypes),
    payload: z.record(z.string(), z.unknown()),
    success: z.boolean(),
    error_code: z.string().meta({ description: 'Empty on success.' }),
  })
  .meta({ id: 'AuditEvent' })

const isTrue = z
  .enum(['true', 'false'])
  .transform((text) => text === 'true')
  .pipe(z.boolean())

/** Page and filters of the audit list; all filters given have to hold. */
export const ListAuditEvents = z.strictObject({
  ...page,
  event_type: z.string().min(1).max(100).exactOptional(),
  success: isTrue.exactOptional(),
  actor_id: VisibleAscii.min(1).max(200).exactOptional(),
  wallet_id: Id.exactOptional(),
  from: GivenTimestamp.exactOptional().meta({ description: 'Inclusive.' }),
  to: GivenTimestamp.exactOptional().meta({ description: 'Exclusive.' }),
})

/** One page of events, newest first; `total` counts all that the filters let through, exactly. */
export const AuditPage = z
  .strictObject({
    items: z.array(AuditEvent),
    total: z.int().min(0),
    limit: z.int(),
    offset: z.int(),
  })
  .meta({ id: 'AuditPage' })

/** The signed head of a company's log (C2SP tlog-checkpoint). */
export const AuditCheckpoint = z
  .strictObject({
    tree_size: z.int().min(0),
    root_hash: Base64,
    timestamp: Timestamp,
    signature: Base64.meta({ description: 'Ed25519 over the text of `note`, by a key of the JWKS.' }),
    note: z.string(),
  })
  .meta({ id: 'AuditCheckpoint' })

/** That an event is in the log (RFC 6962 section 2.1.1). */
export const AuditProof = z
  .strictObject({
    leaf_index: z.int().min(0),
    tree_size: z.int().min(1),
    root_hash: Base64,
    hashes: z.array(Base64),
  })
  .meta({ id: 'AuditProof' })

/** That a later log begins with an earlier one (RFC 6962 section 2.1.2). */
export const AuditConsistency = z
  .strictObject({
    from_size: z.int().min(1),
    tree_size: z.int().min(1),
    from_root_hash: Base64,
    root_hash: Base64,
    hashes: z.array(Base64),
  })
  .meta({ id: 'AuditConsistency' })

const size = z
  .string()
  .regex(/^[1-9][0-9]{0,14}$/, 'must be a size')
  .transform(Number)
  .pipe(z.int().min(1))

/** Which tree a proof is for; the present one when absent. */
export const ProofQuery = z.strictObject({ tree_size: size.exactOptional() })

/** Between which trees. */
export const ConsistencyQuery = z.strictObject({ from: size, to: size.exactOptional() })

/** How much of the log; `checkpoint=true` adds a last line `{"checkpoint": …}` with the signed head of what was exported. */
export const ExportQuery = z.strictObject({
  tree_size: size.exactOptional(),
  checkpoint: isTrue.exactOptional(),
})
