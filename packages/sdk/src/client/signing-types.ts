import type { SignResponse } from '../generated/answers.ts'
import type { SignRequest } from '../generated/requests.ts'

/** The answer to a request that signs. Only a dry run has no signature. */
export type Signature = SignResponse & { signature: string; encoding: 'hex' | 'base64' }

/** EIP-712 typed data as pages have it: `as const`, or viem's `TypedDataDefinition`; numbers may be bigints. */
export type TypedDataInput = {
  readonly domain?: object | undefined
  readonly types: {
    readonly [name: string]: readonly { readonly name: string; readonly type: string }[] | undefined
  }
  readonly primaryType: string
  readonly message?: object | undefined
}

/** A sign request whose typed data may be in any of these forms. */
export type Signable<request> = request extends { readonly type: 'typed_data' }
  ? Omit<request, 'typed_data'> & { readonly typed_data: TypedDataInput }
  : request

/** Any request of the HTTP API to sign. */
export type SignableRequest = Signable<SignRequest>

/** The same request, or its options, where it is known that it signs. */
export type Signing<request> = request extends unknown
  ? Omit<request, 'dry_run'> & { readonly dry_run?: false }
  : never

/** The same options for a dry run. */
export type DryRun<options> = options extends unknown ? options & { readonly dry_run: true } : never
