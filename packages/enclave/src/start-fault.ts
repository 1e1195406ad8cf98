/** The secure module gave no attestation document. */
export class ModuleError extends Error {
  override readonly name = 'ModuleError'
}

/** The enclave cannot listen on its socket. */
export class SocketError extends Error {
  override readonly name = 'SocketError'
}

/** Why an enclave does not start, in a sentence that names the setting. */
export function startFault(error: unknown): string {
  if (error instanceof ModuleError)
    return `ENCLAVE_NSM_SOCKET: there is no Nitro Secure Module behind it (${error.message}).`
  if (error instanceof SocketError) return `ENCLAVE_SOCKET cannot be listened on: ${error.message}.`
  return error instanceof Error ? error.message : 'The enclave does not start.'
}
