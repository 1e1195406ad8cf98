import { hash } from 'node:crypto'
import { equalBytes } from '@symbolon/crypto'
import type { MarkSegment } from '@symbolon/crypto/node'
import { EnclaveFault } from '../enclave-fault.ts'
import { ivBytes, openInPlace, sealInPlace, tagBytes } from '../sodium-aead.ts'
import { type MarkTable, markBytes } from './mark-table.ts'

/** Where a chain of segments ends: the number of the last one (0: there is none yet), and the hash over all of them (32 bytes). */
export type MarkPosition = { number: number; root: Uint8Array }

/**
 * The marks of a table as a chain of sealed, numbered segments, which the database keeps and the next boot reads (docs/decisions/0038-sealed-marks.md). A segment
 * has what changed since the one before, and the next piece of a walk through the whole table: once a walk has ended, the segments before its
 * begin are of no more use.
 */
export type MarkChain = {
  position(): MarkPosition
  /**
   * The segment after number `stored`, the last one that the database has; undefined where it has everything. Until a later call names it as stored, the same
   * one is returned. A `stored` that this chain does not know begins it anew: all marks follow, and only with the last of those segments is any of use. Throws
   * `EnclaveFault('refused')` where `stored` is above 2^48 and above every number of this chain.
   */
  next(stored: number): MarkSegment | undefined
  /** Whether the database may lack something. */
  hasUnstored(): boolean
  /** Forgets everything: a chain is loaded from its first segment on. */
  clear(): void
  /** Takes the next segment of a chain. Throws `EnclaveFault('refused')` where it is not this ring's, or not the next one. */
  load(segment: MarkSegment): void
  /** Ends the loading. Throws `EnclaveFault('refused')` where segments are missing before the first that was loaded. */
  finish(): void
}

/** `key` (32 bytes) seals the segments: every boot of a ring has the same. */
export type MarkChainInput = { table: MarkTable; key: Uint8Array }

// 4,096 marks that changed and as many of the walk: a frame holds 1 MiB.
const changedMax = 4_096
// A walk makes headway with each segment: few changes would otherwise keep many segments for long.
const walkMin = 512
// Boots that end before their first walk does leave all their segments: from here on, the next boot writes everything anew at once.
const loadedTimesMax = 4
// A host that lies about what it has must not lead the numbers to where they are no longer exact.
const numberMax = 2 ** 48
const noRoot = new Uint8Array(32)

/** A walk through the table: the number of its first segment, and where it goes on. */
type Walk = { begins: number; at: number; generation: number }

type Chain = {
  readonly input: MarkChainInput
  number: number
  root: Uint8Array
  /** The first segment that a boot needs, and the first that was loaded. */
  keepFrom: number
  loadedFrom: number
  loadedMarks: number
  walk: Walk
  /** Whether the database lacks marks until the walk ends. */
  isAnew: boolean
  unconfirmed: MarkSegment | undefined
}

/** The chain of a table, as yet without segments. */
export function markChain(input: MarkChainInput): MarkChain {
  const chain: Chain = { input, ...emptyChain(input.table) }
  return {
    position: () => ({ number: chain.number, root: chain.root }),
    next: (stored) => nextSegment(chain, stored),
    hasUnstored: () => chain.isAnew || chain.unconfirmed !== undefined || input.table.changed() > 0,
    clear() {
      input.table.clear()
      Object.assign(chain, emptyChain(input.table))
    },
    load: (segment) => loadSegment(chain, segment),
    finish() {
      if (chain.loadedFrom > chain.keepFrom) throw notNext()
      chain.walk = walkFrom(chain)
      if (chain.loadedMarks > input.table.size() * loadedTimesMax + changedMax) beginAnew(chain, chain.number)
    },
  }
}

const emptyChain = (table: MarkTable): Omit<Chain, 'input'> => ({
  number: 0,
  root: noRoot,
  keepFrom: 1,
  loadedFrom: 1,
  loadedMarks: 0,
  walk: { begins: 1, at: 0, generation: table.generation() },
  isAnew: false,
  unconfirmed: undefined,
})

const walkFrom = ({ number, input }: Chain): Walk => ({
  begins: number + 1,
  at: 0,
  generation: input.table.generation(),
})

function nextSegment(chain: Chain, stored: number): MarkSegment | undefined {
  if (stored > Math.max(numberMax, chain.number))
    throw new EnclaveFault('refused', 'no database has that many segments')
  const { unconfirmed } = chain
  if (unconfirmed !== undefined && stored === unconfirmed.number - 1)
    return { ...unconfirmed, isComplete: isComplete(chain) }
  chain.unconfirmed = undefined
  if (stored !== chain.number) beginAnew(chain, stored)
  if (!chain.isAnew && chain.input.table.changed() === 0) return undefined
  chain.unconfirmed = sealNext(chain)
  return chain.unconfirmed
}

/** The database has another chain: it gets all marks, under numbers that neither chain has used. */
function beginAnew(chain: Chain, stored: number): void {
  chain.number = Math.max(chain.number, stored)
  chain.walk = walkFrom(chain)
  chain.isAnew = true
}

/** Whether nothing follows what was taken: asked anew where a segment is returned again, since more may have changed. */
const isComplete = ({ isAnew, input }: Chain): boolean => !isAnew && input.table.changed() === 0

function sealNext(chain: Chain): MarkSegment {
  const { table, key } = chain.input
  if (chain.walk.generation !== table.generation()) chain.walk = walkFrom(chain)
  const changed = table.takeChanged(changedMax)
  const walked = table.scan(
    chain.walk.at,
    chain.isAnew ? changedMax : Math.max(changed.length / markBytes, walkMin),
  )
  const previousRoot = chain.root
  chain.number += 1
  if (walked.next === null) {
    chain.keepFrom = chain.walk.begins
    chain.walk = walkFrom(chain)
    chain.isAnew = false
  } else chain.walk.at = walked.next
  const place = { number: chain.number, keepFrom: chain.keepFrom, previousRoot }
  const sealed = sealInPlace(Buffer.concat([changed, walked.marks]), placeBytes(place), key)
  chain.root = rootAfter(place, sealed)
  return { ...place, root: chain.root, isComplete: isComplete(chain), sealed }
}

function loadSegment(chain: Chain, segment: MarkSegment): void {
  const { table, key } = chain.input
  const { number, keepFrom, previousRoot, sealed } = segment
  if (chain.number === 0) {
    chain.loadedFrom = number
    chain.root = previousRoot.slice()
  } else if (number !== chain.number + 1 || !equalBytes(previousRoot, chain.root)) throw notNext()
  const marks = opened(sealed, placeBytes(segment), key)
  if (!table.put(marks)) throw new EnclaveFault('unavailable', 'there is no room for marks')
  chain.number = number
  chain.keepFrom = keepFrom
  chain.loadedMarks += marks.length / markBytes
  chain.root = rootAfter(segment, sealed)
}

function opened(sealed: Uint8Array, aad: Uint8Array, key: Uint8Array): Uint8Array {
  const length = sealed.length - ivBytes - tagBytes
  if (length < 0 || length % markBytes !== 0) throw notNext()
  const out = new Uint8Array(length)
  const [iv, ciphertext, tag] = [
    sealed.subarray(0, ivBytes),
    sealed.subarray(ivBytes, ivBytes + length),
    sealed.subarray(ivBytes + length),
  ]
  if (!openInPlace({ out, ciphertext, tag, aad, iv, key })) throw notNext()
  return out
}

type Place = Pick<MarkSegment, 'number' | 'keepFrom' | 'previousRoot'>

const label = Buffer.from('symbolon marks v1\0')

/** What a segment is bound to: its place in the chain. */
function placeBytes({ number, keepFrom, previousRoot }: Place): Buffer {
  const numbers = Buffer.alloc(16)
  numbers.writeBigUInt64BE(BigInt(number), 0)
  numbers.writeBigUInt64BE(BigInt(keepFrom), 8)
  return Buffer.concat([label, numbers, previousRoot])
}

const rootAfter = (place: Place, sealed: Uint8Array): Buffer =>
  hash('sha256', Buffer.concat([placeBytes(place), sealed]), 'buffer')

const notNext = (): EnclaveFault => new EnclaveFault('refused', 'this is not the next segment of the marks')
