import { lineLog } from './enclave-log.ts'
import { type EnclaveSettings, EnclaveSettingsError, readEnclaveSettings } from './enclave-settings.ts'
import { nsmBridge } from './nsm-bridge.ts'
import { guardProcess } from './process-guard.ts'
import { fileRoot } from './ring/file-root.ts'
import { RingError, type RingRoot } from './ring/ring.ts'
import { serveUntilSignal } from './run-enclave.ts'
import { startFault } from './start-fault.ts'

/** EX_CONFIG of sysexits: another try would end the same way. */
const misconfigured = 78

/**
 * The enclave in production (`npm run start:enclave`): without a secure module it does not start. It reads nothing from standard input and
 * outlives its parent; SIGTERM ends it. The log goes to standard output, faults to standard error.
 */
const log = lineLog('enclave', Date.now, (line) => process.stdout.write(line))
const settings = checkedSettings()
guard()
try {
  await serveUntilSignal({
    socketPath: settings.socketPath,
    root: rootOf(settings.ring),
    attestor: nsmBridge(settings.moduleSocketPath),
    nowMs: Date.now,
    log,
  })
} catch (error) {
  refuse(startFault(error), 1)
}

function guard(): void {
  try {
    guardProcess(process.env, (sentence) => log('started again', { reason: sentence }))
  } catch (error) {
    refuse(startFault(error), 1)
  }
}

function checkedSettings(): EnclaveSettings {
  try {
    return readEnclaveSettings(process.env)
  } catch (error) {
    if (!(error instanceof EnclaveSettingsError)) throw error
    return refuse(error.message, misconfigured)
  }
}

function rootOf(ring: EnclaveSettings['ring']): RingRoot {
  if (ring.kind === 'file') return fileRoot(ring.path)
  return {
    open() {
      throw new RingError('missing', ring.root)
    },
  }
}

function refuse(message: string, code: number): never {
  for (const line of message.split('\n')) process.stderr.write(`symbolon: ${line}\n`)
  process.exit(code)
}
