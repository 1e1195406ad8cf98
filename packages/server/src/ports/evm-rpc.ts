import type { Hex } from '@symbolon/networks/evm'

/** The head of one block; `timestamp` in unix seconds, `baseFeePerGas` in wei (0 before EIP-1559). */
export type EvmBlock = { number: bigint; hash: Hex; timestamp: bigint; baseFeePerGas: bigint }

/** One event; `address` in EIP-55, everything else lower case. `removed`: the node took its block back. */
export type EvmLog = {
  address: Hex
  topics: Hex[]
  data: Hex
  blockNumber: bigint
  blockHash: Hex
  transactionHash: Hex
  logIndex: number
  removed: boolean
}

/** The receipt of a mined transaction: whether it succeeded, its block, and the gas it used. */
export type EvmReceipt = { succeeded: boolean; blockNumber: bigint; gasUsed: bigint }

/** Fee bounds of an EIP-1559 transaction, in wei per gas. */
export type GasFees = { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }

/**
 * One EVM chain as its nodes report it. Every method answers within the chain's time limit, over all its nodes together, or
 * rejects with `EvmRpcError`. A node's answers are checked for their form and the chain's id, not for their truth.
 */
export type EvmRpc = {
  block(tag: 'latest' | 'finalized' | bigint): Promise<EvmBlock>
  /** The result of the call on the latest block. `reverted` with the data, if the node returns it. */
  call(call: { to: Hex; data: Hex; from?: Hex }): Promise<Hex>
  /** Gas for the call on the node's newest state. `reverted` with its decoded reason, `rejected` for any other refusal. */
  estimateGas(call: { from: Hex; to: Hex; data: Hex; value: bigint }): Promise<bigint>
  /** The next nonce of the account, transactions in the pool included. */
  pendingNonce(address: Hex): Promise<bigint>
  /** The next nonce of the account as its mined transactions leave it. */
  minedNonce(address: Hex): Promise<bigint>
  /** The latest code at the address, `0x` without any. */
  code(address: Hex): Promise<Hex>
  /** The latest balance in wei. */
  balance(address: Hex): Promise<bigint>
  /** The balance in wei that the transactions in the pool leave: what goes with `pendingNonce`. */
  pendingBalance(address: Hex): Promise<bigint>
  /** The receipt of a mined transaction; undefined while no node that answers has one. */
  receipt(hash: Hex): Promise<EvmReceipt | undefined>
  /** Whether a node has the transaction, mined or in its pool. */
  isKnown(hash: Hex): Promise<boolean>
  /** From `eth_feeHistory`: twice the next block's base fee and the tip, which is the median of recent blocks. */
  fees(): Promise<GasFees>
  /**
   * All logs of the blocks, which the node is checked to have. Too many blocks for it are `rejected`, more than 4 MiB of
   * answer `transport`: ask for fewer.
   */
  logs(filter: {
    address: Hex
    topics: readonly (Hex | readonly Hex[] | null)[]
    fromBlock: bigint
    toBlock: bigint
  }): Promise<EvmLog[]>
  /**
   * Hands a signed transaction in and answers its hash; one that the chain already knows is a success. `rejected`: a node refused it, and no
   * node has it; while one of them cannot be asked that is `transport`.
   */
  send(raw: Hex): Promise<Hex>
}

/**
 * `reverted`: the contract refused, `rejected`: the node did (both final), `transport`: no usable answer in time, a later
 * call may pass.
 */
export type EvmRpcErrorCode = 'reverted' | 'rejected' | 'transport'

/**
 * The only error of `EvmRpc`. `reason` is one line without URLs or keys and may be shown; `data` is the revert's; the cause
 * is for the log.
 */
export class EvmRpcError extends Error {
  override readonly name = 'EvmRpcError'
  readonly code: EvmRpcErrorCode
  readonly reason: string
  readonly data?: Hex

  constructor(code: EvmRpcErrorCode, reason: string, options: { data?: Hex; cause?: unknown } = {}) {
    super(reason, { cause: options.cause })
    this.code = code
    this.reason = reason
    if (options.data !== undefined) this.data = options.data
  }
}
