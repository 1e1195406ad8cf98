/** A block as far as the fee of the next one depends on it. */
export type FeeBlock = { baseFeePerGas: bigint; gasUsed: bigint; gasLimit: bigint }

/** The base fee of the block after this one (EIP-1559: half full keeps it, an eighth more or less at either end). */
export function nextBaseFee({ baseFeePerGas, gasUsed, gasLimit }: FeeBlock): bigint {
  const target = gasLimit / 2n
  if (gasUsed === target) return baseFeePerGas
  if (gasUsed < target) return baseFeePerGas - (baseFeePerGas * (target - gasUsed)) / target / 8n
  const rise = (baseFeePerGas * (gasUsed - target)) / target / 8n
  return baseFeePerGas + (rise > 1n ? rise : 1n)
}

/** The base fee that a chain's blocks are meant to have, in wei: the one that was put last, here or at the node. */
export type KeptBaseFee = {
  fee(): bigint
  /** Puts it; `at` is the newest block by then: older ones say nothing of it, however late the news of them comes. */
  put(wei: bigint, at?: bigint): void
  /** Takes over the fee of a new block that somebody put at the node. */
  follow(block: FeeBlock & { number: bigint }): void
  /** Forgets the block before: the next one may follow another one. */
  forget(): void
}

/** Begins with a fee that was put before the first block. */
export function keptBaseFee(wei: bigint): KeptBaseFee {
  let fee = wei
  let putAt = 0n
  let last: FeeBlock | undefined
  return {
    fee: () => fee,
    put(wei, at = putAt) {
      fee = wei
      putAt = at
    },
    follow(block) {
      if (block.number > putAt && isPut(block, last)) fee = block.baseFeePerGas
      last = block
    },
    forget() {
      last = undefined
    },
  }
}

/** Whether somebody put the fee of a block: it is neither kept nor the rule's. */
const isPut = ({ baseFeePerGas: fee }: FeeBlock, last: FeeBlock | undefined): boolean =>
  last !== undefined && fee !== last.baseFeePerGas && fee !== nextBaseFee(last)
