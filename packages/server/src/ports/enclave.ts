import type { LayerVersions, Mark, MarkPart, MarkSegment, WrappedKey } from '@symbolon/crypto/node'
import type { Curve, NonEmpty, RawSignature } from '@symbolon/networks'
import type { Decision } from '@symbolon/policy'

/** The wallet that an operation is for; ids are canonical UUIDs. */
type WalletRef = { organizationId: string; walletId: string; polynomialVersion: number }

/** A new wallet: its public key, its share envelopes, and the ring that sealed share A. */
type NewSealedWallet = { publicKey: Uint8Array; shareA: Uint8Array; shareB: Uint8Array; ringId: string }

/** A key under HPKE: the encapsulated key (65 bytes), and ciphertext and tag. */
type SealedKey = { enc: Uint8Array; ciphertext: Uint8Array }

/**
 * A signing request of a session as the enclave gets it. `tokenKey` is what `agentTokenKey` of @symbolon/crypto makes of the session's token:
 * without it the grant stays closed. `current` is JSON `{organization, agent}`: the layers as they are now (null: none), which can
 * only narrow what was sealed, and `versions` are theirs. `nowMs` is the database's clock. `operation`: JSON of `StoredOperation`, where one is signed.
 */
export type AgentSigningRequest = WalletRef & {
  curve: Curve
  publicKey: Uint8Array
  sessionId: string
  policyVersion: number
  tokenKey: Uint8Array
  grant: Uint8Array
  current: string
  versions: LayerVersions
  nowMs: number
  intent: Uint8Array
  operation?: string
  /** Return all checks and effects, for a dry run. Otherwise `checks` and `effects` of the decision are empty. */
  explain?: true
}

/**
 * A receipt as the enclave signed it: `jws` is compact (RFC 7515), and the payload of `Receipt` in @symbolon/crypto/attestation. The rest repeats
 * what it says: `issuedAt` in ms since 1970, `counter` from 1 and without gaps for each `kid` and organization.
 */
export type EnclaveReceipt = {
  jws: string
  receiptId: string
  kid: string
  counter: number
  issuedAt: number
}

/** What a session spent of a counter (`Spend.counter`) before the signature that is asked for; a counter that is not listed has 0. */
export type SpentBefore = { counter: string; amount: bigint }

/**
 * Why the key ring of an enclave is not the installation's. `ring_not_made`: neither has one yet. `ring_missing`: the enclave has none.
 * `ring_foreign`: it has another. `ring_version_missing`: it has an older state of it. `ring_not_adopted`: the wallets are older than
 * ring ids, and no ring was adopted for them.
 */
export type RingFault = {
  reason: 'ring_not_made' | 'ring_missing' | 'ring_foreign' | 'ring_version_missing' | 'ring_not_adopted'
  ringId: string | null
  expectedRingId: string | null
}

/** The state of the enclave, and the facts its attestation proves. */
type EnclaveInfo = {
  phase: string
  /** Whether the attestation is the development simulation. */
  simulated: boolean
  ringId: string | null
  keyVersionA: number
  /** Whether `takeMarks` has something for the database. */
  hasUnstoredMarks: boolean
  /** PCR index to lower-case hex, all-zero registers left out. */
  measurements: Record<string, string>
}

/** An enclave that has just started, towards whoever brings it the marks of the boot before. */
export type MarksReceiver = {
  /** Whether it still waits for them: another process may have brought them. */
  isLoading(): Promise<boolean>
  /** Takes them in order: the first part begins anew, the last one ends it. Rejects with `EnclaveError`: `refused` where a part does not continue those before. */
  load(part: MarkPart): Promise<void>
}

/** Brings an enclave the marks that the database has. */
export type LoadMarks = (enclave: MarksReceiver) => Promise<void>

/**
 * The signer process: the only place where a wallet's key exists, for the time of one operation. Every method
 * rejects with `EnclaveError`. Every call can be repeated: the enclave keeps marks alone of what it saw and signed.
 */
export type Enclave = {
  /**
   * Makes a key and splits it 2 of 2: `shareA` (x = 1) under the enclave's own tee-a key, `shareB` (x = 2) under
   * `dataKeyB`, both as envelopes. `dataKeyB` (32 bytes) and `wrappedKeyB` come from the KMS, purpose tee-b. The
   * data key is copied before the call returns: the caller may wipe it at once.
   */
  generate(
    input: WalletRef & { curve: Curve; dataKeyB: Uint8Array; wrappedKeyB: WrappedKey },
  ): Promise<NewSealedWallet>
  /**
   * Signs `intent` (`encodeIntent` of @symbolon/networks): for each of its digests, in their order, 64 bytes (r‖s,
   * BIP-340 or ed25519) and the recovery id (0..3, 0 unless ECDSA). `publicKey` is the wallet's, compressed; nothing is
   * signed unless the shares make it. With `receipt` there is one for the signatures; `unavailable` where the enclave can count no
   * further organization. All bytes are copied before the call returns.
   */
  sign(
    input: WalletRef & {
      curve: Curve
      publicKey: Uint8Array
      shareA: Uint8Array
      shareB: Uint8Array
      dataKeyB: Uint8Array
      intent: Uint8Array
      receipt?: true
    },
  ): Promise<{ signatures: NonEmpty<RawSignature>; receipt?: EnclaveReceipt }>
  /**
   * Seals the wallet's key (32 bytes) to `recipient` (65 bytes, uncompressed P-256): HPKE, `keyTransferInfo.export` and
   * `keyTransferAad` of @symbolon/crypto. `invalid_payload` where `recipient` is not a point. All bytes are copied first.
   */
  export(
    input: WalletRef & {
      curve: Curve
      userIdentityId: string
      publicKey: Uint8Array
      shareA: Uint8Array
      shareB: Uint8Array
      dataKeyB: Uint8Array
      recipient: Uint8Array
    },
  ): Promise<SealedKey>
  /**
   * The P-256 key of the enclave's boot to which a key can be sealed that shall become this wallet, and the attestation
   * document that offers it for exactly that (`importKeyBinding` of @symbolon/crypto).
   */
  importKey(
    input: WalletRef & { curve: Curve; userIdentityId: string },
  ): Promise<{ publicKey: Uint8Array; document: Uint8Array }>
  /**
   * `generate` with a key from outside, sealed to `importKey` (`keyTransferInfo.import`). `expired`: the enclave was started
   * anew since. `invalid_payload`: what was sealed does not open, or is not a key of the curve.
   */
  import(
    input: WalletRef &
      SealedKey & {
        curve: Curve
        userIdentityId: string
        importKey: Uint8Array
        dataKeyB: Uint8Array
        wrappedKeyB: WrappedKey
      },
  ): Promise<NewSealedWallet>
  /**
   * Seals an agent session's policy and the way to its key to session, wallet, version and `tokenKey`. `layers` is JSON
   * `{organization, agent, session}` in wire form. Answers the grant, and as JSON the effective policy and the names of the
   * session's fields that other layers clip. `invalid_payload`: a layer is not a policy.
   */
  grant(
    input: WalletRef & {
      curve: Curve
      publicKey: Uint8Array
      shareA: Uint8Array
      shareB: Uint8Array
      dataKeyB: Uint8Array
      sessionId: string
      policyVersion: number
      tokenKey: Uint8Array
      layers: string
    },
  ): Promise<{ grant: Uint8Array; effective: string; clipped: string[] }>
  /**
   * Decodes and evaluates a signing request; nothing is signed. `refused`: the grant does not open, `invalid_payload`: the bytes do not decode,
   * `state_rolled_back`: the enclave saw a later state.
   */
  evaluate(input: AgentSigningRequest): Promise<Decision>
  /**
   * Evaluates again and signs: the refusal, or one signature per digest as `sign` gives them. With `receipt` there is one; its budget has
   * what each counter that this signature spends had before, as the database says. `state_rolled_back` also where what the session signed before
   * leaves no room for this.
   */
  agentSign(
    input: AgentSigningRequest & {
      shareA: Uint8Array
      shareB: Uint8Array
      receipt?: { spentBefore: readonly SpentBefore[] }
    },
  ): Promise<
    | { refusal: NonNullable<Decision['refusal']>; signatures?: never; receipt?: never }
    | { refusal: null; signatures: NonEmpty<RawSignature>; receipt?: EnclaveReceipt }
  >
  /** Tells the enclave that a session was revoked or a wallet archived, so that it signs nothing for them whatever the database says later. */
  note(mark: Mark & { organizationId: string }): Promise<void>
  /**
   * The freshness marks that the database lacks: the segment after number `stored`, the last one it has (0: none); undefined where it has all of them.
   * Segments up to one that `isComplete` belong into one transaction.
   */
  takeMarks(stored: number): Promise<MarkSegment | undefined>
  /** The effective policies of several sets of layers, JSON `[{organization, agent, session}]` to JSON `[EffectivePolicy]`; no secret. */
  effective(question: { organizationId: string; layers: string }): Promise<string>
  /** Puts share A under the newest version of the tee-a key. */
  rewrap(input: WalletRef & { shareA: Uint8Array }): Promise<{ shareA: Uint8Array }>
  /** A round trip to the enclave: resolves only while it answers. */
  status(): Promise<EnclaveInfo>
  /**
   * A public attestation: JSON `{ring_id, image, keys, manifest}` and the document that commits to it, made for `nonce` (16 to 64 bytes), or
   * without one for this boot's receipt key. Waits up to 5 s for its turn.
   */
  attest(nonce: Uint8Array | null): Promise<{ state: string; document: Uint8Array }>
  /**
   * Carries a frame of the operators' channel (64 KiB at most), and answers the enclave's: neither can be read here. `invalid_payload`: this is no such
   * frame; `refused`: it is not by an operator, or its order may not be executed.
   */
  operator(frame: Uint8Array): Promise<Uint8Array>
  close(): Promise<void>
}

/**
 * `unavailable` is temporary (503, repeat); `invalid_payload` is the decoder's refusal of the intent;
 * `key_mismatch` and `refused` say that the shares are not this wallet's or were altered; `expired` says that an import key is
 * of an earlier boot; `state_rolled_back` (409) that the enclave saw a later state than the one in the request.
 */
export type EnclaveErrorCode =
  | 'unavailable'
  | 'invalid_payload'
  | 'key_mismatch'
  | 'refused'
  | 'expired'
  | 'state_rolled_back'

/** What of a request is older than what the enclave saw. */
export type RolledBack = 'session' | 'policy' | 'rules' | 'wallet' | 'budget' | 'boot'

const messages: Record<EnclaveErrorCode, string> = {
  unavailable: 'The enclave is unreachable.',
  invalid_payload: 'The enclave could not decode the payload.',
  key_mismatch: 'The shares do not make the key of this wallet.',
  refused: 'The enclave could not open the shares of this wallet.',
  expired: 'The enclave no longer has the key this was sealed to.',
  state_rolled_back: 'The enclave saw a later state than the one in the database.',
}

/** The only error of an enclave; its cause is for the log. `ring`: it is unavailable because its key ring is not the installation's. */
export class EnclaveError extends Error {
  override readonly name = 'EnclaveError'
  readonly code: EnclaveErrorCode
  readonly ring: RingFault | undefined
  /** Of `state_rolled_back` alone. */
  readonly rolledBack: RolledBack | undefined

  constructor(
    code: EnclaveErrorCode,
    cause?: unknown,
    { ring, rolledBack }: { ring?: RingFault | undefined; rolledBack?: RolledBack } = {},
  ) {
    super(messages[code], { cause })
    this.code = code
    this.ring = ring
    this.rolledBack = rolledBack
  }
}
