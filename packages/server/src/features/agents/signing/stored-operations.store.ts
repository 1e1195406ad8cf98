import type { SignIntent, StoredOperation } from '@symbolon/networks'
import type { Queryable } from '../../../db/pool.ts'

/**
 * The wallet's built operation whose hash the intent signs, with its chain. The intent is a user operation, or a message of 32 bytes, which
 * is how a smart account's owner signs one; its own chain does not count. Undefined where none can be submitted any more.
 */
export async function storedOperation(
  sql: Queryable,
  walletId: string,
  intent: SignIntent,
): Promise<StoredOperation | undefined> {
  const hash = hashIn(intent)
  if (hash === undefined) return undefined
  const rows = await sql<StoredOperation[]>`
    select chain, operation from user_operations
    where hash = ${`0x${Buffer.from(hash).toString('hex')}`} and wallet_id = ${walletId}
      and state = 'built' and expires_at > app_now()`
  const [row] = rows
  return row && { chain: row.chain, operation: row.operation }
}

function hashIn(intent: SignIntent): Uint8Array | undefined {
  if (intent.kind === 'user_operation') return intent.hash
  const isBareMessage =
    intent.kind === 'message' && intent.network === 'evm' && intent.smartAccount === undefined
  return isBareMessage && intent.message.length === 32 ? intent.message : undefined
}
