import {
  expectEnd,
  readBytes32,
  readFixed,
  readU8,
  readU64,
  WireError,
  type WireReader,
  type WireWriter,
  writeBytes32,
  writeFixed,
  writeU8,
  writeU64,
} from './wire.ts'

/**
 * A sealed piece of the enclave's freshness marks. They are numbered from 1; `root` (32 bytes) is a hash over this one and all before, `previousRoot` that
 * of the one before. Those with numbers below `keepFrom` are of no more use. Where `isComplete` is false, more follow at once: store them in one transaction.
 */
export type MarkSegment = {
  number: number
  keepFrom: number
  previousRoot: Uint8Array
  root: Uint8Array
  isComplete: boolean
  sealed: Uint8Array
}

/** A part of what the enclave loads at its boot: `first` begins anew, `last` ends the loading; a part without a segment is both. */
export type MarkPart = { isFirst: boolean; isLast: boolean; segment: MarkSegment | undefined }

const rootBytes = 32
const flags = { isFirst: 1, isLast: 2, hasSegment: 4 } as const
const allFlags = flags.isFirst | flags.isLast | flags.hasSegment

function writeSegment(writer: WireWriter, segment: MarkSegment): void {
  writeU64(writer, segment.number)
  writeU64(writer, segment.keepFrom)
  writeFixed(writer, segment.previousRoot)
  writeFixed(writer, segment.root)
  writeU8(writer, segment.isComplete ? 1 : 0)
  writeBytes32(writer, segment.sealed)
}

// The fields are read in the order in which they are named here.
const readSegment = (reader: WireReader): MarkSegment => ({
  number: readU64(reader),
  keepFrom: readU64(reader),
  previousRoot: readFixed(reader, rootBytes),
  root: readFixed(reader, rootBytes),
  isComplete: readU8(reader) === 1,
  sealed: readBytes32(reader),
})

/** Appends the body of a `takeMarks` request: the number of the last segment that is stored, 0 for none. */
export function writeTakeMarksRequest(writer: WireWriter, stored: number): void {
  writeU64(writer, stored)
}

/** Reads the body of a `takeMarks` request. */
export function readTakeMarksRequest(reader: WireReader): number {
  const stored = readU64(reader)
  expectEnd(reader)
  return stored
}

/** Appends the body of a `takeMarks` answer: empty where everything is stored. */
export function writeTakeMarksAnswer(writer: WireWriter, segment: MarkSegment | undefined): void {
  if (segment !== undefined) writeSegment(writer, segment)
}

/** Reads the body of a `takeMarks` answer; its byte fields are copies. */
export function readTakeMarksAnswer(reader: WireReader): MarkSegment | undefined {
  if (reader.offset === reader.end) return undefined
  const { previousRoot, root, sealed, ...rest } = readSegment(reader)
  expectEnd(reader)
  return {
    ...rest,
    previousRoot: Uint8Array.from(previousRoot),
    root: Uint8Array.from(root),
    sealed: Uint8Array.from(sealed),
  }
}

/** Appends the body of a `loadMarks` request. */
export function writeLoadMarksRequest(writer: WireWriter, { isFirst, isLast, segment }: MarkPart): void {
  const hasSegment = segment !== undefined
  writeU8(
    writer,
    (isFirst ? flags.isFirst : 0) | (isLast ? flags.isLast : 0) | (hasSegment ? flags.hasSegment : 0),
  )
  if (hasSegment) writeSegment(writer, segment)
}

/** Reads the body of a `loadMarks` request; its byte fields are views. */
export function readLoadMarksRequest(reader: WireReader): MarkPart {
  const found = readU8(reader)
  if ((found & ~allFlags) !== 0) throw new WireError('unknown flags of marks')
  const segment = (found & flags.hasSegment) === 0 ? undefined : readSegment(reader)
  expectEnd(reader)
  return { isFirst: (found & flags.isFirst) !== 0, isLast: (found & flags.isLast) !== 0, segment }
}
