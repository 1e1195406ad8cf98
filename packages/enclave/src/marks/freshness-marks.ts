import { hash } from 'node:crypto'
import type { MarkPart, ReceivedMark, ReceivedSigningRequest, ReceivedVersions } from '@symbolon/crypto/node'
import type { Spend } from '@symbolon/policy'
import { EnclaveFault } from '../enclave-fault.ts'
import { type MarkChain, type MarkPosition, markChain } from './mark-chain.ts'
import { type MarkTable, markMax, markTable, nameBytes, neverEnds } from './mark-table.ts'

/** What names and what seals the marks of a ring, 32 bytes each: every boot has the same. */
export type MarkKeys = { names: Uint8Array; seal: Uint8Array }

/** What a signature costs its session: `endsAtMs` is the session's own end, since 1970 (null: none). */
export type Cost = { digestSha256: string; spends: readonly Spend[]; endsAtMs: number | null }

/** A request of a session, as far as marks are kept of it. */
export type MarkedRequest = Pick<ReceivedSigningRequest, 'row' | 'context' | 'versions'>

/**
 * What this enclave saw and did: whoever shows it an older state gets nothing signed (docs/decisions/0038-sealed-marks.md). Sums here are never above those of an
 * honest database, which reserves before it asks for a signature, so that an honest request is never refused.
 */
export type FreshnessMarks = {
  /**
   * Notes the versions that a session's request is evaluated under. Throws `EnclaveFault`: `rolled_back_session` where the session was revoked,
   * `rolled_back_policy` or `rolled_back_rules` where the enclave saw later ones, `rolled_back_boot` where its grant may be older than this boot, and
   * nobody has accepted the state that this boot began with. Only once its grant has opened.
   */
  see(request: MarkedRequest, endsAtMs: number | null): void
  /** Throws `EnclaveFault('rolled_back_wallet')` where the wallet (its row on the wire) was archived. */
  assertActive(row: Uint8Array): void
  /**
   * Throws `EnclaveFault('rolled_back_budget')` where what the session has signed and what this costs exceed a cap: the database would have refused
   * it. What was signed before costs nothing. The answer counts the signature: call it once that was made, before anything else is asked.
   */
  assertFits(request: MarkedRequest, cost: Cost): () => void
  /** Notes what an API process says has happened: a later change of the same thing stays. */
  note(mark: ReceivedMark): void
  /** Notes that this boot has sealed the session's grant. */
  sealed(grant: Pick<MarkedRequest, 'row' | 'context'>): void
  /** The next segment for the database (`MarkChain.next`). */
  take(stored: number): ReturnType<MarkChain['next']>
  /** Whether there may be one. */
  hasUnstored(): boolean
  /** Takes a part of what an earlier boot has left in the database. Throws `EnclaveFault('refused')` where it does not continue the parts before. */
  load(part: MarkPart): void
  /** What was loaded at the boot. */
  loaded(): MarkPosition
  /** Whether somebody has yet to accept that. */
  isWaiting(): boolean
  /** Accepts it: grants of earlier boots sign from now on. */
  accept(): void
}

const kindBytes = {
  session: Buffer.of(0),
  rules: Buffer.of(1),
  agent: Buffer.of(2),
  wallet: Buffer.of(3),
  digest: Buffer.of(4),
  sum: Buffer.of(5),
}
type Kind = keyof typeof kindBytes

const dayMs = 24 * 60 * 60 * 1000
const noAgent = Buffer.alloc(16)

/** `nowMs` is the enclave's own clock; `isWaiting` says whether the operators accept what the boot begins with. */
export type FreshnessMarksInput = {
  keys: MarkKeys
  isWaiting: boolean
  nowMs: () => number
  table?: MarkTable
}

/** Marks of an enclave that has just started. */
export function freshnessMarks({ keys, isWaiting, nowMs, table }: FreshnessMarksInput): FreshnessMarks {
  // A clock that is wrong at the boot must not drop marks before they are even there.
  let isLoading = true
  const today = () => (isLoading ? 0 : Math.floor(nowMs() / dayMs))
  return marksOver({
    keys,
    isWaiting,
    table: table ?? markTable({ today }),
    setLoading: (is) => (isLoading = is),
  })
}

type MarksParts = {
  keys: MarkKeys
  isWaiting: boolean
  table: MarkTable
  setLoading(isLoading: boolean): void
}

function marksOver({ keys, isWaiting, table, setLoading }: MarksParts): FreshnessMarks {
  const nameOf = markNames(keys.names)
  const acceptance = acceptedSessions(isWaiting)

  function put(name: Uint8Array, value: bigint, lastDay: number): void {
    if (!table.set(name, value, lastDay)) throw new EnclaveFault('unavailable', 'there is no room for marks')
  }

  /** Raises a version; false where the enclave saw a later one. */
  function raise(name: Uint8Array, version: bigint, lastDay: number): boolean {
    const seen = table.get(name)
    if (version > seen) put(name, version, lastDay)
    return version >= seen
  }

  const isSurroundingKnown = (row: Uint8Array, { rules, agentId, agent }: ReceivedVersions): boolean =>
    raise(nameOf('rules', organizationOf(row)), BigInt(rules), neverEnds) &&
    (noAgent.equals(agentId) || raise(nameOf('agent', agentId), BigInt(agent), neverEnds))

  return {
    ...spentMarks(table, put, nameOf),
    ...acceptance,
    ...storedMarks(markChain({ table, key: keys.seal }), setLoading),
    see(request, endsAtMs) {
      acceptance.assertAccepted(sessionOf(request))
      const name = nameOf('session', sessionOf(request))
      if (!raise(name, versionOf(request), lastDayOf(endsAtMs))) {
        throw olderState(table.get(name) === revoked ? 'rolled_back_session' : 'rolled_back_policy')
      }
      if (!isSurroundingKnown(request.row, request.versions)) throw olderState('rolled_back_rules')
    },
    assertActive(row) {
      if (table.get(nameOf('wallet', walletOf(row))) & 1n) throw olderState('rolled_back_wallet')
    },
    note({ kind, id, order, endsAtMs }) {
      // Of a session that the enclave never saw, only the host says when it ends: its mark stays.
      const revoke = (name: Uint8Array, lastDay: number) =>
        put(name, revoked, table.get(name) === 0n ? neverEnds : lastDay)
      if (kind === 'session_revoked') revoke(nameOf('session', id), lastDayOf(endsAtMs))
      else if (kind === 'rules_changed') raise(nameOf('rules', id), BigInt(order), neverEnds)
      else if (kind === 'agent_changed') raise(nameOf('agent', id), BigInt(order), neverEnds)
      else {
        const status = kind === 'wallet_archived' ? 1n : 0n
        raise(nameOf('wallet', id), (BigInt(order) << 1n) | status, neverEnds)
      }
    },
  }
}

type Put = (name: Uint8Array, value: bigint, lastDay: number) => void
type NameOf = (kind: Kind, id: Uint8Array, rest?: string) => Uint8Array

// Sessions at work ask for the same names again and again, and a hash costs ten times a look-up.
const rememberedNames = 4_096
// 100 bytes each.
const sealedHereMax = 1 << 18

/**
 * Which sessions may sign before somebody has accepted the state that the boot began with: those whose grants it has sealed itself. No more of them than
 * memory has room for: the others wait.
 */
function acceptedSessions(
  isWaitingAtFirst: boolean,
): Pick<FreshnessMarks, 'sealed' | 'isWaiting' | 'accept'> & { assertAccepted(sessionId: Uint8Array): void } {
  const sealedHere = new Set<string>()
  let isWaiting = isWaitingAtFirst
  return {
    sealed(grant) {
      if (isWaiting && sealedHere.size < sealedHereMax) sealedHere.add(textOf(sessionOf(grant)))
    },
    assertAccepted(sessionId) {
      if (isWaiting && !sealedHere.has(textOf(sessionId))) throw olderState('rolled_back_boot')
    },
    isWaiting: () => isWaiting,
    accept() {
      isWaiting = false
      sealedHere.clear()
    },
  }
}

/** How marks come from the database at the boot, and go there while it runs. */
function storedMarks(
  chain: MarkChain,
  setLoading: (isLoading: boolean) => void,
): Pick<FreshnessMarks, 'take' | 'hasUnstored' | 'load' | 'loaded'> {
  let loaded: MarkPosition = chain.position()
  return {
    take: (stored) => chain.next(stored),
    hasUnstored: () => chain.hasUnstored(),
    load({ isFirst, isLast, segment }) {
      if (isFirst) {
        setLoading(true)
        chain.clear()
      }
      if (segment !== undefined) chain.load(segment)
      if (!isLast) return
      chain.finish()
      setLoading(false)
      loaded = chain.position()
    },
    loaded: () => loaded,
  }
}

/**
 * Names of marks: hashes under a key of the ring, so that no caller can make two of them meet. Ids have 16 bytes, so that no two of the hashed texts are
 * the same; names never leave, so that a hash with a key in front will do. Those of `digest` are asked for once and not remembered.
 */
function markNames(key: Uint8Array): NameOf {
  const remembered = new Map<string, Uint8Array>()
  const hashed: NameOf = (kind, id, rest = '') =>
    hash('sha256', Buffer.concat([key, kindBytes[kind], id, Buffer.from(rest)]), 'buffer').subarray(
      0,
      nameBytes,
    )

  return (kind, id, rest = '') => {
    if (kind === 'digest') return hashed(kind, id, rest)
    const text = `${kind}${textOf(id)}${rest}`
    const known = remembered.get(text)
    if (known !== undefined) return known
    if (remembered.size >= rememberedNames) remembered.clear()
    const name = hashed(kind, id, rest)
    remembered.set(text, name)
    return name
  }
}

/** What sessions have signed, and what that adds up to. */
function spentMarks(table: MarkTable, put: Put, nameOf: NameOf): Pick<FreshnessMarks, 'assertFits'> {
  const digestName = (request: MarkedRequest, { digestSha256 }: Cost) =>
    nameOf('digest', sessionOf(request), digestSha256)
  const sumName = (request: MarkedRequest, { counter }: Spend) => nameOf('sum', sessionOf(request), counter)
  return {
    assertFits(request, cost) {
      const digest = digestName(request, cost)
      if (table.get(digest) !== 0n) return () => {}
      const sums = cost.spends.map((spend) => {
        const name = sumName(request, spend)
        return { name, sum: table.get(name) + spend.amount, ...spend }
      })
      if (sums.some(({ sum, caps }) => caps.some(({ max }) => sum > max)))
        throw olderState('rolled_back_budget')
      return () => {
        if (sums.length === 0) return
        const lastDay = lastDayOf(cost.endsAtMs)
        // What nothing limits, the database counts only once it is certain to have left.
        for (const { name, sum, caps } of sums) if (caps.length > 0) put(name, sum, lastDay)
        // Last: without it, what was signed counts once more, never less.
        put(digest, 1n, lastDay)
      }
    },
  }
}

/** Above every version of a policy. */
const revoked = markMax

const olderState = (status: ConstructorParameters<typeof EnclaveFault>[0]): EnclaveFault =>
  new EnclaveFault(status, 'the enclave saw a later state')

// The last day of a session is kept whole, and one more, for whoever's clock is slow.
function lastDayOf(endsAtMs: number | null): number {
  const day = endsAtMs === null ? neverEnds : Math.floor(endsAtMs / dayMs) + 1
  return Math.max(1, Math.min(day, neverEnds))
}

const textOf = (id: Uint8Array): string => Buffer.from(id.buffer, id.byteOffset, id.length).toString('latin1')
const organizationOf = (row: Uint8Array): Uint8Array => row.subarray(0, 16)
const walletOf = (row: Uint8Array): Uint8Array => row.subarray(16, 32)
// `context` is row, session id, version of its policy, curve and public key.
const sessionOf = ({ row, context }: Pick<MarkedRequest, 'row' | 'context'>): Uint8Array =>
  context.subarray(row.length, row.length + 16)
const versionOf = ({ row, context }: MarkedRequest): bigint =>
  BigInt(Buffer.from(context.buffer, context.byteOffset, context.length).readUInt32BE(row.length + 16))
