import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { DevOrganization } from '../routes/dev-routes.ts'
import type { ListedProcess } from './follow-processes.ts'

/** `dev.json`: where the running platform is and how to get in, for tests and tools. */
export type DevFile = {
  base_url: string
  portal_url: string
  demo_url: string
  mailbox_url: string
  reference_url: string
  /** The origin of the wallet frame. */
  frame_url: string
  /** The metrics of all API processes. */
  metrics_url: string
  organizations: { client: DevOrganization; tee: DevOrganization }
  portal: { email: string }
  /** Where the enclave's key ring is: `file:` and an absolute path. It is the ring's only copy. */
  enclave_root: string
  /** The root of the simulated attestation: its certificate (DER) in base64. */
  attestation_root: string
  /** Where the enclave is reached, and the registers that it attests, by index in lower-case hex. */
  enclave: { socket: string; measurements: Readonly<Record<string, string>>[] }
  /** The processes of the platform. The list follows when one of them dies and is started again. */
  processes: ListedProcess[]
  /** Absent when the local chain is off. */
  chain?: { handle: string; chain_id: number; rpc_url: string; bundler_url: string; paymaster_url: string }
  /** Every local chain; none when they are off. `rpc_url` is the node's own. */
  chains: { handle: string; chain_id: number; rpc_url: string }[]
}

/** Reads the file of the previous start; undefined if it is missing or malformed. */
export function readDevFile(dataFolder: string): DevFile | undefined {
  try {
    const file = JSON.parse(readFileSync(devFilePath(dataFolder), 'utf8')) as DevFile
    return file.organizations.client.id && file.organizations.tee.id ? file : undefined
  } catch {
    return undefined
  }
}

/** Replaces the file at once (mode 0600: it holds credentials): a reader sees the old one or the new one. */
export function writeDevFile(dataFolder: string, content: DevFile): void {
  const unfinished = `${devFilePath(dataFolder)}.${process.pid}`
  writeFileSync(unfinished, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 })
  renameSync(unfinished, devFilePath(dataFolder))
}

/** Where the file is. */
export function devFilePath(dataFolder: string): string {
  return path.join(dataFolder, 'dev.json')
}
