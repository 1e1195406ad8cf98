import type { GasFees } from '../../ports/evm-rpc.ts'

/** The tip below which no bundler is doubted: 2 gwei. */
const tipAlwaysBelieved = 2_000_000_000n

/**
 * The gas price of an operation: what the bundler asks for (`asked`), otherwise what the node says, but never more than the
 * node justifies: a tip of three times its own or the base fee, and twice the base fee beside the tip. The reserve is
 * reckoned by this price, so a bundler cannot use up a month with it.
 */
export function boundGasPrice(baseFeePerGas: bigint, node: GasFees, asked: GasFees | undefined): GasFees {
  const wanted = asked ?? node
  const tipMax = max(3n * node.maxPriorityFeePerGas, baseFeePerGas, tipAlwaysBelieved)
  const tip = min(wanted.maxPriorityFeePerGas, tipMax)
  const price = min(wanted.maxFeePerGas, 2n * baseFeePerGas + tip)
  return { maxFeePerGas: max(price, tip), maxPriorityFeePerGas: tip }
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

function max(...values: bigint[]): bigint {
  let greatest = 0n
  for (const value of values) if (value > greatest) greatest = value
  return greatest
}
