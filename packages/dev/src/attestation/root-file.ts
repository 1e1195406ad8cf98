import { createPrivateKey } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Issuer, simulatedRoot } from './simulated-pki.ts'

/** Where the simulated root's certificate (DER) lies; its key is beside it, mode 0600. */
export type RootFiles = { certificatePath: string }

const keyPathOf = (files: RootFiles): string => `${files.certificatePath}.key`

/**
 * The simulated root of this data folder, made on first use. It outlives restarts of the enclave, so that what an
 * API process pinned stays true; a certificate without its key, or the reverse, is made anew.
 */
export function loadSimulatedRoot(files: RootFiles): Issuer {
  try {
    const privateKey = createPrivateKey(readFileSync(keyPathOf(files)))
    const certificate = new Uint8Array(readFileSync(files.certificatePath))
    return { name: 'simulated.nitro-enclaves', certificate, privateKey }
  } catch {
    return createRoot(files)
  }
}

function createRoot(files: RootFiles): Issuer {
  const root = simulatedRoot(Date.now())
  mkdirSync(dirname(files.certificatePath), { recursive: true, mode: 0o700 })
  replaceFile(keyPathOf(files), root.privateKey.export({ type: 'pkcs8', format: 'pem' }))
  replaceFile(files.certificatePath, root.certificate)
  return root
}

function replaceFile(path: string, content: string | Uint8Array): void {
  writeFileSync(`${path}.tmp`, content, { mode: 0o600 })
  renameSync(`${path}.tmp`, path)
}
