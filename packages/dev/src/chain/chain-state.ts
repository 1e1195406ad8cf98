import { randomUUID } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'

const unzip = promisify(gunzip)

/** State that a node forgets although its chain is kept: the seconds its clock is ahead, and the base fee in wei. */
export type ChainSettings = { offsetS: number; baseFee: bigint }

/** The state of a chain between two runs. */
export type ChainState = {
  settings(): ChainSettings
  /** Writes the state as plain JSON for the node to load; answers its file and latest block time, undefined without one. */
  unpack(): Promise<{ file: string; timestampS: number } | undefined>
  /** Removes what `unpack` wrote. */
  discardUnpacked(): void
  /** Replaces the state (a dump of the node); after a crash at any point either the old or the new one is there, whole. */
  save(dump: Uint8Array, settings: ChainSettings): void
  /** Puts an unreadable state aside; answers its new place. */
  setAside(): string
}

/** 1 gwei, the node's initial base fee. */
const defaults: ChainSettings = { offsetS: 0, baseFee: 1_000_000_000n }

/** The state in a folder that exists. */
export function chainState(folder: string): ChainState {
  const file = path.join(folder, 'state.json.gz')
  const settingsFile = path.join(folder, 'settings.json')
  const unpacked = path.join(folder, 'state.loading.json')
  return {
    settings() {
      if (!existsSync(settingsFile)) return defaults
      const kept = JSON.parse(readFileSync(settingsFile, 'utf8')) as { offset_s: number; base_fee: string }
      return { offsetS: kept.offset_s, baseFee: BigInt(kept.base_fee) }
    },
    async unpack() {
      if (!existsSync(file)) return undefined
      const json = await unzip(readFileSync(file))
      const { block } = JSON.parse(json.toString()) as { block: { timestamp: string } }
      replace(unpacked, json)
      return { file: unpacked, timestampS: Number(block.timestamp) }
    },
    discardUnpacked: () => rmSync(unpacked, { force: true }),
    save(dump, { offsetS, baseFee }) {
      // The clock first: one ahead of the state does no harm, one behind would let time go back.
      const settings = JSON.stringify({ offset_s: offsetS, base_fee: String(baseFee) })
      replace(settingsFile, Buffer.from(settings))
      replace(file, dump)
    },
    setAside() {
      const aside = `${file}.${randomUUID()}.unreadable`
      renameSync(file, aside)
      return aside
    },
  }
}

function replace(file: string, content: Uint8Array): void {
  const unfinished = `${file}.new`
  const descriptor = openSync(unfinished, 'w', 0o600)
  try {
    for (let written = 0; written < content.length; ) written += writeSync(descriptor, content, written)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  renameSync(unfinished, file)
}
