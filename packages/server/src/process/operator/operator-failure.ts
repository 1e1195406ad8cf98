import { ConfigError } from '../../config.ts'
import { PoolerError } from '../../db/pooler.ts'
import { EnclaveError } from '../../ports/enclave.ts'
import { startFailure } from '../start-failure.ts'

/** What an operator asked for cannot be done. The message is a sentence for the operator. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError'
}

/** Why a command failed, in a sentence for each reason, without any secret; undefined: a bug. */
export function operatorFailure(error: unknown): string | undefined {
  const isOwn = [OperatorError, ConfigError, PoolerError].some((type) => error instanceof type)
  if (isOwn && error instanceof Error) return error.message
  if (error instanceof EnclaveError) return `The enclave cannot do this now (${error.code}).`
  return startFailure(error)?.message
}
