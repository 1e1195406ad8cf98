import { createHash } from 'node:crypto'
import { canonicalJson } from '@symbolon/crypto/attestation'
import type { OperatorState } from '@symbolon/crypto/node'
import { openPool } from '../../db/pool.ts'
import { epochsStore } from '../../features/custody/index.ts'
import { type LogHead, logHeads } from './log-heads.ts'
import { OperatorError } from './operator-failure.ts'
import { type Operators, orderOfState } from './order-enclave.ts'

/**
 * What operators are asked to accept: the epoch and the audit logs of the database, and the freshness marks that the enclave's boot began with. `accepted` is
 * false where nothing waits for them.
 */
export type StateAcceptance = {
  accepted: boolean
  ring_id: string
  epoch: number
  snapshot: { number: number; root: string }
  organizations: LogHead[]
}

/**
 * Accepts, for this boot alone, the state that the enclave has begun with: sessions from before sign again. `show` is called with it before anything is
 * signed, unless nothing waits. Throws an `OperatorError`.
 */
export async function acceptState(
  databaseUrl: string,
  operators: Operators,
  show: (state: StateAcceptance) => void,
): Promise<StateAcceptance> {
  const { epoch, organizations } = await databaseState(databaseUrl)
  let found: StateAcceptance | undefined
  await orderOfState(operators, 'accept_state', (state) => {
    const { ring_id, snapshot, is_waiting: accepted } = state
    found = { accepted, ring_id, epoch, snapshot, organizations }
    if (!accepted) return undefined
    show(found)
    return { order: 'accept_state', ...shownOf(state), epoch, logs_sha256: hashOf(organizations) }
  })
  if (found === undefined) throw new OperatorError('The enclave did not report its state.')
  return found
}

async function databaseState(databaseUrl: string): Promise<Pick<StateAcceptance, 'epoch' | 'organizations'>> {
  const sql = openPool(databaseUrl, { connectionsMax: 1 })
  try {
    return { epoch: await epochsStore.current(sql), organizations: await logHeads(sql) }
  } finally {
    await sql.end({ timeout: 5 })
  }
}

/** What the enclave compares with its own. */
const shownOf = ({ manifest_sha256, ring_version, snapshot }: OperatorState) => ({
  manifest_sha256,
  ring_version,
  snapshot,
})

const hashOf = (heads: readonly LogHead[]): string =>
  createHash('sha256').update(canonicalJson(heads)).digest('hex')
