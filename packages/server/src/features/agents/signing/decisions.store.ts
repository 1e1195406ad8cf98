import type { Attempt } from '../../../db/attempts.ts'
import { batchArguments } from '../../../db/batch-arguments.ts'
import type { Queryable } from '../../../db/pool.ts'
import {
  type CommitResult,
  type CommitRow,
  type Entry,
  eventArguments,
  type ReceiptNumber,
  readCommit,
} from '../../audit/index.ts'
import { type DecisionRanks, decisionRanks, outcomeCodes, type Tally } from './decision-ranks.ts'
import type { BrokenDecision, DecisionGuard, DecisionRecord, SignedSend } from './decision-record.ts'

/** What a commit returned: broken guards by position (then nothing was written), and organizations that owe a gap event. */
export type DecisionsResult = { broken: Map<number, BrokenDecision>; owing: CommitResult['owing'] }

const textMax = 1_024

/** The commit of decisions. */
export const decisionsStore = {
  /** Writes all decisions and their audit events (`entries`), or none. `ids` are the decisions' own events'. One round trip. */
  async commit(
    sql: Queryable,
    decisions: readonly DecisionRecord[],
    ids: readonly string[],
    entries: readonly Entry[],
  ): Promise<DecisionsResult> {
    // The argument `is_due` makes the database decide first.
    const audited =
      entries.length === 0
        ? sql``
        : sql`
      union all select i, reason, null
      from commit_events(${eventArguments(sql, entries, entries)}, is_due => not exists (select from decided))`
    const rows = await sql<CommitRow[]>`
      with decided as materialized (
        select i, reason from commit_agent_decisions(${writtenBatch(sql, batchOf(decisions, ids))}))
      select i, reason, null::boolean as "isEnd" from decided ${audited}
      union all select null, null, true`
    const { broken, owing } = readCommit(rows)
    return { broken: broken as DecisionsResult['broken'], owing }
  },
}

type Batch = {
  organizations: string[]
  guards: (DecisionGuard & { position: number })[]
  tallies: Tally[]
  events: (DecisionRecord & { id: string; ranks: DecisionRanks })[]
  sends: (SignedSend & { position: number })[]
  attempts: (Attempt & { position: number })[]
  receipts: (ReceiptNumber & { position: number; organizationId: string })[]
}

function batchOf(decisions: readonly DecisionRecord[], ids: readonly string[]): Batch {
  const { tallies, ranks } = decisionRanks(decisions)
  return {
    organizations: [...new Set(decisions.map(({ organizationId }) => organizationId))],
    guards: decisions.flatMap(({ guard }, position) => (guard === undefined ? [] : [{ ...guard, position }])),
    tallies,
    events: decisions.map((decision, i) => ({
      ...decision,
      id: ids[i] as string,
      ranks: ranks[i] as DecisionRanks,
    })),
    sends: decisions.flatMap(({ send }, position) => (send === undefined ? [] : [{ ...send, position }])),
    attempts: decisions.flatMap(({ attempt }, position) =>
      attempt === undefined ? [] : [{ ...attempt, position }],
    ),
    receipts: decisions.flatMap(({ audit, organizationId }, position) =>
      audit?.receipt === undefined ? [] : [{ ...audit.receipt, organizationId, position }],
    ),
  }
}

const writtenBatch = batchArguments<Batch>({
  organizations: { organizations: ['uuid[]', (id) => id] },
  guards: {
    guard_position: ['integer[]', ({ position }) => position],
    guard_policy_version: ['integer[]', ({ policyVersion }) => policyVersion],
    guard_rules_version: ['bigint[]', ({ rulesVersion }) => rulesVersion],
    guard_agent_version: ['bigint[]', ({ agentVersion }) => agentVersion],
    guard_digest: ['bytea[]', ({ digest }) => digest],
  },
  tallies: {
    tally_owner: ['uuid[]', ({ owner }) => owner],
    tally_allowed: ['bigint[]', ({ counts }) => counts[0]],
    tally_rejected: ['bigint[]', ({ counts }) => counts[1]],
    tally_failed: ['bigint[]', ({ counts }) => counts[2]],
  },
  events: {
    event_session: ['uuid[]', ({ sessionId }) => sessionId],
    event_rank: ['bigint[]', ({ ranks }) => ranks.session],
    event_rank_outcome: ['bigint[]', ({ ranks }) => ranks.sessionOutcome],
    event_outcome: ['smallint[]', ({ outcome }) => outcomeCodes[outcome]],
    event_id: ['uuid[]', ({ id }) => id],
    event_run: ['uuid[]', ({ runId }) => runId],
    event_rank_run: ['bigint[]', ({ runId, ranks }) => (runId === null ? null : ranks.run)],
    event_rank_run_outcome: ['bigint[]', ({ runId, ranks }) => (runId === null ? null : ranks.runOutcome)],
    event_chain: ['text[]', ({ facts }) => storable(facts.chain)],
    event_method: ['text[]', ({ facts }) => facts.method],
    event_target: ['text[]', ({ facts }) => storable(facts.target)],
    event_value: ['numeric[]', ({ facts }) => storableValue(facts.value)],
    event_fee: ['numeric[]', ({ facts }) => storableValue(facts.fee)],
    event_asset: ['text[]', ({ facts }) => storable(facts.asset)],
    event_reason: ['text[]', ({ reason }) => storable(reason)],
    event_layer: ['text[]', ({ layer }) => layer],
    event_payload: ['bytea[]', ({ facts }) => facts.payloadSha256],
    event_tx_hash: ['text[]', ({ txHash }) => storable(txHash)],
  },
  sends: {
    tx_position: ['integer[]', ({ position }) => position],
    tx_id: ['uuid[]', ({ id }) => id],
    tx_identity: ['uuid[]', ({ userIdentityId }) => userIdentityId],
    tx_sender: ['text[]', ({ sender }) => sender],
    tx_holder: ['uuid[]', ({ holder }) => holder],
    tx_nonce: ['numeric[]', ({ nonce }) => nonce],
    tx_key: ['text[]', ({ requestKey }) => requestKey],
    tx_raw: ['bytea[]', ({ rawTx }) => Buffer.from(rawTx).toString('hex')],
    tx_hold_ms: ['integer[]', ({ holdMs }) => holdMs],
    tx_receipt: ['uuid[]', ({ receiptId }) => receiptId],
  },
  attempts: {
    attempt_position: ['integer[]', ({ position }) => position],
    attempt_scope: ['bytea[]', ({ scope }) => Buffer.from(scope).toString('hex')],
    attempt_key: ['text[]', ({ key }) => key],
    attempt: ['uuid[]', ({ attemptId }) => attemptId],
  },
  receipts: {
    receipt_position: ['integer[]', ({ position }) => position],
    receipt_organization: ['uuid[]', ({ organizationId }) => organizationId],
    receipt_kid: ['text[]', ({ kid }) => kid],
    receipt_counter: ['bigint[]', ({ counter }) => counter],
  },
})

const valueEnd = 10n ** 78n

/** A sum that no column holds is recorded as the most that one does. */
const storableValue = (value: bigint | null): bigint | null =>
  value === null || value < valueEnd ? value : valueEnd - 1n

/** A text may come from a payload: no control character of it is stored (U+0000 cannot be), nor more than an event needs. */
function storable(text: string | null): string | null {
  if (text === null) return null
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not pass.
  return text.slice(0, textMax).replace(/[\x00-\x1f\x7f]/g, '\ufffd')
}
