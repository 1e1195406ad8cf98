import { toBase64 } from '../bytes.ts'
import { type AuditKeys, importKeys } from './audit-keys.ts'
import { readAuditLine } from './audit-line.ts'
import { eventOrder } from './event-order.ts'
import { type AuditExport, exportLines, lineBytesMax } from './export-lines.ts'
import { type Findings, findingList } from './finding-list.ts'
import { knownHeads } from './known-heads.ts'
import { merkleRoot } from './merkle-root.ts'
import { type CheckpointInput, type OpenCheckpoint, openCheckpoint } from './open-checkpoint.ts'

/** What to verify an export against. */
export type VerifyExportOptions = AuditExport & {
  /** The signed head of exactly these lines. An export asked for with `checkpoint=true` brings its own. */
  readonly checkpoint?: CheckpointInput | undefined
  /** The platform's public keys, preferably from where it cannot change them: an earlier download, a colleague, a repository. */
  readonly keys?: AuditKeys | undefined
  /** Heads seen before, in any order: the lines must begin with those they cover. */
  readonly consistentWith?: readonly CheckpointInput[] | undefined
  /** Refuses the log of any other organization. */
  readonly organizationId?: string | undefined
  /** Refuses the log of any other platform: the host of its base URL, with the port where it is not the usual one. */
  readonly host?: string | undefined
  /** Called with the number of events read so far, every ten thousand events. */
  readonly onProgress?: ((size: number) => void) | undefined
}

/** The result of verifying an export. */
export type ExportReport = Findings & {
  readonly organizationId: string | undefined
  /** How many events there are. */
  readonly size: number
  /** The root over them, base64. */
  readonly rootHash: string
  /** Times of the first and last event, ISO 8601. */
  readonly firstAt: string | undefined
  readonly lastAt: string | undefined
  /** The head that vouches for them, where one was opened; `kid` names the key that signed it. */
  readonly checkpoint:
    | { readonly host: string; readonly size: number; readonly at: string; readonly kid?: string }
    | undefined
}

const progressEvery = 10_000

type Verification = {
  readonly options: VerifyExportOptions
  readonly keys: Awaited<ReturnType<typeof importKeys>> | undefined
  readonly findings: ReturnType<typeof findingList>
  readonly heads: ReturnType<typeof knownHeads>
  readonly tree: ReturnType<typeof merkleRoot>
}

/**
 * Verifies an export of an audit log without the platform: computes the RFC 9162 root over the exact lines and compares it
 * with signed heads (C2SP tlog-checkpoint); checks each line to name the cause where it can. Reads as a stream, in constant
 * memory. Only `verified` means that the log is complete and unchanged. Rejects if the stream does, or if WebCrypto has no
 * Ed25519.
 */
export async function verifyExport(options: VerifyExportOptions): Promise<ExportReport> {
  const source = options as VerifyExportOptions | undefined
  if ((source?.stream ?? source?.lines) === undefined)
    throw new TypeError('verifyExport needs stream or lines')
  const keys = options.keys === undefined ? undefined : await importKeys(options.keys)
  const run = { options, keys, findings: findingList(), heads: knownHeads(), tree: merkleRoot() }
  const { findings, heads, tree } = run
  const given =
    options.checkpoint === undefined ? undefined : await open(run, options.checkpoint, 'the checkpoint')
  const older = await openOlder(run)
  if (given !== undefined) heads.add(given, { name: 'the checkpoint', isWhole: true })

  const order = eventOrder(options.organizationId ?? (given ?? older[0])?.head.organizationId, findings)
  const last = await readLines(run, order)

  const own = last === undefined ? undefined : await open(run, last.checkpoint, 'the last line', last.line)
  if (own !== undefined) {
    heads.add(own, { name: 'the checkpoint of the last line', isWhole: true })
    heads.look(tree)
  }
  const main = given ?? own
  const { organizationId, firstAt, lastAt } = order
  for (const { head } of [given, own, ...older].filter((one) => one !== undefined))
    if (organizationId !== undefined && head.organizationId !== organizationId)
      findings.add('other_organization', { details: `A checkpoint belongs to ${head.organizationId}.` })
  heads.report(tree.size, findings)
  if (main !== undefined && lastAt !== undefined && main.head.size === tree.size && lastAt > main.head.at)
    findings.add('event_after_checkpoint', { line: tree.size, details: `${lastAt} after ${main.head.at}.` })
  if (options.checkpoint === undefined && last === undefined) findings.add('no_checkpoint')
  else if (keys === undefined) findings.add('no_keys')
  return {
    ...findings.result(),
    organizationId: organizationId ?? main?.head.organizationId,
    size: tree.size,
    rootHash: toBase64(tree.root()),
    firstAt,
    lastAt,
    checkpoint: main && {
      host: main.head.host,
      size: main.head.size,
      at: main.head.at,
      ...(main.kid !== undefined && { kid: main.kid }),
    },
  }
}

async function open(
  { options, keys, findings }: Verification,
  input: unknown,
  name: string,
  line?: number,
): Promise<OpenCheckpoint | undefined> {
  const opened = await openCheckpoint(input, keys)
  if (typeof opened === 'string') {
    findings.add(opened, { details: `(${name})`, ...(line !== undefined && { line }) })
    return undefined
  }
  if (options.host !== undefined && opened.head.host !== options.host)
    findings.add('other_platform', { details: `${name} belongs to ${opened.head.host}.` })
  return opened
}

/** Opens the heads seen before, which vouch for a beginning of the log. */
async function openOlder(run: Verification): Promise<OpenCheckpoint[]> {
  const older: OpenCheckpoint[] = []
  for (const [i, input] of (run.options.consistentWith ?? []).entries()) {
    const name = `earlier checkpoint ${i + 1}`
    const opened = await open(run, input, name)
    if (opened === undefined) continue
    older.push(opened)
    run.heads.add(opened, { name, isWhole: false })
  }
  return older
}

/** Reads every event into the tree; returns the checkpoint that the export ends with, if any, and its line. */
async function readLines(
  { options, findings, heads, tree }: Verification,
  order: ReturnType<typeof eventOrder>,
): Promise<{ checkpoint: unknown; line: number } | undefined> {
  heads.look(tree)
  let line = 0
  let last: { checkpoint: unknown; line: number } | undefined
  for await (const batch of exportLines(options)) {
    for (const bytes of batch) {
      line += 1
      const read =
        bytes.length > lineBytesMax
          ? ({ kind: 'broken', code: 'line_too_long' } as const)
          : readAuditLine(bytes)
      if (last !== undefined) findings.add('line_after_checkpoint', { line })
      if (read.kind === 'checkpoint') {
        last = { checkpoint: read.checkpoint, line }
        continue
      }
      if (read.kind === 'broken') findings.add(read.code, { line })
      else order.see(read, line)
      tree.append(bytes)
      heads.look(tree)
      if (tree.size % progressEvery === 0) options.onProgress?.(tree.size)
    }
  }
  return last
}
