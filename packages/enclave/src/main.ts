import { nsmBridge } from './nsm-bridge.ts'
import { fileRoot } from './ring/file-root.ts'
import { runEnclave } from './run-enclave.ts'

/** The production entry: everything it needs is a path; without a secure module it does not start. */
function required(name: string): string {
  const value = process.env[name]
  if (value === undefined || value === '') {
    process.stderr.write(`${name} is missing: the path of the enclave's ${what[name] ?? 'file'}\n`)
    process.exit(1)
  }
  return value
}

const what: Record<string, string> = {
  ENCLAVE_SOCKET: 'unix socket, in a folder of mode 0700',
  ENCLAVE_KEY_FILE: 'key ring',
  ENCLAVE_NSM_SOCKET: 'bridge to the Nitro Secure Module',
}

await runEnclave({
  socketPath: required('ENCLAVE_SOCKET'),
  root: fileRoot(required('ENCLAVE_KEY_FILE')),
  attestor: nsmBridge(required('ENCLAVE_NSM_SOCKET')),
})
