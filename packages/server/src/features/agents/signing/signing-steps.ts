import type { NonEmpty, RawSignature, SignAnswer } from '@symbolon/networks'
import type { EnclaveReceipt } from '../../../ports/enclave.ts'
import type { AgentTransaction, HeldNonce } from '../../transactions/index.ts'
import type { Evaluated } from './evaluate.ts'
import type { ReadyTransaction } from './ready-transaction.ts'
import type { RequestEnd } from './request-end.ts'
import type { SigningPayload } from './signing-request.ts'
import type { NeedsCode } from './transaction-needs.ts'

/** A payload to sign. `problem`: why it cannot be shown, which is reported after the policy's decision. */
export type Prepared = {
  kind: 'prepared'
  payload: SigningPayload
  problem?: { error: unknown }
  /** The transaction that becomes durable with its signature, and the nonce that is held for it. */
  planned?: { ready: ReadyTransaction; held: HeldNonce }
}

/** An allowed payload whose costs are reserved. */
export type Reserved = Omit<Evaluated, 'kind'> & { kind: 'reserved' }

/** One signature per digest of a payload, and the receipt where there is one. */
export type Made = { signatures: NonEmpty<RawSignature>; receipt?: EnclaveReceipt | undefined }

/** A payload with what was made for it, which may not leave yet. */
export type Signed = Omit<Evaluated, 'kind'> & { kind: 'signed'; made: Made }

/**
 * A signature that may leave: its decision is committed. A `transaction` is durable; one that was made before under the same key has no
 * `answer`. `receipt`: the JWS.
 */
export type Committed = {
  kind: 'committed'
  answer?: SignAnswer
  receipt?: string | undefined
  transaction?: AgentTransaction
}

/** Why the steps stopped: an end of the request, or something that another try may get past. */
export type Stop =
  | RequestEnd<NeedsCode>
  /** Rules, policy or wallet have changed since they were looked up. */
  | { kind: 'outdated' }
  /** The same, after the signatures were made. */
  | { kind: 'stale'; made: Made }
  | { kind: 'nonce_lost' }

/** What one try leaves to the next one. */
export type Kept = {
  /** The session has to be looked up again. */
  isFresh: boolean
  /** The prepared payload, as long as its nonce is held. */
  prepared?: Prepared
  /** What was made already: it leaves only if the rules that apply now allow it, with the receipt that says under which it was signed. */
  made?: Made
  noncesLost: number
}
