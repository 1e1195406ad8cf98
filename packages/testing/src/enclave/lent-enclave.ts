import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import { type EnclaveProcess, startEnclaveProcess } from './enclave-process.ts'

/** An enclave that nobody uses now, as it was when it had started. */
type Kept = { enclave: EnclaveProcess; pid: number | undefined; files: string }

/** Those that this process has started for tests that are over. */
const kept: Kept[] = []

/** An enclave for one user at a time, and how to give it back. */
type LentEnclave = { enclave: EnclaveProcess; giveBack(): Promise<void> }

/**
 * An enclave with simulated attestation that an earlier test of this process may have used: to start one takes half a second of CPU. It
 * holds nothing of who came before, since all that an enclave keeps between calls is sealed for a database that is gone. Given back
 * killed, stopped or with other files, it is ended; else it ends with this process, which alone holds the pipe that it reads.
 */
export async function lendEnclave(): Promise<LentEnclave> {
  const one = (await keptOne()) ?? (await startKept())
  one.enclave.lines.length = 0
  return {
    enclave: one.enclave,
    async giveBack() {
      if (isUnchanged(one)) kept.push(one)
      else await one.enclave.stop()
    },
  }
}

async function startKept(): Promise<Kept> {
  const enclave = await startEnclaveProcess({ parentFolder: inject('runFolder') })
  return { enclave, pid: enclave.supervisor.pid(), files: filesOf(enclave) }
}

/** The last that was given back, unless it has died since: then it has another process. */
async function keptOne(): Promise<Kept | undefined> {
  for (let one = kept.pop(); one !== undefined; one = kept.pop()) {
    if (isUnchanged(one)) return one
    await one.enclave.stop()
  }
  return undefined
}

function isUnchanged({ enclave, pid, files }: Kept): boolean {
  try {
    return enclave.supervisor.pid() === pid && filesOf(enclave) === files
  } catch {
    return false
  }
}

/** What is in the folder of an enclave, but for its socket. */
function filesOf({ folder, socketPath }: EnclaveProcess): string {
  const names = readdirSync(folder).map((name) => join(folder, name))
  const contents = names
    .toSorted()
    .map((path) => [path, path === socketPath ? '' : readFileSync(path, 'hex')])
  return JSON.stringify(contents)
}
