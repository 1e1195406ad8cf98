import { nullableTextArray, plainArray } from '../../../db/array-literal.ts'
import type { Queryable } from '../../../db/pool.ts'
import { type End, rowsOfWhole } from '../../../db/sure-rows.ts'
import { decisionRanks, outcomeCodes } from './decision-ranks.ts'
import type { BrokenDecision, DecisionRecord } from './decision-record.ts'

/** What a commit answered: broken guards by position (then nothing was written), and organizations that owe a gap event. */
export type DecisionsResult = {
  broken: Map<number, BrokenDecision>
  owing: { organizationId: string; missed: number }[]
}

const separator = '\x1f'
const textMax = 1_024

/** The commit of decisions. */
export const decisionsStore = {
  /** Writes all decisions, or none. `ids` are the events', `audit` what `commit_events` is given. One round trip. */
  async commit(
    sql: Queryable,
    decisions: readonly DecisionRecord[],
    ids: readonly string[],
    audit: string | null,
  ): Promise<DecisionsResult> {
    const rows = await sql<({ i: number; reason: string } & End)[]>`
      select i, reason, null as "isEnd" from commit_agent_decisions(${columnsOf(decisions, ids)}, ${audit})
      union all select null, null, true`
    const result: DecisionsResult = { broken: new Map(), owing: [] }
    for (const { i, reason } of rowsOfWhole(rows)) {
      if (i >= 0) result.broken.set(i, reason as BrokenDecision)
      else {
        const [organizationId = '', missed = '0'] = reason.split(' ')
        result.owing.push({ organizationId, missed: Number(missed) })
      }
    }
    return result
  },
}

function columnsOf(decisions: readonly DecisionRecord[], ids: readonly string[]): string {
  const { tallies, ranks } = decisionRanks(decisions)
  const guards = decisions.flatMap(({ sessionId, guard }, i) =>
    guard === undefined ? [] : [{ ...guard, i, sessionId }],
  )
  const sends = decisions.flatMap(({ send }, i) => (send === undefined ? [] : [{ ...send, i }]))
  const texts = (value: (decision: DecisionRecord) => string | null) =>
    nullableTextArray(decisions.map((decision) => storable(value(decision))))
  const inRun = (value: (i: number) => number) =>
    plainArray(decisions.map(({ runId }, i) => (runId === null ? undefined : value(i))))
  return [
    plainArray([...new Set(decisions.map(({ organizationId }) => organizationId))]),
    // Not read any more.
    '{}',
    plainArray(guards.map(({ i }) => i)),
    // Not read any more.
    '{}',
    plainArray(guards.map(({ policyVersion }) => policyVersion)),
    plainArray(guards.map(({ rulesVersion }) => rulesVersion)),
    plainArray(guards.map(({ agentVersion }) => agentVersion ?? undefined)),
    bytesArray(guards.map(({ digest }) => digest)),
    plainArray(tallies.map(({ owner }) => owner)),
    plainArray(tallies.map(({ counts }) => counts[0])),
    plainArray(tallies.map(({ counts }) => counts[1])),
    plainArray(tallies.map(({ counts }) => counts[2])),
    plainArray(decisions.map(({ sessionId }) => sessionId)),
    plainArray(ranks.map(({ session }) => session)),
    plainArray(ranks.map(({ sessionOutcome }) => sessionOutcome)),
    plainArray(decisions.map(({ outcome }) => outcomeCodes[outcome])),
    plainArray(ids),
    plainArray(decisions.map(({ runId }) => runId ?? undefined)),
    inRun((i) => ranks[i]?.run ?? 0),
    inRun((i) => ranks[i]?.runOutcome ?? 0),
    texts(({ facts }) => facts.chain),
    texts(({ facts }) => facts.method),
    texts(({ facts }) => facts.target),
    plainArray(decisions.map(({ facts }) => valueText(facts.value))),
    texts(({ facts }) => facts.asset),
    texts(({ reason }) => reason),
    texts(({ layer }) => layer),
    bytesArray(decisions.map(({ facts }) => facts.payloadSha256)),
    texts(({ txHash }) => txHash),
    plainArray(sends.map(({ i }) => i)),
    plainArray(sends.map(({ id }) => id)),
    plainArray(sends.map(({ userIdentityId }) => userIdentityId)),
    plainArray(sends.map(({ sender }) => sender)),
    plainArray(sends.map(({ holder }) => holder)),
    plainArray(sends.map(({ nonce }) => nonce.toString())),
    nullableTextArray(sends.map(({ attemptKey }) => attemptKey)),
    bytesArray(sends.map(({ rawTx }) => Buffer.from(rawTx).toString('hex'))),
    plainArray(sends.map(({ holdMs }) => holdMs)),
  ].join(separator)
}

const bytesArray = (hex: readonly (string | null)[]) =>
  nullableTextArray(hex.map((digits) => (digits === null ? null : `\\x${digits}`)))

/** Sums of a payload that no column holds are told as the most that one does. */
function valueText(value: bigint | null): string | undefined {
  if (value === null) return undefined
  return (value < valueEnd ? value : valueEnd - 1n).toString()
}
const valueEnd = 10n ** 78n

/** Texts may come from a payload: none of it gets between the columns, and none is longer than an event wants. */
function storable(text: string | null): string | null {
  if (text === null) return null
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not pass.
  return text.slice(0, textMax).replace(/[\x00-\x1f\x7f]/g, '\ufffd')
}
