import type { Queryable, Transaction } from '../../../db/pool.ts'

/** A signed transaction of an agent. */
export type AgentTransaction = {
  id: string
  organizationId: string
  sessionId: string
  walletId: string
  userIdentityId: string
  chain: string
  sender: `0x${string}`
  nonce: bigint
  txHash: `0x${string}`
  rawTx: Uint8Array
  state: 'sending' | 'sent' | 'seen' | 'refused' | 'replaced'
  attempts: number
  /** The receipt of its signature (JWS), where it has one and whoever reads it wants it: `byKey`. */
  receipt?: string | undefined
}

type Row = Omit<AgentTransaction, 'nonce'> & { nonce: string }

const columns = `t.id, t.organization_id as "organizationId", t.session_id as "sessionId", t.wallet_id as "walletId",
  t.user_identity_id as "userIdentityId", t.chain, t.sender, t.nonce::text, t.tx_hash as "txHash", t.raw_tx as "rawTx", t.state,
  t.attempts`

const fromRow = (row: Row): AgentTransaction => ({ ...row, nonce: BigInt(row.nonce) })

/** The statements on transactions of agents. */
export const agentTransactionsStore = {
  /** The transaction that the session made under this key. */
  async byKey(sql: Queryable, sessionId: string, requestKey: string): Promise<AgentTransaction | undefined> {
    const [row] = await sql<(Row & { jws: string | null })[]>`
      select ${sql.unsafe(columns)}, (select r.jws from receipts r where r.receipt_id = t.receipt_id) as jws
      from agent_transactions t where t.session_id = ${sessionId} and t.request_key = ${requestKey}`
    if (row === undefined) return undefined
    const { jws, ...made } = row
    return { ...fromRow(made), ...(jws !== null && { receipt: jws }) }
  },

  /** Releases a key after so many hours, or where the chain refused its transaction: the same key then makes a new one. */
  async freeKey(sql: Queryable, sessionId: string, requestKey: string, hours: number): Promise<void> {
    await sql`
      update agent_transactions set request_key = null
      where session_id = ${sessionId} and request_key = ${requestKey}
        and (state in ('refused', 'replaced') or created_at <= app_now() - ${hours} * interval '1 hour')`
  },

  /** The signed bytes of those on their way, from a nonce on. */
  async waiting(
    sql: Queryable,
    { walletId, chain, from }: { walletId: string; chain: string; from: bigint },
  ): Promise<Uint8Array[]> {
    const rows = await sql<{ rawTx: Uint8Array }[]>`
      select raw_tx as "rawTx" from agent_transactions
      where wallet_id = ${walletId} and chain = ${chain} and nonce >= ${from.toString()}::numeric and state in ('sending', 'sent')`
    return rows.map(({ rawTx }) => rawTx)
  },

  /** Moves it on; false when it is elsewhere already. `againMs`: when to look again, for those that go on. */
  async move(
    tx: Transaction | Queryable,
    id: string,
    from: AgentTransaction['state'],
    to: AgentTransaction['state'],
    againMs: number | null,
  ): Promise<boolean> {
    const moved = await tx`
      update agent_transactions set state = ${to}, attempts = attempts + 1, held_by = null,
        next_attempt_at = app_now() + ${againMs}::double precision * interval '1 ms'
      where id = ${id} and state = ${from}`
    return moved.count === 1
  },

  /** Takes over what is due, for `leaseMs` or until the process `holder` is dead. */
  async claim(
    sql: Queryable,
    { rowsMax, leaseMs, holder }: { rowsMax: number; leaseMs: number; holder: string },
  ): Promise<AgentTransaction[]> {
    const rows = await sql<Row[]>`
      update agent_transactions t set next_attempt_at = app_now() + ${leaseMs} * interval '1 ms', held_by = ${holder}
      from (
        select id from agent_transactions where state in ('sending', 'sent') and next_attempt_at <= app_now()
        order by next_attempt_at limit ${rowsMax} for update skip locked) due
      where t.id = due.id
      returning ${sql.unsafe(columns)}`
    return rows.map(fromRow)
  },
}
