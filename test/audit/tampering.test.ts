import { canonicalJson } from '@symbolon/crypto/attestation'
import { type CheckpointInput, verifyExport } from '@symbolon/sdk/verify'
import { rounds } from '@symbolon/testing/properties'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type AuditFixture,
  type Checkpoint,
  chunked,
  forgedCheckpoint,
  partsOf,
  startAuditFixture,
  strangerKey,
} from './audit-fixture.ts'

type Log = { organizationId: string; lines: string[]; checkpoint: Checkpoint; earlier: Checkpoint }
/** A log as somebody presents it: lines, the head beside or behind them, and what the reader remembers. */
type Handed = { lines: string[]; checkpoint: Checkpoint; remembered?: CheckpointInput[] }

let fixture: AuditFixture
const logs: Log[] = []
const stranger = strangerKey()

beforeAll(async () => {
  fixture = await startAuditFixture()
  for (const count of [37, 128, 300]) {
    const organizationId = await fixture.log(count)
    const earlier = partsOf(await fixture.download(organizationId, Math.floor(count / 3))).checkpoint
    logs.push({ organizationId, earlier, ...partsOf(await fixture.download(organizationId)) })
  }
})
afterAll(() => fixture.stop())

let seed = 20_261_121
const below = (n: number): number => {
  seed = (seed * 48_271) % 2_147_483_647
  return seed % n
}
const one = <value>(values: readonly value[]): value => values[below(values.length)] as value

/** An event changed as somebody would who knows the format: still canonical, still of the right shape. */
function edited(line: string): string {
  const event = JSON.parse(line)
  const change = one([
    () => (event.success = !event.success),
    () => (event.error_code += 'x'),
    () => (event.actor_id = `${event.actor_id}0`),
    () => (event.payload = { ...event.payload, chain: 'ethereum', n: below(1_000) }),
    () => (event.wallet_id = event.wallet_id === '' ? event.id : ''),
    () => (event.timestamp = new Date(Date.parse(event.timestamp) + 1).toISOString()),
    () => (event.event_type = event.event_type === 'wallet.signed' ? 'wallet.created' : 'wallet.signed'),
    () => (event.id = event.id.replace(/.$/, (last: string) => (last === '0' ? '1' : '0'))),
  ])
  change()
  return canonicalJson(event)
}

function oneByteOff(line: string): string {
  const bytes = Buffer.from(line, 'utf8')
  const at = below(bytes.length)
  // Another printable character, so that the number of lines stays as it is.
  bytes[at] = bytes[at] === 0x41 ? 0x42 : 0x41
  return bytes.toString('utf8')
}

const replaced = (lines: string[], at: number, ...put: string[]) => lines.toSpliced(at, 1, ...put)

const tamperings: Record<string, (log: Log) => Handed | Promise<Handed>> = {
  edit({ lines, checkpoint }) {
    const at = below(lines.length)
    const change = one([edited, oneByteOff])
    return { lines: replaced(lines, at, change(lines[at] ?? '')), checkpoint }
  },
  delete({ lines, checkpoint }) {
    return { lines: lines.toSpliced(below(lines.length - 1), 1 + below(3)), checkpoint }
  },
  insert({ lines, checkpoint }) {
    const line = one(lines)
    return {
      lines: lines.toSpliced(below(lines.length + 1), 0, one([line, edited(line), '', '{}'])),
      checkpoint,
    }
  },
  'edit beside a deletion'({ lines, checkpoint }) {
    const at = below(lines.length - 1)
    return { lines: lines.toSpliced(at, 2, edited(lines[at] ?? ''), lines[at] ?? ''), checkpoint }
  },
  reorder({ lines, checkpoint }) {
    const [from, by] = [below(lines.length), 1 + below(lines.length - 1)]
    const to = (from + by) % lines.length
    const moved = lines.toSpliced(from, 1).toSpliced(to, 0, lines[from] ?? '')
    const swapped = lines.with(from, lines[to] ?? '').with(to, lines[from] ?? '')
    return { lines: one([moved, swapped]), checkpoint }
  },
  truncate({ lines, checkpoint }) {
    const kept = lines.slice(0, -1 - below(lines.length - 1))
    const half = lines.with(-1, lines.at(-1)?.slice(0, -1 - below(20)) ?? '')
    return { lines: one([kept, half]), checkpoint }
  },
  'roll back to an earlier head'({ lines, checkpoint, earlier }) {
    return { lines: lines.slice(0, earlier.tree_size), checkpoint: earlier, remembered: [checkpoint] }
  },
  'swap between organizations'(log) {
    const other = one(logs.filter((each) => each !== log))
    const at = below(log.lines.length)
    const line = one(other.lines)
    const dressed = canonicalJson({ ...JSON.parse(line), organization_id: log.organizationId })
    return one<Handed>([
      { lines: replaced(log.lines, at, line), checkpoint: log.checkpoint },
      { lines: replaced(log.lines, at, dressed), checkpoint: log.checkpoint },
      { lines: log.lines, checkpoint: other.checkpoint },
    ])
  },
  async 'sign anew by another key'({ lines, organizationId, checkpoint }) {
    const at = below(lines.length)
    const forged = replaced(lines, at, edited(lines[at] ?? ''))
    const head = { organizationId, at: checkpoint.timestamp }
    const own = await forgedCheckpoint(forged, { ...head, signer: stranger })
    // Under the platform's key id, too, which is public.
    const claimed = own.note.replace(/— \S+ \S+/, () => {
      const keyId = Buffer.from(/ (\S+)\n$/.exec(checkpoint.note)?.[1] ?? '', 'base64').subarray(0, 4)
      const signature = Buffer.from(own.signature, 'base64')
      return `— wallet.example.test ${Buffer.concat([keyId, signature]).toString('base64')}`
    })
    return { lines: forged, checkpoint: one([own, { ...own, note: claimed }]) }
  },
  'change the note'({ lines, checkpoint, earlier }) {
    const kept = lines.slice(0, earlier.tree_size)
    const [a = '', b = ''] = [checkpoint.root_hash, earlier.root_hash]
    const sized = checkpoint.note.replace(`\n${lines.length}\n`, `\n${earlier.tree_size}\n`).replace(a, b)
    const later = new Date(Date.parse(checkpoint.timestamp) + 1).toISOString()
    const { signature, tree_size } = checkpoint
    return one<Handed>([
      { lines: kept, checkpoint: { ...earlier, note: sized, signature } },
      {
        lines,
        checkpoint: {
          ...checkpoint,
          timestamp: later,
          note: checkpoint.note.replace(checkpoint.timestamp, later),
        },
      },
      { lines, checkpoint: { ...checkpoint, tree_size: tree_size + 1 } },
      { lines, checkpoint: { ...checkpoint, root_hash: b } },
      { lines, checkpoint: { ...checkpoint, timestamp: later } },
    ])
  },
  async 'split view'({ lines, organizationId, checkpoint, earlier }) {
    // The platform itself lies: another log of the same size, signed by its true key.
    const at = below(earlier.tree_size)
    const rewritten = replaced(lines, at, edited(lines[at] ?? ''))
    const head = { organizationId, at: checkpoint.timestamp, signer: fixture.key }
    return {
      lines: rewritten,
      checkpoint: await forgedCheckpoint(rewritten, head),
      remembered: [one([checkpoint, earlier])],
    }
  },
}

async function verdictOf({ lines, checkpoint, remembered }: Handed, organizationId?: string) {
  const isBehind = below(2) === 0
  const last = isBehind ? [canonicalJson({ checkpoint })] : []
  const text = [...lines, ...last].map((line) => `${line}\n`).join('')
  return verifyExport({
    stream: chunked(text, 1 + below(5_000)),
    keys: fixture.keys,
    consistentWith: remembered,
    organizationId,
    ...(!isBehind && { checkpoint }),
  })
}

/** Twenty times each kind: a verifier that lets one of them pass shows within a few. */
const tamperingsTotal = rounds({ suite: 220, night: 1_000 })

test('random tamperings of real exports are all found, and as many untouched ones raise no alarm', async () => {
  const kinds = Object.entries(tamperings)
  const missed: string[] = []
  const alarms: unknown[] = []
  let done = 0
  for (let i = 0; done < tamperingsTotal; i++) {
    const [name, tamper] = kinds[i % kinds.length] as (typeof kinds)[number]
    const log = one(logs)
    const handed = await tamper(log)
    const isUntouched =
      handed.lines.join('\n') === log.lines.join('\n') &&
      handed.checkpoint === log.checkpoint &&
      !handed.remembered
    if (isUntouched) continue
    done += 1
    const { verdict } = await verdictOf(handed, one([log.organizationId, undefined]))
    if (verdict !== 'failed') missed.push(`${i}: ${name}`)
    const { lines, checkpoint, earlier, organizationId } = log
    const whole = await verdictOf(
      one<Handed>([
        { lines, checkpoint },
        { lines, checkpoint, remembered: [earlier] },
        { lines, checkpoint, remembered: [checkpoint, earlier] },
        { lines: lines.slice(0, earlier.tree_size), checkpoint: earlier },
      ]),
      one([organizationId, undefined]),
    )
    if (whole.verdict !== 'verified' || whole.findingsTotal > 0) alarms.push(whole)
  }
  expect({ missed, alarms }).toEqual({ missed: [], alarms: [] })
}, 90_000)
