import type { EnclaveStatus } from '@symbolon/crypto/node'

/** An operation that was refused; the client learns the status and nothing else. */
export class EnclaveFault extends Error {
  override readonly name = 'EnclaveFault'
  readonly status: Exclude<EnclaveStatus, 'ok'>

  constructor(status: Exclude<EnclaveStatus, 'ok'>, message: string) {
    super(message)
    this.status = status
  }
}

/** The process can no longer be trusted to sign (a signature that does not verify): it seals itself. */
export class IntegrityFault extends Error {
  override readonly name = 'IntegrityFault'
}
