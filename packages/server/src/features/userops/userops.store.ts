import type { Hex } from '@symbolon/networks/evm'
import type { Queryable, Transaction } from '../../db/pool.ts'
import type { UserToken } from '../../http/principal.ts'
import type { Price } from '../../ports/prices.ts'
import { operationToJson, type UnsignedOperation } from './operation-json.ts'

/** The state of an operation; the migration explains each. */
export type OperationState =
  | 'building'
  | 'built'
  | 'sending'
  | 'sent'
  | 'confirmed'
  | 'failed'
  | 'rejected'
  | 'expired'
  | 'replaced'

/** The caller's wallet with its smart account on a chain. */
export type OwnedAccount = {
  walletId: string
  walletStatus: 'active' | 'archived'
  accountId: string | null
  address: Hex
  ownerAddress: Hex
  deployed: boolean
}

/** What is promised for an operation: its worst cost in micro-EUR, within the month's cap, at a price. */
export type Reserve = { reserveMicro: bigint; capMicro: bigint; price: Price }

/** SQLSTATE of `limit_organization_gas` and `limit_installation_gas`. */
const sharedLimit = 'SYGAS'

/** A new operation; without `reserve` the account pays for itself. */
export type NewOperation = {
  id: string
  organizationId: string
  identityId: string
  account: OwnedAccount & { accountId: string }
  chain: string
  chainId: number
  operation: UnsignedOperation
  fromBlock: bigint
  reserve?: Reserve
}

/** An operation as its user reads it. */
export type OperationRow = {
  id: string
  state: OperationState
  walletId: string
  walletStatus: 'active' | 'archived'
  chain: string
  chainId: number
  sender: Hex
  ownerAddress: Hex
  hash: Hex
  deploys: boolean
  operation: Record<string, Hex>
  /** Past `expires_at`, by the database's clock. */
  isPast: boolean
  /** Unix seconds of the chain's clock; null while it is being built. */
  chainExpiresAt: string | null
  signature: Hex | null
  isSponsored: boolean
  settledMicro: string | null
  submittedAt: Date | null
  blockNumber: number | null
  transactionHash: Hex | null
  succeeded: boolean | null
  reason: string | null
  actualGasCostWei: string | null
  confirmedAt: Date | null
}

/** What a claim of the one send came to. */
export type Claim =
  | 'claimed'
  | 'taken'
  | 'expired'
  | 'not_found'
  | 'wallet_archived'
  | 'token_revoked'
  | 'token_expired'

const columns = `o.id, o.state, o.wallet_id as "walletId", w.status as "walletStatus", o.chain,
  o.chain_id::double precision as "chainId", o.sender, o.owner_address as "ownerAddress", o.hash, o.deploys, o.operation,
  o.expires_at <= app_now() as "isPast", o.chain_expires_at as "chainExpiresAt", o.signature,
  o.reserve_micro is not null as "isSponsored", o.settled_micro as "settledMicro", o.submitted_at as "submittedAt",
  o.block_number::double precision as "blockNumber", o.transaction_hash as "transactionHash", o.succeeded, o.reason,
  o.actual_gas_cost_wei as "actualGasCostWei", o.confirmed_at as "confirmedAt"`

// A build that takes longer than this has died: its routes and calls have shorter limits.
const buildingLimit = '60 seconds'

/** The statements of building and submitting; settlement has its own. */
export const useropsStore = {
  async accountOf(
    sql: Queryable,
    organizationId: string,
    identityId: string,
    chain: string,
    factory: Hex,
  ): Promise<OwnedAccount | undefined> {
    const rows = await sql<OwnedAccount[]>`
      select w.id as "walletId", w.status as "walletStatus", a.id as "accountId", a.address,
        a.owner_address as "ownerAddress", a.deployed
      from wallets w left join smart_accounts a on a.wallet_id = w.id and a.chain = ${chain} and a.factory = ${factory}
      where w.organization_id = ${organizationId} and w.user_identity_id = ${identityId} and w.curve = 'secp256k1'`
    return rows[0]
  },

  /**
   * Inserts an operation as `building` and reserves its worst cost against the month, in one statement: `false` when the
   * cap of the wallet, of its organization or of the installation leaves too little, or the wallet is archived, and nothing has changed.
   */
  async reserve(sql: Queryable, given: NewOperation): Promise<boolean> {
    try {
      return await insertReserved(sql, given)
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === sharedLimit) return false
      throw error
    }
  },

  /** Makes an operation submittable for `lifetimeSeconds`; nothing when its build was given up meanwhile. */
  async complete(
    sql: Queryable,
    id: string,
    built: {
      hash: Hex
      operation: UnsignedOperation
      chainExpiresAt: bigint
      validUntil: bigint
      lifetimeSeconds: number
    },
  ): Promise<Date | undefined> {
    const rows = await sql<{ expiresAt: Date }[]>`
      update user_operations set state = 'built', hash = ${built.hash},
        operation = ${operationToJson(built.operation)}::text::jsonb,
        chain_expires_at = ${built.chainExpiresAt.toString()}::bigint, valid_until = ${built.validUntil.toString()}::bigint,
        expires_at = date_trunc('milliseconds', app_now()) + ${built.lifetimeSeconds} * interval '1 second'
      where id = ${id} and state = 'building' returning expires_at as "expiresAt"`
    return rows[0]?.expiresAt
  },

  /** Ends an operation that was never submitted; what it reserved is free again. */
  async expire(sql: Queryable, id: string): Promise<void> {
    await sql`update user_operations set state = 'expired' where id = ${id} and state in ('building', 'built')`
  },

  /** Ends up to `rowsMax` operations that nobody submitted in time, and what broken builds left behind. */
  async expireUnsubmitted(sql: Queryable, rowsMax: number): Promise<number> {
    const rows = await sql<{ count: number }[]>`select expire_unsubmitted(${rowsMax}) as count`
    return rows[0]?.count ?? 0
  },

  async byHash(
    sql: Queryable,
    organizationId: string,
    identityId: string,
    hash: Hex,
  ): Promise<OperationRow | undefined> {
    const rows = await sql<OperationRow[]>`
      select ${sql.unsafe(columns)} from user_operations o join wallets w on w.id = o.wallet_id
      where o.hash = ${hash} and o.organization_id = ${organizationId} and o.user_identity_id = ${identityId}`
    return rows[0]
  },

  /**
   * Takes the one send of a built operation, or says why not. `leaseMs`: when others may think that it was lost, which they know at once
   * where the process `holder` is dead.
   */
  async claim(
    tx: Transaction,
    claim: {
      organizationId: string
      identityId: string
      hash: Hex
      signature: Hex
      attemptId: string
      leaseMs: number
      holder: string
      chainNow: bigint
      isDeployed: boolean
      token: UserToken
    },
  ): Promise<Claim> {
    const { token } = claim
    const rows = await tx<{ outcome: Claim }[]>`
      select submit_user_operation(organization => ${claim.organizationId}, identity => ${claim.identityId},
        operation_hash => ${claim.hash}, owner_signature => ${claim.signature}, attempt => ${claim.attemptId},
        lease => ${claim.leaseMs} * interval '1 millisecond', chain_now => ${claim.chainNow.toString()}::bigint,
        is_deployed => ${claim.isDeployed}, token_name => decode(${token.hash}, 'hex'),
        token_expires_at => ${token.expiresAt}::timestamptz, holder => ${claim.holder}) as outcome`
    return rows[0]?.outcome ?? 'not_found'
  },
}

async function insertReserved(sql: Queryable, given: NewOperation): Promise<boolean> {
  const { account, reserve } = given
  const month = sql`to_char(now at time zone 'UTC', 'YYYY-MM')`
  const owner = sql`wallets w, clock where w.id = ${account.walletId} and w.status = 'active'`
  const reserved =
    reserve === undefined
      ? sql`select null::text as month from ${owner}`
      : sql`
          insert into sponsor_months as m (wallet_id, month, reserved_micro)
          select w.id, ${month}, ${reserve.reserveMicro.toString()}::bigint from ${owner}
            and ${reserve.reserveMicro.toString()}::bigint <= ${reserve.capMicro.toString()}::bigint
          on conflict (wallet_id, month) do update set reserved_micro = m.reserved_micro + excluded.reserved_micro
            where m.settled_micro + m.reserved_micro + excluded.reserved_micro <= ${reserve.capMicro.toString()}::bigint
          returning month`
  const rows = await sql`
      with clock as materialized (select app_now() as now), reserved as (${reserved})
      insert into user_operations (id, organization_id, user_identity_id, wallet_id, smart_account_id, chain, chain_id,
        sender, owner_address, state, operation, deploys, month, reserve_micro, price_eur_e8, price_source, price_at,
        from_block, created_at, expires_at)
      select ${given.id}, ${given.organizationId}, ${given.identityId}, ${account.walletId}, ${account.accountId},
        ${given.chain}, ${given.chainId}, ${account.address}, ${account.ownerAddress}, 'building',
        ${operationToJson(given.operation)}::text::jsonb, ${given.operation.factory !== undefined}, reserved.month,
        ${reserve?.reserveMicro.toString() ?? null}::bigint, ${reserve?.price.eurE8.toString() ?? null}::numeric,
        ${reserve?.price.source ?? null}, ${reserve?.price.at ?? null}::timestamptz,
        ${given.fromBlock.toString()}::bigint, now, now + ${buildingLimit}::interval
      from reserved, clock returning 1`
  return rows.length === 1
}
