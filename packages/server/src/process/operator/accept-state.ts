import { createHash } from 'node:crypto'
import { canonicalJson } from '@symbolon/crypto/attestation'
import type { OperatorState } from '@symbolon/crypto/node'
import { openPool } from '../../db/pool.ts'
import { epochsStore, ringsStore } from '../../features/custody/index.ts'
import { type LogHead, logHeads } from './log-heads.ts'
import { OperatorError } from './operator-failure.ts'
import { type Operators, orderOfState } from './order-enclave.ts'

/**
 * What operators are asked to accept: the epoch and the audit logs of the database, and the freshness marks that the enclave's boot began with. `waiting` says
 * whether it waited for them, `accepted` whether they have accepted it now.
 */
export type StateAcceptance = {
  accepted: boolean
  waiting: boolean
  ring_id: string
  epoch: number
  snapshot: { number: number; root: string }
  organizations: LogHead[]
}

/** Where the state is read, and what is accepted: nothing, where it is only to be shown, else what has this root, where one is named. */
export type Acceptance = { databaseUrl: string; isShownOnly: boolean; root?: string | undefined }

/**
 * Accepts, for this boot alone, the state that the enclave has begun with: sessions from before sign again. Throws an `OperatorError` where the enclave has
 * another ring than the database, or another root than the one that is named.
 */
export async function acceptState(
  { databaseUrl, isShownOnly, root }: Acceptance,
  operators: Operators,
): Promise<StateAcceptance> {
  const { epoch, organizations, ringId } = await databaseState(databaseUrl)
  let found: StateAcceptance | undefined
  await orderOfState(operators, 'accept_state', (state) => {
    const { ring_id, snapshot, is_waiting: waiting } = state
    if (ring_id !== ringId)
      throw new OperatorError(
        `The enclave has the key ring ${ring_id}, the database names ${ringId ?? 'none'}.`,
      )
    if (root !== undefined && root !== snapshot.root)
      throw new OperatorError(`The enclave began with root ${snapshot.root}. Nothing was accepted.`)
    const accepted = waiting && !isShownOnly
    found = { accepted, waiting, ring_id, epoch, snapshot, organizations }
    if (!accepted) return undefined
    return { order: 'accept_state', ...shownOf(state), epoch, logs_sha256: hashOf(organizations) }
  })
  if (found === undefined) throw new OperatorError('The enclave did not report its state.')
  return found
}

async function databaseState(databaseUrl: string) {
  const sql = openPool(databaseUrl, { connectionsMax: 1 })
  try {
    const { ringId } = await ringsStore.versions(sql)
    return { ringId, epoch: await epochsStore.current(sql), organizations: await logHeads(sql) }
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
