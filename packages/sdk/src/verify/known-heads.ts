import { isEqual } from './exact-bytes.ts'
import type { FindingList } from './finding-list.ts'
import type { MerkleRoot } from './merkle-root.ts'
import type { OpenCheckpoint } from './open-checkpoint.ts'

type Known = OpenCheckpoint & { name: string; isWhole: boolean; found: Uint8Array | undefined }

/**
 * Heads to compare the lines with as they pass: at the size of each head, the roots must be equal. `name` is the head's name in
 * findings; one that `isWhole` vouches for all lines, an earlier one for the first of them.
 */
export function knownHeads() {
  const known: Known[] = []

  return {
    add(opened: OpenCheckpoint, { name, isWhole }: { name: string; isWhole: boolean }): void {
      known.push({ ...opened, name, isWhole, found: undefined })
    },

    /** Remembers the root where a head is of just this many lines; cheap elsewhere. */
    look(tree: MerkleRoot): void {
      for (const one of known) if (one.head.size === tree.size) one.found = tree.root()
    },

    /** Reports the heads that the lines do not lead to, and between which lines the cause lies. */
    report(size: number, findings: FindingList): void {
      const ordered = known.toSorted((a, b) => a.head.size - b.head.size)
      const soundSizes = ordered.filter(isSound).map(({ head }) => head.size)
      for (const one of ordered) {
        const { head, name } = one
        if (one.isWhole && head.size < size)
          findings.add('lines_beyond', {
            details: `(${name} covers ${head.size} events, the export has ${size})`,
            line: head.size + 1,
            lastLine: size,
          })
        if (head.size > size)
          findings.add('lines_missing', {
            details: `(${name} covers ${head.size} events, the export has ${size})`,
            line: size + 1,
            lastLine: head.size,
          })
        else if (one.found !== undefined && !isSound(one)) {
          const before = soundSizes.findLast((sound) => sound < head.size) ?? 0
          // Where a later head vouches for these very lines, it is the platform that contradicts itself.
          const isRewritten = soundSizes.some((sound) => sound > head.size)
          const rest = before === 0 ? '' : `; the first ${before} are as they were signed`
          findings.add(isRewritten ? 'history_rewritten' : 'root_mismatch', {
            details: `(${name} covers other lines${rest})`,
            ...(head.size > 0 && { line: before + 1, lastLine: head.size }),
          })
        }
      }
      for (const [i, { head, name }] of ordered.entries()) {
        const other = ordered[i - 1]
        if (other?.head.size === head.size && !isEqual(other.head.root, head.root))
          findings.add('split_view', { details: `(${other.name} and ${name}, at ${head.size} events)` })
      }
    },
  }
}

const isSound = ({ head, found }: Known) => found !== undefined && isEqual(found, head.root)
