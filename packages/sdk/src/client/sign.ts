import { toBase64 } from '../bytes.ts'
import type { SignResponse } from '../generated/answers.ts'
import type { SignRequest, TypedData } from '../generated/requests.ts'
import type { Result } from '../result.ts'
import type { Context, WalletCode } from './context.ts'

type Of<type extends SignRequest['type']> = Extract<SignRequest, { type: type }>
type Rest<request, given extends PropertyKey> = request extends unknown ? Omit<request, given> : never

/** A signature, or the error. */
export type Signed = Promise<Result<SignResponse, WalletCode<'POST /v1/wallets/me/sign'>>>

/**
 * Signatures of the user's wallet: in the wallet frame for organizations in client mode, in the platform's trusted
 * environment otherwise. The answer is the same.
 */
export type Sign = {
  /** Text, or bytes; the chain decides the scheme (default `ethereum`, or `solana` on ed25519). */
  message(
    message: string | Uint8Array,
    options?: Rest<Of<'message'>, 'type' | 'message' | 'encoding'>,
  ): Signed
  /** EIP-712. */
  typedData(typedData: TypedData, options?: Rest<Of<'typed_data'>, 'type' | 'typed_data'>): Signed
  /** A transaction of any network, in its own serialized form, or for EVM its fields. */
  transaction(
    transaction: Of<'transaction'>['transaction'],
    options: Rest<Of<'transaction'>, 'type' | 'transaction'>,
  ): Signed
  /** 32 bytes (0x hex) that nobody can read: the user is warned. */
  hash(hash: string, options?: Rest<Of<'hash'>, 'type' | 'hash'>): Signed
  /** The hash of an ERC-4337 operation, as `userOps.build` answers it. */
  userOperation(userOpHash: string, options?: Rest<Of<'user_operation'>, 'type' | 'user_op_hash'>): Signed
  /** An EIP-7702 authorization. */
  authorization(authorization: Rest<Of<'authorization'>, 'type'>): Signed
  /** Any request of the HTTP API. */
  request(request: SignRequest): Signed
}

/** The signatures of a client. */
export function sign({ call, frame, mode }: Pick<Context, 'call' | 'frame' | 'mode'>): Sign {
  const request = async (request: SignRequest): Signed => {
    const signing = await mode()
    if (signing.error !== null) return signing
    if (signing.data === 'tee') return call('POST /v1/wallets/me/sign', { body: request })
    return (await frame.request('sign', { request })) as Awaited<Signed>
  }
  return {
    message: (message, options) =>
      typeof message === 'string'
        ? request({ ...options, type: 'message', message, encoding: 'utf8' })
        : request({ ...options, type: 'message', message: toBase64(message), encoding: 'base64' }),
    typedData: (typed_data, options) => request({ ...options, type: 'typed_data', typed_data }),
    transaction: (transaction, options) => request({ ...options, type: 'transaction', transaction }),
    hash: (hash, options) => request({ ...options, type: 'hash', hash }),
    userOperation: (user_op_hash, options) => request({ ...options, type: 'user_operation', user_op_hash }),
    authorization: (authorization) => request({ ...authorization, type: 'authorization' }),
    request,
  }
}
