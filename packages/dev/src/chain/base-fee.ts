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
