import type { Hex } from '@symbolon/networks/evm'
import type { Queryable } from '../../db/pool.ts'
import { microEur } from '../smart-accounts/index.ts'
import type { Confirmation } from './confirmations.ts'
import type { OperationState } from './userops.store.ts'

/** A submitted operation that the chain may still change. */
export type FollowedOperation = {
  id: string
  hash: Hex
  sender: Hex
  nonce: bigint
  state: OperationState
  fromBlock: bigint
  validUntil: bigint
  /** `undefined` when the account pays for itself. */
  priceEurE8: bigint | undefined
  /** The block that has it, if one does. */
  confirmed: { blockNumber: bigint; blockHash: Hex } | undefined
  nonceTakenAtBlock: bigint | undefined
  /** No block has had it for so long that it is to be submitted again. */
  isDue: boolean
}

type Row = {
  id: string
  hash: Hex
  sender: Hex
  nonce: Hex
  state: OperationState
  from_block: string
  valid_until: string
  price_eur_e8: string | null
  block_number: string | null
  block_hash: Hex | null
  nonce_taken_at_block: string | null
  is_due: boolean | null
}

const columns = `id, hash, sender, operation ->> 'nonce' as nonce, state, from_block, valid_until, price_eur_e8,
  block_number, block_hash, nonce_taken_at_block, next_send_at <= app_now() as is_due`

/** The statements of the settlement. Each moves one operation from the states that it names, or does nothing. */
export const settlementStore = {
  /** Whether this holder follows the chain for the next `leaseMs`. */
  async lease(sql: Queryable, chain: string, holder: string, leaseMs: number): Promise<boolean> {
    const rows = await sql`
      with clock as materialized (select app_now() as now)
      insert into settlement_leases as l (chain, holder, expires_at)
      select ${chain}, ${holder}, now + ${leaseMs} * interval '1 millisecond' from clock
      on conflict (chain) do update set holder = excluded.holder, expires_at = excluded.expires_at
      where l.holder = excluded.holder or l.expires_at <= app_now() returning 1`
    return rows.length === 1
  },

  async endLease(sql: Queryable, chain: string, holder: string): Promise<void> {
    await sql`delete from settlement_leases where chain = ${chain} and holder = ${holder}`
  },

  /** Followed operations of a chain after the id `after`, in the order of their ids; `isOpen` leaves out those at an end. */
  async followed(
    sql: Queryable,
    chain: string,
    { after, isOpen, rowsMax }: { after: string; isOpen: boolean; rowsMax: number },
  ): Promise<FollowedOperation[]> {
    const rows = await sql<Row[]>`
      select ${sql.unsafe(columns)} from user_operations
      where chain = ${chain} and is_followed and id > ${after} and (not ${isOpen} or state in ('sending', 'sent'))
      order by id limit ${rowsMax}`
    return rows.map(followedOperation)
  },

  /** Those of the operations that are still on their way. */
  async open(sql: Queryable, hashes: readonly Hex[]): Promise<FollowedOperation[]> {
    const rows = await sql<Row[]>`
      select ${sql.unsafe(columns)} from user_operations
      where hash = any(${[...hashes]}::text[]) and state in ('sending', 'sent')`
    return rows.map(followedOperation)
  },

  /**
   * Records the confirmation of an operation and its cost: the reserve is released and the cost charged, also where it was
   * thought to be at an end, or confirmed elsewhere. Its account is deployed now.
   */
  async confirm(
    sql: Queryable,
    { id, priceEurE8 }: FollowedOperation,
    confirmation: Confirmation,
  ): Promise<boolean> {
    const micro = priceEurE8 === undefined ? null : microEur(confirmation.costWei, priceEurE8).toString()
    const rows = await sql`
      with confirmed as (
        update user_operations set state = ${confirmation.succeeded ? 'confirmed' : 'failed'},
          block_number = ${confirmation.blockNumber.toString()}::bigint, block_hash = ${confirmation.blockHash},
          transaction_hash = ${confirmation.transactionHash}, succeeded = ${confirmation.succeeded}, reason = ${confirmation.reason},
          actual_gas_cost_wei = ${confirmation.costWei.toString()}::numeric, settled_micro = ${micro}::bigint,
          confirmed_at = coalesce(confirmed_at, date_trunc('milliseconds', app_now())), is_followed = true
        where id = ${id} and submitted_at is not null
          and (block_hash, transaction_hash) is distinct from (${confirmation.blockHash}, ${confirmation.transactionHash})
        returning smart_account_id),
      deployed as (
        update smart_accounts a set deployed = true from confirmed where a.id = confirmed.smart_account_id and not a.deployed)
      select 1 from confirmed`
    return rows.length === 1
  },

  /** Reopens an operation whose block the chain has dropped: it is on its way again. */
  async reopen(sql: Queryable, { id }: FollowedOperation, blockHash: Hex): Promise<boolean> {
    const rows = await sql`
      with reopened as (
        update user_operations set state = 'sent', block_number = null, block_hash = null, transaction_hash = null,
          succeeded = null, reason = null, actual_gas_cost_wei = null, settled_micro = null, confirmed_at = null,
          nonce_taken_at_block = null, next_send_at = app_now()
        where id = ${id} and state in ('confirmed', 'failed') and block_hash = ${blockHash}
        returning smart_account_id, deploys),
      undeployed as (
        update smart_accounts a set deployed = false from reopened
        where a.id = reopened.smart_account_id and reopened.deploys)
      select 1 from reopened`
    return rows.length === 1
  },

  /** Ends an operation that can no longer be confirmed; its reservation ends. */
  async end(
    sql: Queryable,
    { id }: FollowedOperation,
    state: 'expired' | 'replaced' | 'rejected',
  ): Promise<boolean> {
    const rows = await sql`
      update user_operations set state = ${state}, reason = ${state}
      where id = ${id} and state in ('sending', 'sent') returning 1`
    return rows.length === 1
  },

  async noteNonceTaken(
    sql: Queryable,
    { id }: FollowedOperation,
    atBlock: bigint | undefined,
  ): Promise<void> {
    await sql`update user_operations set nonce_taken_at_block = ${atBlock?.toString() ?? null}::bigint where id = ${id}`
  },

  /** Stops following an operation whose end no reorganisation reaches, unless it has changed meanwhile. */
  async unfollow(sql: Queryable, { id, state, confirmed }: FollowedOperation): Promise<void> {
    await sql`
      update user_operations set is_followed = false
      where id = ${id} and state = ${state} and block_hash is not distinct from ${confirmed?.blockHash ?? null}`
  },
}

function followedOperation(row: Row): FollowedOperation {
  return {
    id: row.id,
    hash: row.hash,
    sender: row.sender,
    nonce: BigInt(row.nonce),
    state: row.state,
    fromBlock: BigInt(row.from_block),
    validUntil: BigInt(row.valid_until),
    priceEurE8: row.price_eur_e8 === null ? undefined : BigInt(row.price_eur_e8),
    confirmed:
      row.block_number === null || row.block_hash === null
        ? undefined
        : { blockNumber: BigInt(row.block_number), blockHash: row.block_hash },
    nonceTakenAtBlock: row.nonce_taken_at_block === null ? undefined : BigInt(row.nonce_taken_at_block),
    isDue: row.is_due === true,
  }
}
