import { existsSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { superviseEnclave } from '@symbolon/enclave/supervisor'
import { programEntry } from './program-entry.ts'
import { putBack } from './put-back.ts'
import { socketFolder } from './short-folder.ts'
import { logOf, privateFolder, readyWithinMs, type Startup } from './startup.ts'

/** Where the enclave is reached, the files with its key ring and with the root that attests it, and a promise of the latter. */
export type StartedEnclave = { socket: string; ring: string; root: string; attested: Promise<void> }

/** Where the key ring of a development start is. */
export const ringFileOf = (startup: Startup): string =>
  path.join(privateFolder(startup, 'enclave'), 'tee-a.keys.json')

/** Starts the enclave with simulated attestation, supervised: a dead, sealed or stuck one is started again. */
export function startEnclave(startup: Startup): StartedEnclave {
  const { config, environment, report } = startup
  const folder = socketFolder(config.dataFolder, 'enclave', 'enclave.sock')
  const socket = path.join(folder, 'enclave.sock')
  const root = path.join(privateFolder(startup, 'enclave'), 'simulated-root.der')
  const ring = ringFileOf(startup)
  const log = logOf(startup, 'enclave-simulated')
  let deaths = 0
  const enclave = superviseEnclave({
    entry: programEntry('enclave-simulated'),
    args: [socket, ring, root],
    environment,
    watchedSocket: socket,
    log: (event, fields) => {
      if (event === 'enclave died') deaths += 1
      report(`enclave-simulated: ${event} ${fields?.['reason'] ?? ''}`.trimEnd())
    },
    onLine: (line) => {
      log.write(line)
      // Of the first one, the start itself says what is wrong with the ring.
      if (deaths > 0 && line.includes('"event":"no key ring"'))
        report(`enclave-simulated: ${missingPart(line)}. ${putBack}`)
    },
  })
  startup.processes.push({ role: 'enclave', pid: enclave.pid })
  startup.stops.push(async () => {
    await enclave.stop()
    // Outside of the data folder it would be left behind when that is deleted.
    if (!folder.startsWith(config.dataFolder)) rmSync(folder, { recursive: true, force: true })
  })
  return { socket, ring, root, attested: untilExists(startup, root) }
}

/** What is missing, by what the enclave has logged about it. */
function missingPart(line: string): string {
  const { reason, place } = JSON.parse(line) as { reason: string; place: string }
  return reason.startsWith('manifest_')
    ? `the manifest at ${place} is missing or not of this key ring`
    : `the key ring at ${place} is missing or cannot be read`
}

async function untilExists(startup: Startup, file: string): Promise<void> {
  const deadline = performance.now() + readyWithinMs
  while (!existsSync(file)) {
    if (performance.now() > deadline)
      throw new Error(`The enclave did not start: see ${path.join(startup.config.dataFolder, 'logs')}`)
    if (startup.isStopping) throw new Error('stopped while starting')
    await sleep(5)
  }
}
