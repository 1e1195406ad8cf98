import type { Queryable } from '../../db/pool.ts'
import { onlyValue } from '../../db/sure-rows.ts'
import type { SealedRow } from '../outbox/index.ts'

/** Whose codes: the address as normalised, its mailbox, and the device (`nonceHash` is empty without one). */
export type CodeHolder = { organizationId: string; email: string; mailbox: string; nonceHash: Uint8Array }

/** A code as it is stored, and the sealed mail that carries it. */
export type NewCode = CodeHolder & {
  address: string | null
  codeId: string
  salt: Uint8Array
  hash: Uint8Array
  mail: SealedRow
}

/** How a start ended: refused by a limit until then, or granted, with as many starts left for the mailbox. */
export type Started = {
  refusedBy: 'client' | 'mailbox' | 'alarm' | null
  retrySeconds: number
  remaining: number
}

/** A living code that a guess may open. */
export type LivingCode = { codeId: string; salt: Uint8Array }

/** A guess under the salts of the codes that it may open. */
export type Guess = CodeHolder & {
  address: string | null
  newIdentityId: string
  hashes: readonly { codeId: string; hash: Uint8Array }[]
}

/** How a guess ended; see `guess_login_code`. */
export type Guessed = {
  outcome: 'right' | 'wrong' | 'limited'
  retrySeconds: number
  nowMs: number
  identityId: string | null
  mustNotice: boolean
  mustAlarm: boolean
}

/** The statements of login codes. Every time in them is the database's. */
export const loginCodesStore = {
  /** Replaces the code of an address and device and queues its mail, unless a limit refuses it; see `start_login_code`. */
  async start(sql: Queryable, code: NewCode): Promise<Started> {
    const rows = await sql<Started[]>`
      select refused_by as "refusedBy", coalesce(extract(epoch from retry_at - asked_at), 0)::double precision as "retrySeconds", remaining
      from start_login_code(organization => ${code.organizationId}, address => ${code.address}::inet, email_address => ${code.email},
        mailbox_address => ${code.mailbox}, nonce => ${code.nonceHash}, code => ${code.codeId}, code_salt => ${code.salt},
        hash => ${code.hash}, mail => ${code.mail.id}, sealed_mail => ${code.mail.sealedPayload})`
    onlyValue(rows, 'remaining')
    return rows[0] as Started
  },

  /** The living codes that a guess may open: that of its own device, and that asked without one. */
  async living(sql: Queryable, { organizationId, email, nonceHash }: CodeHolder): Promise<LivingCode[]> {
    return sql<LivingCode[]>`
      select code_id as "codeId", salt from login_codes
      where organization_id = ${organizationId} and email = ${email} and nonce_hash in (${new Uint8Array(0)}, ${nonceHash})
        and attempts < 5 and consumed_at is null and expires_at > app_now()`
  },

  /** Seconds until the client address may verify again after its failures, as `guess_login_code` counts them; 0 for now. */
  async clientPause(
    sql: Queryable,
    { organizationId, address }: { organizationId: string; address: string | null },
  ): Promise<number> {
    const rows = await sql<{ seconds: number }[]>`
      select greatest(0, coalesce(max(extract(epoch from
        wait_of_times(c.failed_at, 30, interval '15 minutes') - app_now())), 0))::double precision as seconds
      from login_clients c
      where c.client = login_client(${address}::inet) and not is_trusted_client(${organizationId}, ${address}::inet)`
    return onlyValue(rows, 'seconds')
  },

  /** Compares a guess and counts it; see `guess_login_code`. */
  async guess(tx: Queryable, guess: Guess): Promise<Guessed> {
    const hex = guess.hashes.map(({ hash }) => `\\x${Buffer.from(hash).toString('hex')}`)
    const rows = await tx<Guessed[]>`
      select outcome, coalesce(extract(epoch from retry_at - guessed_at), 0)::double precision as "retrySeconds",
        (extract(epoch from guessed_at) * 1000)::double precision as "nowMs", identity_id as "identityId",
        must_notice as "mustNotice", must_alarm as "mustAlarm"
      from guess_login_code(organization => ${guess.organizationId}, address => ${guess.address}::inet, email_address => ${guess.email},
        mailbox_address => ${guess.mailbox}, nonce => ${guess.nonceHash}, codes => ${guess.hashes.map(({ codeId }) => codeId)}::uuid[],
        hashes => ${hex}::text[]::bytea[], new_identity => ${guess.newIdentityId})`
    onlyValue(rows, 'outcome')
    return rows[0] as Guessed
  },
}
