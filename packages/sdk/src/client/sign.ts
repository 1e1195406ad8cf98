import { isBytes, toBase64 } from '../bytes.ts'
import type { SignResponse } from '../generated/answers.ts'
import type { SignRequest } from '../generated/requests.ts'
import { failure, type Result } from '../result.ts'
import type { Context, WalletCode } from './context.ts'
import type { DryRun, SignableRequest, Signature, Signing, TypedDataInput } from './signing-types.ts'
import { toSignRequest } from './typed-data.ts'

type Of<type extends SignRequest['type']> = Extract<SignRequest, { type: type }>
type Rest<request, given extends PropertyKey> = request extends unknown ? Omit<request, given> : never

type Answer<data> = Promise<Result<data, WalletCode<'POST /v1/wallets/me/sign'>>>
/** `signal` gives up: a dialog closes, a wait ends, and the answer is `cancelled`. */
type Cancellable = { readonly signal?: AbortSignal }
type Options<type extends SignRequest['type'], given extends PropertyKey> = Rest<Of<type>, 'type' | given> &
  Cancellable
type MessageOptions = Options<'message', 'message' | 'encoding'>
type TypedDataOptions = Options<'typed_data', 'typed_data'>
type Transaction = Of<'transaction'>['transaction']
type TransactionOptions = Options<'transaction', 'transaction'>
type HashOptions = Options<'hash', 'hash'>
type UserOperationOptions = Options<'user_operation', 'user_op_hash'>
type Authorization = Options<'authorization', never>

/** A signature, or the error. */
export type Signed = Answer<Signature>

/** The answer to a dry run, or the error. */
export type MaybeSigned = Answer<SignResponse>

/**
 * Signatures of the user's wallet: in the wallet frame for organizations in client mode, in the platform's trusted
 * environment otherwise. The answer is the same. With `dry_run: true` nothing is signed, and the answer has no signature.
 * With `receipt: true` the answer has a receipt of the trusted environment; the wallet frame makes none and refuses it.
 */
export type Sign = {
  /** Text, or bytes; the chain decides the scheme (default `ethereum`, or `solana` on ed25519). */
  message(message: string | Uint8Array, options: DryRun<MessageOptions>): MaybeSigned
  message(message: string | Uint8Array, options?: Signing<MessageOptions>): Signed
  /** EIP-712; `as const`, or viem's `TypedDataDefinition`. */
  typedData(typedData: TypedDataInput, options: DryRun<TypedDataOptions>): MaybeSigned
  typedData(typedData: TypedDataInput, options?: Signing<TypedDataOptions>): Signed
  /** A transaction of any network, in its own serialized form, or for EVM its fields. */
  transaction(transaction: Transaction, options: DryRun<TransactionOptions>): MaybeSigned
  transaction(transaction: Transaction, options: Signing<TransactionOptions>): Signed
  /** 32 bytes (0x hex) that nobody can read: the user is warned. */
  hash(hash: string, options: DryRun<HashOptions>): MaybeSigned
  hash(hash: string, options?: Signing<HashOptions>): Signed
  /** The hash of an ERC-4337 operation, as `userOps.build` answers it. */
  userOperation(userOpHash: string, options: DryRun<UserOperationOptions>): MaybeSigned
  userOperation(userOpHash: string, options?: Signing<UserOperationOptions>): Signed
  /** An EIP-7702 authorization. */
  authorization(authorization: DryRun<Authorization>): MaybeSigned
  authorization(authorization: Signing<Authorization>): Signed
  /** Any request of the HTTP API. */
  request(request: Signing<SignableRequest>, options?: Cancellable): Signed
  request(request: SignableRequest, options?: Cancellable): MaybeSigned
}

/** The signatures of a client. */
export function sign({ call, frame, mode }: Pick<Context, 'call' | 'frame' | 'mode'>): Sign {
  const request = async ({ signal, ...given }: SignableRequest & Cancellable): Signed => {
    const request = toSignRequest<SignRequest>(given as SignableRequest)
    const options = signal === undefined ? {} : { signal }
    const signing = await mode()
    if (signing.error !== null) return signing
    if (signing.data === 'tee')
      return (await call('POST /v1/wallets/me/sign', { body: request, ...options })) as Awaited<Signed>
    return (await frame.request('sign', { request }, options)) as Awaited<Signed>
  }
  // What TypeScript tells callers depends on `dry_run`; what is sent does not.
  type Any<options> = options & { readonly dry_run?: boolean }
  return {
    async message(message: string | Uint8Array, options?: Any<object>) {
      if (typeof message === 'string')
        return request({ ...options, type: 'message', message, encoding: 'utf8' })
      // Anything else would be signed as no bytes at all.
      if (!isBytes(message)) return failure('invalid_request', '`message` must be a string or a Uint8Array.')
      return request({ ...options, type: 'message', message: toBase64(message), encoding: 'base64' })
    },
    typedData: (typed_data: TypedDataInput, options?: Any<object>) =>
      request({ ...options, type: 'typed_data', typed_data }),
    transaction: (transaction: Transaction, options: Any<{ chain: string }>) =>
      request({ ...options, type: 'transaction', transaction }),
    hash: (hash: string, options?: Any<object>) => request({ ...options, type: 'hash', hash }),
    userOperation: (user_op_hash: string, options?: Any<object>) =>
      request({ ...options, type: 'user_operation', user_op_hash }),
    authorization: (authorization: Any<Omit<Authorization, 'dry_run'>>) =>
      request({ ...authorization, type: 'authorization' }),
    request: (given: SignableRequest, options?: Cancellable) => request({ ...given, ...options }),
  }
}
